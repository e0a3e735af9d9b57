/**
 * The model's compensation subtracts the contact at the measured pose from that at the pose of the
 * arm. A robot that stops in contact for lack of set-points shows no impact speed, and its modelled
 * force was then three times too large. The arm got no force and pressed on until the force limit.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { ShadowContact } from '../../../hil/contract/shadow-contact.ts';
import { Tapping } from '../../fixtures/tapping.ts';

/** Peak of an undisturbed tap at 9.5 mm/s, and half as much again: a robot that stops gives it a harder second impact at most. */
const PEAK_N = 263;

test('a robot that a late loop lets stop at the surface is not pressed on', () => {
  const tapping = new Tapping('model');
  const { rig } = tapping;
  const robot = rig.robot!;
  for (const periods of [7, 14, 21]) {
    for (const height of [-5e-6, 0, 5e-6, 10e-6, 15e-6]) {
      let peak = 0;
      let stalled = false;
      for (let n = 0; n < 8000 && !(stalled && robot.tool.position[2] > 1e-3); n++) {
        const { position, twist } = robot.tool;
        const down = rig.state === 'ACTIVE_FREE' && twist[2] < -5e-3;
        if (!stalled && down && position[2] < height + 10e-6 && position[2] > height - 10e-6) {
          tapping.stall(periods);
          stalled = true;
        }
        tapping.step();
        const [x, y, z] = rig.tick.measuredWrench;
        peak = Math.max(peak, Math.hypot(x, y, z));
      }
      assert.ok(stalled, `met at ${height} m`);
      assert.ok(peak < 1.5 * PEAK_N, `${peak} N from ${height} m, ${periods} periods`);
    }
  }
});

/** Force of the half-sphere at a height and a vertical speed. */
function press(contact: ShadowContact, z: number, v: number): number {
  const motion = new Float64Array(13);
  motion.set([0, 0, z, 0, 0, 0, 1, 0, 0, v]);
  contact.step(motion);
  return contact.wrench[2];
}

test('two times of one contact have the faster impact of the two', () => {
  const model = compileScenario(loadScenario('half-sphere-on-plate'));
  const payload = model.tool!.payload;
  const make = (): ShadowContact => new ShadowContact(model, payload, 1e-3);
  const [fast, slow, alone] = [make(), make(), make()];
  press(fast, 5e-6, -9.5e-3);
  press(fast, -5e-6, -9.5e-3);
  for (const contact of [slow, alone]) press(contact, -5e-6, 0);
  fast.shareImpacts(slow);
  const force = press(fast, -10e-6, -9.5e-3);
  assert.equal(press(slow, -10e-6, -9.5e-3), force);
  assert.ok(press(alone, -10e-6, -9.5e-3) > 2 * force, 'at rest it began with the largest damping');
  // apart, the other keeps its own
  press(fast, 1e-3, 0);
  slow.shareImpacts(fast);
  assert.equal(press(fast, 1e-3, 0), 0);
  assert.equal(press(slow, -10e-6, -9.5e-3), force);
});
