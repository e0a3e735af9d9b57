/** A scenario whose surface is a face of a STEP file: a ball rests on it where the drawing has it, moved and turned; bad fields. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { ConfigError } from '../../config/yaml-source.ts';
import { makeSystem } from '../../src/index.ts';
import { PETALS, petalPath } from '../fixtures/step-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-step-contact-'));
after(() => {
  rmSync(folder, { recursive: true });
});
copyFileSync(petalPath(PETALS[2]), join(folder, 'petal.stp'));

/** A ball of 10 mm and 0.2 kg over the plane of the petal, which lies 10 mm under the origin of the part. */
const scenario = (face: string, height: number): string => {
  const path = join(folder, 'part.yaml');
  writeFileSync(
    path,
    `name: ball-on-petal
title: Ball on a petal
description: A ball on a face of a STEP file.
gravity_mps2: [0, 0, -9.81]
bodies:
  - { name: petal, kind: fixed }
  - name: ball
    kind: dynamic
    mass_kg: 0.2
    inertia: { kind: solid-sphere, radius_m: 10 mm }
    position_m: [-0.01, 0, ${height}]
contacts:
  - name: ball-petal
    body_i: ball
    body_j: petal
    pair:
      kind: freeform
      surfaces_i: { kind: ball, radius_m: 10 mm }
      surfaces_j: { kind: faces, faces: [{ ${face} }] }
    normal_law: { kind: kelvin-voigt, stiffness_N_per_m: 1e4, damping_N_s_per_m: 40 }
    friction_law: { kind: none }
integration: { kind: implicit-contact, step_s: 1 ms }
duration_s: 1
`,
  );
  return path;
};

/** Height at which the ball is at rest, m. */
function rest(face: string, height: number): number {
  const system = makeSystem(compileScenario(loadScenario(scenario(face, height))));
  for (let n = 0; n < 300; n++) assert.equal(system.step(1e-3), 0);
  const pose = new Float64Array(13);
  system.readBody(system.bodyIndex('ball'), pose, 0);
  assert.ok(Math.abs(pose[9]) < 1e-9, `${pose[9]} m/s`);
  return pose[2];
}

test('a ball rests on a face of the file at its radius less m g / k', () => {
  const sag = (0.2 * 9.81) / 1e4;
  const shape = 'shape: { kind: step, file: petal.stp, face: PAD }';
  // fifteen digits of inches
  assert.ok(Math.abs(rest(shape, 0.001) - (-0.01 + 0.01 - sag)) < 1e-12);
  // half a turn about x puts the plane 10 mm over the origin, reversed it looks up again
  const turned = `${shape}, position_m: [0, 0, 5 mm], reversed: true, orientation: { kind: axis-angle, axis: [1, 0, 0], angle_rad: 180 deg }`;
  assert.ok(Math.abs(rest(turned, 0.026) - (0.015 + 0.01 - sag)) < 1e-12);
});

test('bad fields of a face of a file are refused where they stand', () => {
  const refused = (face: string, message: RegExp): void => {
    assert.throws(
      () => loadScenario(scenario(face, 0)),
      (error: unknown) => {
        assert.ok(error instanceof ConfigError, String(error));
        assert.match(error.message, message);
        return true;
      },
    );
  };
  refused(
    'shape: { kind: step, file: petal.stp, face: PAT }',
    /face.*got "PAT"; did you mean PAD\?/,
  );
  refused('shape: { kind: step, file: none.stp, face: PAD }', /none\.stp.* there is no such file/);
  refused(
    'shape: { kind: step, file: petal.stp, face: PAD }, trim: { u: [0, 1] }',
    /trim to be left out: a face of a STEP file is cut at its border/,
  );
});
