/** The scenario `part-on-table`: a block from a mesh file falls on its three feet, and the table carries its weight. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../config/compile.ts';
import { loadScenario } from '../../config/scenario.ts';
import { CONTACT_READOUT, ContactReadout, makeSystem } from '../../src/index.ts';

const G = 9.81;
const MASS = 0.683;
const STIFFNESS = 1e5;
/** Tips of the feet and the centre of mass, in the frame of the mesh, m. */
const FEET = [
  [-0.05, -0.022],
  [-0.05, 0.022],
  [0.048, 0],
] as const;
const TIP = -0.01;
const CENTER = [-0.0192783, 0, 0.0270301] as const;

test('the block comes to rest on three feet, each with its share of the weight', () => {
  const system = makeSystem(compileScenario(loadScenario('part-on-table')));
  const readout = new Float64Array(CONTACT_READOUT.length);
  const pose = new Float64Array(13);
  let hardest = 0;
  for (let n = 0; n < 3000; n++) {
    assert.equal(system.step(1e-3), 0);
    system.readContact(0, readout, 0);
    hardest = Math.max(hardest, readout[ContactReadout.normalForce]);
  }
  assert.ok(hardest > 10 * MASS * G, `${hardest} N at most: it came down with a blow`);
  assert.deepEqual(system.penetrations, []);
  const force = readout[ContactReadout.normalForce];
  assert.ok(Math.abs(force / (MASS * G) - 1) < 1e-4, `${force} N of ${MASS * G} N`);
  system.readBody(system.bodyIndex('part'), pose, 0);
  assert.ok(Math.hypot(...pose.subarray(7, 10)) < 1e-5, pose.subarray(7, 13).join(' '));

  // moments about the back feet: the front one carries the part of the lever
  const lever = (CENTER[0] - FEET[0][0]) / (FEET[2][0] - FEET[0][0]);
  const loads = [(1 - lever) / 2, (1 - lever) / 2, lever].map((part) => part * MASS * G);
  const [x, y, z, w] = pose.subarray(3, 7);
  FEET.forEach(([fx, fy], k) => {
    const p = [fx - CENTER[0], fy - CENTER[1], TIP - CENTER[2]];
    // third row of the rotation
    const height =
      pose[2] +
      2 * (x * z - w * y) * p[0] +
      2 * (y * z + w * x) * p[1] +
      (1 - 2 * (x * x + y * y)) * p[2];
    const depth = 2e-3 - height; // of the standoff
    // centre and mass are rounded to five digits, the file to 0.1 µm: 1e-4 of a load, and the creep of the last rocking
    assert.ok(
      Math.abs(STIFFNESS * depth - loads[k]) < 2e-3 * MASS * G,
      `foot ${k}: ${STIFFNESS * depth} N, expected ${loads[k]} N`,
    );
  });
});
