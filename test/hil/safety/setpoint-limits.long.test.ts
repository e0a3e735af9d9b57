/** Every set-point on the wire keeps its limits in pose and twist: a share of random flights. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flySetpoints, largestExcess, randomPlan } from '../../fixtures/setpoint-flight.ts';
import { check } from './setpoint-check.ts';

const SEED = 1;
const FLIGHTS = 20;
const TICKS = 500;

test(`53: ${FLIGHTS} random flights from seed ${SEED}: mode, scenario, forces, limits, sticks, holds, lost STATE`, (t) => {
  let largest = 0;
  let apart = 0;
  let frames = 0;
  for (let seed = SEED; seed < SEED + FLIGHTS; seed++) {
    const { seen, rig } = flySetpoints(randomPlan(seed, TICKS));
    check(seen, `flight ${seed}`);
    assert.ok(!rig.transitions.some(({ cause }) => cause === 'HOLD_TIMEOUT'), `flight ${seed}`);
    largest = Math.max(largest, largestExcess(seen));
    apart = Math.max(apart, seen.apart);
    frames += seen.differenced;
  }
  t.diagnostic(
    `acceptance 53: ${FLIGHTS} flights, ${frames} set-points: at most ${largest.toFixed(6)} of a limit, twist and pose apart by ${apart.toFixed(2)} a h`,
  );
});
