/** Constraints of a scenario file: compiled as written, with units in any form, and refused with their place. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { CONSTRAINT_READOUT, makeSystem } from '../../src/system/system.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-constraints-'));
after(() => rmSync(folder, { recursive: true }));

const scenario = (constraint: string): string => `
name: wheel
title: A wheel on a shaft
bodies:
  - { kind: dynamic, name: wheel, mass_kg: 2, inertia: { kind: tensor, moments_kg_m2: [0.1, 0.1, 0.2] } }
constraints:
  - ${constraint}
integration: { kind: implicit-contact, step_s: 1ms, maximum_substeps: 4 }
duration_s: 1
`;

function load(constraint: string): ReturnType<typeof loadScenario> {
  const file = join(folder, 'wheel.yaml');
  writeFileSync(file, scenario(constraint));
  return loadScenario(file);
}

test('a hinge with an imposed turn: the motion adds the row that the joint leaves free', () => {
  const model = compileScenario(
    load(
      '{ kind: lock, name: shaft, joint: revolute, first: { body: wheel }, second: {}, turn: { axis: z, motion: { kind: ramp, rate_radps: 90deg/s } } }',
    ),
  );
  assert.deepEqual(model.constraints, [
    {
      kind: 'lock',
      name: 'shaft',
      first: { body: 'wheel', position: [0, 0, 0], orientation: [0, 0, 0, 1] },
      second: { body: null, position: [0, 0, 0], orientation: [0, 0, 0, 1] },
      translation: ['x', 'y', 'z'],
      rotation: ['x', 'y', 'z'],
      rotationMotion: { axis: 'z', law: { kind: 'ramp', value: 0, rate: Math.PI / 2 } },
    },
  ]);
  const system = makeSystem(model);
  for (let k = 0; k < 1000; k++) system.step(1e-3);
  const state = new Float64Array(13);
  system.readBody(0, state, 0);
  const quarter = Math.SQRT1_2; // a quarter of a turn, half of it in the quaternion
  assert.ok(Math.abs(state[5] - quarter) < 1e-11 && Math.abs(state[6] - quarter) < 1e-11);
  const row = new Float64Array(CONSTRAINT_READOUT.length);
  system.readConstraint(0, row, 0);
  assert.ok(Math.abs(row[2] - 2 * 9.81) < 1e-9, `${row[2]}`); // the shaft carries the weight
});

test('an unknown joint, a motion without a rate and a missing body are refused', () => {
  assert.throws(
    () => load('{ kind: lock, name: shaft, joint: hinge, first: { body: wheel }, second: {} }'),
    /constraints\[0\][.]joint/,
  );
  assert.throws(
    () =>
      load(
        '{ kind: lock, name: shaft, joint: revolute, first: { body: wheel }, second: {}, turn: { axis: z, motion: { kind: ramp } } }',
      ),
    /rate_radps/,
  );
  assert.throws(
    () =>
      makeSystem(
        compileScenario(
          load('{ kind: lock, name: shaft, joint: fixed, first: { body: disc }, second: {} }'),
        ),
      ),
    /constraints[.[].*first[.]body to be one of wheel, got "disc"/,
  );
});
