/**
 * The model's compensation subtracts the contact at the measured pose from that at the pose of the
 * arm. A robot that stops in contact for lack of set-points shows no impact speed, and its modelled
 * force was then three times too large. The arm got no force and pressed on until the force limit.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
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
