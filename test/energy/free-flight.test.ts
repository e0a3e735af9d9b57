/** The whole loop without contact, with the noise of the sensor, lost frames and a delay: nothing is created (hil-anchors 9.4, test 35). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandKind, INJECTIONS } from '../../hil/commands.ts';
import { LoopSlot } from '../../hil/loop-counters.ts';
import { VirtualRig } from '../support/virtual-rig.ts';

const TICKS = 60_000;
/** Up and down within 0.1 m above the plate, ticks. */
const PERIOD_TICKS = 4000;

for (const compensation of ['none', 'model'] as const) {
  for (const guard of [false, true]) {
    test(`35: 60 s of free flight, compensation ${compensation}, guard ${guard ? 'on' : 'off'}: nothing is created or taken`, (t) => {
      const rig = new VirtualRig({
        mode: 'hardware',
        noise: 1,
        settings: ({ energy }) => Object.assign(energy, { compensation, guard }),
        emulator: { delay_s: 10e-3 },
      });
      rig.activate();
      rig.run(2000, () => rig.input(1, 1)); // away from the plate
      rig.command(CommandKind.INJECT, INJECTIONS.indexOf('link_drop_ratio'), 0.005);
      const height = rig.tick.measured[2] ?? NaN;
      let moved = 0;
      let felt = 0;
      rig.run(TICKS, (tick) => {
        rig.input(Math.cos((2 * Math.PI * tick) / PERIOD_TICKS), 1);
        moved = Math.max(moved, Math.abs((rig.tick.measured[2] ?? NaN) - height));
        felt = Math.max(felt, Math.abs(rig.tick.measuredWrench[2] ?? NaN));
        assert.equal(rig.state, 'ACTIVE_FREE', `tick ${tick}`);
      });
      assert.ok(
        moved > 5e-3 && felt > 1,
        `moved ${moved} m, felt ${felt} N: noise as a sensor has it`,
      );
      assert.ok(rig.counter(LoopSlot.LOST) > 0.004 * TICKS, 'frames were lost');
      const created = rig.counter(LoopSlot.ENERGY_CREATED);
      assert.ok(Math.abs(created) < 1e-9, `${created} J`);
      assert.equal(rig.counter(LoopSlot.GUARD_DISSIPATED), 0);
      t.diagnostic(
        `acceptance 35: whole loop, 60 s without contact, felt up to ${felt.toFixed(1)} N: ${created} J`,
      );
    });
  }
}
