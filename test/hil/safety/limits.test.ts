/** Limits of measured values and of set-points. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LimitMonitor } from '../../../hil/safety/limits.ts';
import { SafetyInputs } from '../../../hil/safety/machine.ts';
import { LIMITS } from '../../fixtures/safety-harness.ts';
import { ClampKind } from '../../../hil/contract/counters.ts';

const PERIOD_s = 0.001;
const motion = (position: number[], velocity: number[] = [0, 0, 0], w = [0, 0, 0]): Float64Array =>
  Float64Array.from([...position, 0, 0, 0, 1, ...velocity, ...w]);

test('measured force, moment, speed and place raise their own flag and no other', () => {
  const monitor = new LimitMonitor(LIMITS, PERIOD_s);
  monitor.setCenter(1, 0, 0);
  const flags = (m: Float64Array, wrench: number[]): number[] => {
    const inputs = new SafetyInputs();
    monitor.checkMeasured(m, Float64Array.from(wrench), inputs);
    return [inputs.forceExceeded, inputs.velocityExceeded, inputs.workspaceExceeded];
  };
  const none = [0, 0, 0, 0, 0, 0];
  assert.deepEqual(flags(motion([1, 0, 0]), none), [0, 0, 0]);
  assert.deepEqual(flags(motion([1, 0, 0]), [240, 320, 0, 0, 0, 0]), [0, 0, 0]); // exactly 400 N
  assert.deepEqual(flags(motion([1, 0, 0]), [240, 321, 0, 0, 0, 0]), [1, 0, 0]);
  assert.deepEqual(flags(motion([1, 0, 0]), [0, 0, 0, 0, 0, -101]), [1, 0, 0]);
  assert.deepEqual(flags(motion([1, 0, 0], [0.119, 0, 0]), none), [0, 0, 0]);
  assert.deepEqual(flags(motion([1, 0, 0], [0.121, 0, 0]), none), [0, 1, 0]);
  assert.deepEqual(flags(motion([1, 0, 0], [0, 0, 0], [0, 0.61, 0]), none), [0, 1, 0]);
  assert.deepEqual(flags(motion([1.509, 0, 0]), none), [0, 0, 0]);
  assert.deepEqual(flags(motion([1.511, 0, 0]), none), [0, 0, 1]); // 2 % of 0.5 m beyond
  assert.deepEqual(flags(motion([0.489, 0, 0]), none), [0, 0, 1]);
});

test('a measured value that is no number counts as exceeded', () => {
  const monitor = new LimitMonitor(LIMITS, PERIOD_s);
  const inputs = new SafetyInputs();
  monitor.checkMeasured(motion([NaN, 0, 0], [NaN, 0, 0]), new Float64Array(6).fill(NaN), inputs);
  assert.deepEqual(
    [inputs.forceExceeded, inputs.velocityExceeded, inputs.workspaceExceeded],
    [1, 1, 1],
  );
  assert.equal(inputs.robotStandstill, 0);
});

test('pose error: distance, and angle to 1e-12 rad for small and large turns and both signs of q', () => {
  const monitor = new LimitMonitor(LIMITS, PERIOD_s);
  const inputs = new SafetyInputs();
  for (const angle of [0, 1e-7, 0.1 * (Math.PI / 180), 0.5, 3]) {
    for (const sign of [1, -1]) {
      const turned = motion([0.003, 0.004, 0]);
      turned[3] = sign * Math.sin(angle / 2);
      turned[6] = sign * Math.cos(angle / 2);
      monitor.compare(motion([0, 0, 0]), turned, inputs);
      assert.ok(Math.abs(inputs.poseError_m - 0.005) < 1e-15);
      assert.ok(
        Math.abs(inputs.poseError_rad - angle) < 1e-12,
        `${angle}: ${inputs.poseError_rad}`,
      );
    }
  }
  monitor.compare(motion([0, 0, 0], [0, 0, 2e-6]), motion([0, 0, 0]), inputs);
  assert.equal(inputs.setpointStopped, 0);
});

test('a wrench beyond its limit is shortened, and counted under its kind', () => {
  const monitor = new LimitMonitor(LIMITS, PERIOD_s);
  const wrench = Float64Array.from([0, 800, 0, 0, 0, 0]);
  assert.equal(monitor.clampWrench(wrench), 1);
  assert.deepEqual([...wrench], [0, 400, 0, 0, 0, 0]);
  assert.equal(monitor.clampWrench(wrench), 0);
  assert.equal(monitor.clamps[ClampKind.FORCE], 1);
});
