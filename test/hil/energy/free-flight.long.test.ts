/** The whole loop without contact, with the noise of the sensor, lost frames and a delay: nothing is created (hil-anchors 9.4, test 35). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommandKind, INJECTIONS } from '../../../hil/contract/commands.ts';
import { DEFAULT_NOISE } from '../../../hil/emulator/options.ts';
import { AuditSlot } from '../../../hil/energy/energy-audit.ts';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import { VirtualRig } from '../../fixtures/virtual-rig.ts';

const TICKS = 60_000;
/** Up and down within 0.1 m above the plate, ticks. */
const PERIOD_TICKS = 4000;
/** Standard deviations of a sum over the noise that it may come to: one run in 16 000. */
const DEVIATIONS = 4;

/**
 * Standard deviation of the energy that the audit would find if all of the flight were contact, J. Forces of noise, white, work on ways
 * that differ by the noise of three axes of the place, (x(n+1) − x(n−1)) / 2 for each force; and one that is too small to be sensed counts at the
 * robot, between two that are, and not at the arm: a whole way of a tick, half its square in the mean over a flight up and down.
 */
function noise_J(unsensed: number, way_m: number): number {
  const { position_m, force_N } = DEFAULT_NOISE;
  return force_N * Math.sqrt(TICKS * 1.5 * position_m ** 2 + unsensed * 0.5 * way_m ** 2);
}

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
      let largest_N = 0;
      let fastest = 0;
      let unsensed = 0;
      let hardware_J = 0;
      let simulated_J = 0;
      const { slots } = rig.tick.energy.energy.audit;
      rig.run(TICKS, (tick) => {
        rig.input(Math.cos((2 * Math.PI * tick) / PERIOD_TICKS), 1);
        hardware_J += slots[AuditSlot.HARDWARE_STEP];
        simulated_J += slots[AuditSlot.SIMULATED_STEP];
        if (slots[AuditSlot.SIMULATED_STEP] === 0) unsensed++;
        fastest = Math.max(fastest, Math.abs(rig.tick.setpoint[9]));
        moved = Math.max(moved, Math.abs((rig.tick.measured[2] ?? NaN) - height));
        largest_N = Math.max(largest_N, Math.abs(rig.tick.measuredWrench[2] ?? NaN));
        assert.equal(rig.state, 'ACTIVE_FREE', `tick ${tick}`);
      });
      assert.ok(
        moved > 5e-3 && largest_N > 1,
        `moved ${moved} m, measured ${largest_N} N: the noise of a sensor`,
      );
      assert.ok(rig.counter(LoopSlot.robot_frames_lost_total) > 0.004 * TICKS, 'frames were lost');
      const created = rig.counter(LoopSlot.loop_energy_created_joules_total);
      assert.ok(Math.abs(created) < 1e-9, `${created} J`);
      assert.equal(rig.counter(LoopSlot.passivity_dissipated_joules_total), 0);
      // no contact was noticed, so nothing was booked; and what a contact all the way would have booked is noise
      const raw_J = hardware_J - simulated_J;
      const most_J = DEVIATIONS * noise_J(unsensed, fastest * rig.settings.loop.period_s);
      assert.ok(unsensed < 0.5 * TICKS, `${unsensed} ticks without a force that counts`);
      assert.ok(Math.abs(raw_J) > 0 && Math.abs(raw_J) < most_J, `${raw_J} J, noise ${most_J} J`);
      t.diagnostic(
        `acceptance 35: whole loop, 60 s without contact, force up to ${largest_N.toFixed(1)} N: ${created} J; forces of noise: ${raw_J.toExponential(1)} J of ${most_J.toExponential(1)} J`,
      );
    });
  }
}
