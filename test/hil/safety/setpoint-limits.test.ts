/** Every set-point on the wire keeps its limits in pose and twist: the cases that did not. A share of random flights: setpoint-limits.long.test.ts. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { LoopSlot } from '../../../hil/memory/loop-counters.ts';
import {
  type FlightPlan,
  type Seen,
  flySetpoints,
  largestExcess,
  randomPlan,
} from '../../fixtures/setpoint-flight.ts';
import type { VirtualRig } from '../../fixtures/virtual-rig.ts';
import { ClampKind } from '../../../hil/contract/counters.ts';
import { check } from './setpoint-check.ts';

function fly(t: TestContext, plan: FlightPlan): { rig: VirtualRig; seen: Seen } {
  const { seen, rig, armed } = flySetpoints(plan);
  assert.ok(armed, rig.state);
  check(seen, plan.scenario);
  const speeds = [...seen.linear, ...seen.angular].map(({ speed }) => speed.toFixed(3)).join(', ');
  t.diagnostic(
    `acceptance 53: ${plan.scenario}, ${plan.mode}: ${seen.differenced} set-points, at most ${largestExcess(seen).toFixed(6)} of a limit (speed of pose and twist ${speeds})`,
  );
  return { rig, seen };
}

/** Full stick for 0.4 s, and a force: 5 mm/s and 0.01 rad/s are all that is allowed. */
const slowed = (scenario: FlightPlan['scenario'], mode: FlightPlan['mode']): FlightPlan => ({
  scenario,
  mode,
  ticks: 700,
  settings: ({ limits }) => {
    limits.speed_mps = 0.005;
    limits.angular_speed_radps = 0.01;
  },
  sticks: (tick) => (tick < 400 ? [0.4, -0.3, -1, 0.2, 0.5, 1] : [0, 0, 0, 0, 0, 0]),
  ...(mode === 'hardware'
    ? { wrench: (tick): number[] => (tick > 500 ? [120, 60, 90, 10, 0, -8] : [0, 0, 0, 0, 0, 0]) }
    : {}),
});

for (const scenario of ['half-sphere-on-plate', 'battery-box-insertion'] as const) {
  for (const mode of ['virtual', 'hardware'] as const) {
    test(`53: ${scenario} under a lowered speed limit, ${mode}: the pose goes no faster than the twist`, (t) => {
      const { seen } = fly(t, slowed(scenario, mode));
      assert.ok(seen.linear[0].speed > 0.99, 'and as fast as it may');
    });
  }
}

for (const scenario of [
  'free-mass-on-spring',
  'kim-planar-controlled-contact',
  'canadarm-berthing',
] as const) {
  test(`53: ${scenario}, pushed by 200 and 350 N an axis: limits are kept, and limiting that lasts is held`, (t) => {
    for (const force of [200, 350]) {
      const { rig } = fly(t, {
        scenario,
        mode: 'hardware',
        ticks: 400,
        robot: { force_N: 1000 },
        settings: ({ limits, energy }) => {
          limits.force_N = 1000;
          energy.guard = false; // it would take what the force gives
        },
        wrench: (tick) => (tick < 50 ? [0, 0, 0, 0, 0, 0] : [force, force, -force, 0, 0, 0]),
      });
      if (scenario === 'canadarm-berthing') continue; // 3 t take longer to come to a limit
      const held = rig.transitions.find(({ to }) => to === 'HOLD');
      assert.equal(held?.cause, 'SETPOINT_LIMITED');
      assert.ok(rig.counter(LoopSlot.setpoint_limited_seconds_total) >= 0.2 - 1e-9);
      if (scenario === 'free-mass-on-spring') {
        assert.ok(
          rig.counter(LoopSlot.setpoint_limited_joules_total) > 0,
          'what was taken is counted',
        );
      }
    }
  });
}

test('53: a push into the wall of the workspace ends before it, without a harder brake than allowed', (t) => {
  const { rig, seen } = fly(t, {
    scenario: 'free-mass-on-spring',
    mode: 'hardware',
    ticks: 600,
    settings: ({ limits, energy }) => {
      limits.workspace_m = 0.005;
      energy.guard = false;
    },
    wrench: () => [40, 25, 0, 0, 0, 0],
  });
  assert.ok(rig.counter(LoopSlot.limit_clamps_total + ClampKind.WORKSPACE) > 0);
  assert.ok(seen.beyond_m > -0.005, 'it came near');
});

test('53: an arm that swings between limited and free steps: what is sent joins it again without a jerk', () => {
  // a flexible arm in a contact at 24 m/s³, where the set-point parts from the arm's for two ticks and comes back
  const { seen } = flySetpoints(randomPlan(291, 600));
  check(seen, 'flight 291');
});
