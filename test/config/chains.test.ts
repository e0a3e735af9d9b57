/** Chains in scenario files: units, inertias, joints, places of complaints. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';

test('the double pendulum compiles to rods with angles in radians', () => {
  const [chain] = compileScenario(loadScenario('double-pendulum')).chains ?? [];
  const [upper, lower] = chain.links;
  assert.deepEqual(upper.joint, {
    kind: 'revolute',
    axis: [0, -1, 0],
    angle: Math.PI / 4,
    rate: (-120 * Math.PI) / 180,
  });
  // m l²/12 to rounding
  upper.inertia.forEach((value, i) => {
    assert.ok(Math.abs(value - (i < 2 ? (5 * 0.25) / 12 : 0)) < 1e-16, `inertia ${i}: ${value}`);
  });
  assert.deepEqual(lower.jointInParent, [0, 0, -0.25]);
});

test('a universal joint and a slanted rod', () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-chains-'));
  try {
    const file = join(folder, 'two.yaml');
    writeFileSync(
      file,
      `name: two
title: Two axes
bodies: [{ name: ground, kind: fixed }]
chains:
  - name: swing
    position_m: [0, 0, 1]
    links:
      - name: rod
        mass_kg: 3
        inertia: { kind: slender-rod, length_m: 2, axis: [0, 3, 4] }
        joint: { kind: universal, axis_1: [2, 0, 0], axis_2: [0, 1, 0], angle_1_rad: 90 deg, rate_2_radps: 1 }
        joint_in_link_m: [0, 0.6, 0.8]
duration_s: 1
`,
    );
    const [chain] = compileScenario(loadScenario(file)).chains ?? [];
    const [rod] = chain.links;
    assert.deepEqual(rod.joint, {
      kind: 'universal',
      axes: [
        [1, 0, 0],
        [0, 1, 0],
      ],
      angles: [Math.PI / 2, 0],
      rates: [0, 1],
    });
    // m l²/12 (1 − d dᵀ) with d = (0, 0.6, 0.8)
    [1, 0.64, 0.36, 0, 0, -0.48].forEach((value, i) => {
      assert.ok(Math.abs(rod.inertia[i] - value) < 1e-15, `inertia ${i}: ${rod.inertia[i]}`);
    });
    assert.throws(
      () => loadScenario(file, ['chains.swing.links.rod.joint.axis_2=[1, 0, 0]']),
      /two[.]yaml:5:5.*regular mass matrix/,
    );
    assert.throws(
      () => loadScenario(file, ['chains.swing.links.rod.mass_kg=0']),
      /chains\[0\][.]links\[0\][.]mass_kg is 0/,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
