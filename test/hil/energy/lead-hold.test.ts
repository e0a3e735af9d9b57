/** Position lead and a hold, in the whole loop: the lead is zero before the hold requires rest. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandKind, COMMAND_RESULTS } from '../../../hil/contract/commands.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

/** Flown upwards for two seconds with position lead, the robot a pure delay. */
function led(delay_s: number, stick: number, mode: 'virtual' | 'hardware'): VirtualRig {
  const rig = new VirtualRig({
    mode,
    settings: ({ energy, operator }) => {
      energy.position_lead = true;
      operator.coarse_speed_mps = 0.09;
    },
    emulator: { tracking: 'ideal', delay_s },
  });
  rig.activate();
  rig.run(2000, () => rig.input(stick, 1));
  return rig;
}

test('a released deadman holds at every speed and lead, and pressed again goes on', () => {
  for (const mode of ['virtual', 'hardware'] as const) {
    for (const delay_s of [1e-3, 5e-3, 20e-3, 60e-3]) {
      for (const stick of [0.1, 0.5, 1]) {
        const rig = led(delay_s, stick, mode);
        const flown = `${mode}, ${delay_s} s, stick ${stick}`;
        assert.ok(rig.tick.energy.energy.positionLead.lead_s[0] > 0.5e-3, `${flown}: led`);
        rig.run(1000, () => rig.input(0, 0));
        assert.equal(rig.state, 'HOLD', flown);
        assert.ok(rig.runUntil('ACTIVE_FREE', 100, () => rig.input(0, 1)) >= 0, flown);
      }
    }
  }
});

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
