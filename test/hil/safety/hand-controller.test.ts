/** Hand-controller shaping: properties of the dead-band, gears, frames and what happens when input ends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  applyDeadband,
  DEFAULT_HAND_CONTROLLER as DEFAULTS,
  HandController,
} from '../../../src/control/hand-controller.ts';

const PERIOD_s = 0.001;
const IDENTITY = Float64Array.from([0, 0, 0, 1]);
const axis = fc.double({ min: -1, max: 1, noNaN: true });
const deadband = fc.double({ min: 0, max: 0.5, noNaN: true });
const sixAxes = fc.tuple(axis, axis, axis, axis, axis, axis);

const fly = (axes: readonly number[], set: Partial<HandController> = {}): HandController => {
  const hand = new HandController();
  hand.axes.set(axes);
  Object.assign(hand, { deadman: 1, gear: 1, age_s: 0 }, set);
  hand.shape(PERIOD_s, IDENTITY, 0);
  return hand;
};
const length = (values: Float64Array, at: number): number =>
  Math.hypot(values[at], values[at + 1], values[at + 2]);

test('dead-band: odd, zero inside, one at full stick, never above one, never falling', () => {
  fc.assert(
    fc.property(axis, axis, deadband, (a, b, d) => {
      assert.equal(applyDeadband(-a, d), -applyDeadband(a, d) + 0);
      assert.ok(Math.abs(applyDeadband(a, d)) <= 1);
      if (Math.abs(a) <= d) assert.equal(applyDeadband(a, d), 0);
      if (a <= b) assert.ok(applyDeadband(a, d) <= applyDeadband(b, d));
    }),
  );
  assert.equal(applyDeadband(1, 0.05), 1);
  assert.equal(applyDeadband(-1.7, 0.05), -1); // a pad out of calibration is no faster
  assert.equal(applyDeadband(NaN, 0.05), 0);
});

test('dead-band: continuous at its edge', () => {
  fc.assert(
    fc.property(deadband, (d) => {
      // The slope is 1/(1−d) ≤ 2, so a step of 1e-9 past the edge gives at most 2e-9.
      assert.ok(applyDeadband(d + 1e-9, d) <= 2.0001e-9);
    }),
  );
});

test('the twist is odd in the axes and no group exceeds its full-stick speed', () => {
  fc.assert(
    fc.property(sixAxes, (axes) => {
      const plus = fly(axes).twist;
      const minus = fly(axes.map((a) => -a)).twist;
      for (let i = 0; i < 6; i++) assert.equal(minus[i] + plus[i], 0);
      assert.ok(length(plus, 0) <= DEFAULTS.coarse_speed_mps * (1 + 1e-12));
      assert.ok(length(plus, 3) <= DEFAULTS.coarse_angular_speed_radps * (1 + 1e-12));
    }),
  );
});

test('full stick is full speed; vernier is a tenth of coarse', () => {
  const coarse = fly([0, 0, -1, 0, 1, 0]).twist;
  assert.deepEqual([...coarse], [0, 0, -0.02, 0, 0.05, 0]);
  const vernier = fly([0, 0, -1, 0, 1, 0], { gear: 0 }).twist;
  for (let i = 0; i < 6; i++) assert.ok(Math.abs(vernier[i] - 0.1 * coarse[i]) < 1e-17);
});

test('tool frame: rotated by the tool, length kept; a quarter turn about z takes x to y', () => {
  const hand = new HandController();
  Object.assign(hand, { deadman: 1, gear: 1, frame: 1, age_s: 0 });
  hand.axes.set([1, 0, 0, 0, 1, 0]);
  const quarter = Float64Array.from([9, 0, 0, Math.SQRT1_2, Math.SQRT1_2]);
  hand.shape(PERIOD_s, quarter, 1);
  const expected = [0, 0.02, 0, -0.05, 0, 0];
  for (let i = 0; i < 6; i++) assert.ok(Math.abs(hand.twist[i] - expected[i]) < 1e-16);
  fc.assert(
    fc.property(sixAxes, sixAxes, (axes, q) => {
      const norm = Math.hypot(q[0], q[1], q[2], q[3]);
      fc.pre(norm > 0.1);
      const orientation = Float64Array.from(q.slice(0, 4), (c) => c / norm);
      const base = fly(axes).twist;
      hand.axes.set(axes);
      hand.shape(PERIOD_s, orientation, 0);
      for (const at of [0, 3]) {
        assert.ok(Math.abs(length(hand.twist, at) - length(base, at)) < 1e-15);
      }
    }),
  );
});

test('camera frame: rotated by the camera, whatever the tool does', () => {
  const hand = new HandController();
  Object.assign(hand, { deadman: 1, gear: 1, frame: 2, age_s: 0 });
  hand.axes.set([1, 0, 0, 0, 1, 0]);
  hand.camera.set([0, 0, Math.SQRT1_2, Math.SQRT1_2]);
  const turned = Float64Array.of(1, 0, 0, 0);
  hand.shape(PERIOD_s, turned, 0);
  [0, 0.02, 0, -0.05, 0, 0].forEach((v, i) => assert.ok(Math.abs(hand.twist[i] - v) < 1e-16));
});

test('a hand controller goes on bit for bit from a saved state, in the middle of a ramp', () => {
  const hand = fly([0.4, -1, 0, 0, 0.3, 0], { frame: 2 });
  hand.camera.set([0.5, 0.5, 0.5, 0.5]);
  hand.shape(PERIOD_s, IDENTITY, 0);
  hand.age_s = 0.11;
  for (let n = 0; n < 20; n++) hand.shape(PERIOD_s, IDENTITY, 0);
  const saved = new Float64Array(hand.arena.stateLength + 3);
  hand.arena.saveState(saved, 2);
  assert.equal(saved[saved.length - 1], 0, 'writes no more than stateLength');
  const other = new HandController();
  other.arena.loadState(saved, 2);
  assert.deepEqual(other.twist, hand.twist);
  for (let n = 0; n < 20; n++) {
    hand.shape(PERIOD_s, IDENTITY, 0);
    other.shape(PERIOD_s, IDENTITY, 0);
    assert.deepEqual(other.twist, hand.twist);
  }
  assert.ok(length(hand.twist, 0) > 0);
  assert.deepEqual(
    [other.axes, other.camera, other.deadman, other.gear, other.frame, other.age_s, other.neutral],
    [hand.axes, hand.camera, hand.deadman, hand.gear, hand.frame, hand.age_s, hand.neutral],
  );
});

test('fault test 25: the deadman released with the stick deflected gives zero in that tick', () => {
  const hand = fly([1, 1, 1, 1, 1, 1]);
  assert.ok(length(hand.twist, 0) > 0);
  hand.deadman = 0;
  hand.shape(PERIOD_s, IDENTITY, 0);
  assert.deepEqual([...hand.twist], [0, 0, 0, 0, 0, 0]);
  assert.equal(hand.neutral, 0);
});

test('fault test 21: stale input ramps to exactly zero within 50 ms, never growing', () => {
  const hand = fly([0, 0, -1, 0, 0, 0]);
  let last = length(hand.twist, 0);
  for (let tick = 1; tick <= 50; tick++) {
    hand.age_s = 0.1 + tick / 1000;
    hand.shape(PERIOD_s, IDENTITY, 0);
    const speed = length(hand.twist, 0);
    assert.ok(speed < last);
    last = speed;
  }
  assert.equal(last, 0); // 100 ms to stale and 50 ms of ramp: 150 ms after the last valid frame
});

test('input that was stale before the deadman was ever pressed commands nothing', () => {
  const hand = new HandController();
  hand.axes.fill(1);
  hand.deadman = 1;
  hand.shape(PERIOD_s, IDENTITY, 0);
  assert.deepEqual([...hand.twist], [0, 0, 0, 0, 0, 0]);
});

test('neutral says whether every axis is inside its dead-band', () => {
  assert.equal(fly([0.05, -0.05, 0, 0, 0, 0.04]).neutral, 1);
  assert.equal(fly([0, 0, 0, 0, 0, 0.051]).neutral, 0);
});
