/** Limits of measured values and of set-points. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ClampKind, LimitMonitor, setpointTtl_ms } from '../../hil/safety/limits.ts';
import { SafetyInputs } from '../../hil/safety/machine.ts';

const LIMITS = {
  force_N: 400,
  moment_Nm: 100,
  speed_mps: 0.1,
  angular_speed_radps: 0.5,
  acceleration_mps2: 5,
  workspace_m: 0.5,
};
const PERIOD_s = 0.001;
const motion = (position: number[], velocity: number[] = [0, 0, 0], w = [0, 0, 0]): Float64Array =>
  Float64Array.from([...position, 0, 0, 0, 1, ...velocity, ...w]);

test('measured force, moment, speed and place raise their own flag and no other', () => {
  const monitor = new LimitMonitor(LIMITS);
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
  const monitor = new LimitMonitor(LIMITS);
  const inputs = new SafetyInputs();
  monitor.checkMeasured(motion([NaN, 0, 0], [NaN, 0, 0]), new Float64Array(6).fill(NaN), inputs);
  assert.deepEqual(
    [inputs.forceExceeded, inputs.velocityExceeded, inputs.workspaceExceeded],
    [1, 1, 1],
  );
  assert.equal(inputs.robotStandstill, 0);
});

test('pose error: distance, and angle to 1e-12 rad for small and large turns and both signs of q', () => {
  const monitor = new LimitMonitor(LIMITS);
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

test('a clamped set-point is inside every limit, and one inside all limits passes unchanged and uncounted', () => {
  const number = fc.double({ min: -1, max: 1, noNaN: true });
  const three = fc.tuple(number, number, number);
  fc.assert(
    fc.property(fc.array(fc.tuple(three, three, three), { maxLength: 20 }), (sequence) => {
      const monitor = new LimitMonitor(LIMITS);
      let last = [0, 0, 0];
      for (const [p, v, w] of sequence) {
        const setpoint = motion(p, v, w);
        const before = setpoint.slice();
        const clamps = monitor.clampSetpoint(setpoint, PERIOD_s);
        const now = [...setpoint.slice(7, 10)];
        const speed = Math.hypot(...now);
        const step = Math.hypot(...now.map((x, i) => x - last[i]));
        const inside = [0, 1, 2].every((i) => Math.abs(setpoint[i]) <= 0.5);
        // Stopping at the wall of the workspace may be harder than the acceleration limit; nothing else may.
        const atWall = [0, 1, 2].some((i) => Math.abs(before[i]) > 0.5);
        assert.ok(speed <= 0.1 * (1 + 1e-9));
        assert.ok(atWall || step <= 5 * PERIOD_s * (1 + 1e-6));
        assert.ok(inside);
        assert.ok(Math.hypot(...setpoint.slice(10, 13)) <= 0.5 * (1 + 1e-9));
        if (clamps === 0) assert.deepEqual(setpoint, before);
        last = now;
      }
    }),
  );
});

test('each clamp is counted once, under its kind', () => {
  const monitor = new LimitMonitor(LIMITS);
  assert.equal(monitor.clampSetpoint(motion([0, 0, 0], [0.2, 0, 0]), PERIOD_s), 2);
  assert.equal(monitor.clamps[ClampKind.VELOCITY], 1);
  assert.equal(monitor.clamps[ClampKind.ACCELERATION], 1);
  monitor.clampSetpoint(motion([0.6, 0, 0]), PERIOD_s);
  assert.equal(monitor.clamps[ClampKind.WORKSPACE], 1);
  const wrench = Float64Array.from([0, 800, 0, 0, 0, 0]);
  assert.equal(monitor.clampWrench(wrench), 1);
  assert.deepEqual([...wrench], [0, 400, 0, 0, 0, 0]);
  assert.equal(monitor.clampWrench(wrench), 0);
  assert.equal(monitor.clamps[ClampKind.FORCE], 1);
});

test('a set-point at the wall of the workspace keeps its motion along it and back', () => {
  const monitor = new LimitMonitor(LIMITS);
  const setpoint = motion([0.6, 0, 0], [0.004, 0.002, 0]);
  monitor.clampSetpoint(setpoint, PERIOD_s);
  assert.deepEqual([...setpoint.slice(0, 3)], [0.5, 0, 0]);
  assert.deepEqual([...setpoint.slice(7, 10)], [0, 0.002, 0]);
});

test('time to live is shorter in contact', () => {
  assert.equal(setpointTtl_ms(true), 5);
  assert.equal(setpointTtl_ms(false), 20);
});
