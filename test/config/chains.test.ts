/** Chains in scenario files: units, inertias, joints, places of complaints. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';

test('the double pendulum compiles to rods with angles in radians', () => {
  const [tree] = compileScenario(loadScenario('double-pendulum')).trees ?? [];
  const [upper, lower] = tree.links;
  assert.deepEqual(upper.joint, {
    kind: 'revolute',
    axis: [0, -1, 0],
    position: Math.PI / 4,
    rate: (-120 * Math.PI) / 180,
  });
  // m l²/12 to rounding
  upper.inertia.forEach((value, i) => {
    assert.ok(Math.abs(value - (i < 2 ? (5 * 0.25) / 12 : 0)) < 1e-16, `inertia ${i}: ${value}`);
  });
  // the frame of a link of a tree lies at its joint
  assert.deepEqual(
    [lower.position, lower.center],
    [
      [0, 0, -0.5],
      [0, 0, -0.125],
    ],
  );
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
    const [tree] = compileScenario(loadScenario(file)).trees ?? [];
    const [rod] = tree.links;
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
      /two[.]yaml:8:9.*regular mass matrix.*parallel/,
    );
    assert.throws(
      () => loadScenario(file, ['chains.swing.links.rod.mass_kg=0']),
      /chains\[0\][.]links\[0\][.]mass_kg is 0/,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('springs of every kind of joint, and cells of a link', () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-chains-'));
  try {
    const file = join(folder, 'springs.yaml');
    writeFileSync(
      file,
      `name: springs
title: Springs
bodies: [{ name: ground, kind: fixed }]
chains:
  - name: arm
    links:
      - name: slide
        mass_kg: 1
        inertia: { kind: point }
        joint:
          kind: prismatic
          axis: [0, 0, 2]
          position_m: 5 mm
          stiffness_N_per_m: 2e3
          damping_N_s_per_m: 3
          rest_m: 1 mm
        joint_in_link_m: [0, 0, 0.1]
        cells: [{ name: ball, shape: { kind: sphere, radius_m: 10 mm } }]
      - name: hinge
        mass_kg: 1
        inertia: { kind: solid-sphere, radius_m: 0.1 }
        joint: { kind: revolute, axis: [1, 0, 0], stiffness_Nm_per_rad: 4, rest_rad: 90 deg }
        joint_in_parent_m: [0, 0, 0.4]
      - name: cross
        mass_kg: 1
        inertia: { kind: solid-sphere, radius_m: 0.1 }
        joint: { kind: universal, axis_1: [1, 0, 0], axis_2: [0, 1, 0], damping_2_Nm_s_per_rad: 0.5 }
duration_s: 1
`,
    );
    const [tree] = compileScenario(loadScenario(file)).trees ?? [];
    const [slide, hinge, cross] = tree.links;
    assert.deepEqual(slide.joint, {
      kind: 'prismatic',
      axis: [0, 0, 1],
      position: 0.005,
      rate: 0,
      spring: { stiffness: 2000, damping: 3, rest: 0.001 },
    });
    assert.equal(slide.cells?.[0].name, 'ball');
    // the joint of the hinge from that of the slide
    assert.deepEqual(hinge.position, [0, 0, 0.4 - 0.1]);
    assert.deepEqual('spring' in hinge.joint && hinge.joint.spring, {
      stiffness: 4,
      damping: 0,
      rest: Math.PI / 2,
    });
    assert.deepEqual('springs' in cross.joint && cross.joint.springs, [
      { stiffness: 0, damping: 0, rest: 0 },
      { stiffness: 0, damping: 0.5, rest: 0 },
    ]);
    for (const [change, pattern] of [
      ['slide.joint.stiffness_N_per_m=-1', /links\[0\][.]joint[.]stiffness_N_per_m is -1/],
      ['hinge.joint.damping_Nm_s_per_rad=-2', /links\[1\][.]joint[.]damping_Nm_s_per_rad is -2/],
      ['slide.joint.stiffness_Nm_per_rad=1', /links\[0\][.]joint[.]stiffness_Nm_per_rad/],
    ] as const) {
      assert.throws(() => loadScenario(file, [`chains.arm.links.${change}`]), pattern);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
