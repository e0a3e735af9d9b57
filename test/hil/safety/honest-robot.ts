/** A correct robot flown end to end on the virtual clock: loop, session, loopback, emulated robot; its share of the bounds on what robots report. */
import assert from 'node:assert/strict';
import { FollowingSlot } from '../../../hil/safety/following-error.ts';
import { lieInState } from '../../fixtures/lying-robot.ts';
import { type RigOptions, VirtualRig } from '../../fixtures/virtual-rig.ts';

export const PERIODS_s = [0.001, 0.004, 0.01];

export function flying(period_s: number, options: RigOptions = {}): VirtualRig {
  const rig = new VirtualRig({
    ...options,
    settings: (settings) => {
      settings.loop.period_s = period_s;
      options.settings?.(settings);
    },
  });
  rig.activate();
  rig.run(Math.round(0.05 / period_s), () => rig.input(0, 1));
  return rig;
}

/** From now on the pose, its twist and its time are new in every `every`-th STATE only, as of a controller that samples more slowly than it sends. */
export function sampleEvery(rig: VirtualRig, every: number): void {
  const kept = { position: new Float64Array(3), orientation: new Float64Array(4), at_us: 0 };
  const twist = new Float64Array(6);
  let n = 0;
  lieInState(rig, (state) => {
    if (n++ % every === 0) {
      kept.position.set(state.position);
      kept.orientation.set(state.orientation);
      twist.set(state.twist);
      kept.at_us = state.tMeas_us;
    }
    state.position.set(kept.position);
    state.orientation.set(kept.orientation);
    state.twist.set(twist);
    state.tMeas_us = kept.at_us;
  });
}

/**
 * Full steps in all axes, there and back, free of the plate, with a correct robot. @returns largest
 * share of a bound
 */
export function flyHonest(
  period_s: number,
  every: number,
  number: number,
  emulator: NonNullable<RigOptions['emulator']>,
): number {
  let worst = 0;
  const rig = flying(period_s, {
    noise: 3,
    emulator: { ...emulator, seed: number + 1 },
    settings: (settings) => {
      // a lead overshoots where the command jumps: by itself a third of these speeds
      const lead = number % 3 === 2;
      settings.energy.position_lead = lead;
      settings.operator.coarse_speed_mps = lead ? 0.03 : 0.08;
      settings.operator.coarse_angular_speed_radps = lead ? 0.1 : 0.35;
    },
  });
  if (every > 1) sampleEvery(rig, every);
  // away from the plate
  rig.run(Math.round(0.3 / period_s), () => rig.inputAxes([0, 0, 1, 0, 0, 0], 1));
  const before = rig.transitions.length;
  const figures = rig.tick.watch.following.figures;
  const seconds = 1;
  rig.run(Math.round(seconds / period_s), (i) => {
    const sign = Math.floor((i * period_s) / 0.15) % 2 === 0 ? 1 : -1;
    rig.inputAxes([sign, sign, 0, -sign, sign, sign], 1);
    const share = Math.max(
      (figures[FollowingSlot.ERROR_m] ?? NaN) / (figures[FollowingSlot.LIMIT_m] || 1),
      (figures[FollowingSlot.ERROR_rad] ?? NaN) / (figures[FollowingSlot.LIMIT_rad] || 1),
    );
    if (share > worst) worst = share;
  });
  rig.run(Math.round(0.3 / period_s), () => rig.inputAxes([0, 0, 0, 0, 0, 0], 0));
  const causes = rig.transitions.slice(before).map((entry) => entry.cause);
  const what = `${period_s} s, a pose in every ${every}, ${JSON.stringify(emulator)}`;
  assert.deepEqual(causes, ['DEADMAN_RELEASED'], `${what}: ${causes.join()}`);
  return worst;
}
