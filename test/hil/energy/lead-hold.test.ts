/** Position lead that is switched off in a hold, in the whole loop. At every speed and lead: lead-hold.long.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandKind, COMMAND_RESULTS } from '../../../hil/contract/commands.ts';
import { led } from './led-rig.ts';

test('the lead switched off while it is taken back leaves no jump', () => {
  const rig = led(20e-3, 0.5, 'hardware');
  rig.run(25, () => rig.input(0, 0));
  rig.answers.length = 0;
  rig.command(CommandKind.ENERGY, 0, 0, 0, 0);
  let last = rig.tick.setpoint[2];
  let most = 0;
  // until it is at rest, and goes where the robot has stopped
  rig.run(50, () => {
    rig.input(0, 0);
    most = Math.max(most, Math.abs(rig.tick.setpoint[2] - last));
    last = rig.tick.setpoint[2];
  });
  assert.equal(COMMAND_RESULTS[rig.answers[0]], 'ok');
  // 0.045 m/s of the stick, of which the way back is never faster
  assert.ok(most <= 0.045 * 1e-3 * 1.01, `${most} m in a tick`);
  assert.equal(rig.state, 'HOLD');
});
