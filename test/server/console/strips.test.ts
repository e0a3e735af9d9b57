/** What the strips draw: samples relative to now, gaps where the feed was silent, stretches that were not good, calm axes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Telemetry } from '../../../server/client/messages.ts';
import { History } from '../../../server/console/history.ts';
import { axisRange, roundUp } from '../../../server/console/strips/range.ts';
import {
  fillWindow,
  GAP_S,
  makeWindow,
  qualityRuns,
} from '../../../server/console/strips/window.ts';

test('a silence of the feed ends the line and another one begins', () => {
  const time = [0, 0.1, 0.2, 1.2, 1.3];
  const window = makeWindow(2);
  fillWindow(
    window,
    time,
    [
      [1, 2, 3, 4, 5],
      [5, 4, NaN, 2, 1],
    ],
    1.5,
    10,
    [1000, 1],
  );
  assert.deepEqual(window.y[0], [1000, 2000, 3000, null, 4000, 5000]);
  assert.deepEqual(window.y[1], [5, 4, null, null, 2, 1]);
  const expected = [-1.5, -1.4, -1.3, -0.8, -0.3, -0.2];
  window.x.forEach((x, i) => assert.ok(Math.abs(x - expected[i]) < 1e-12, `${x}`));
});

test('what is older than the strip is left out, also when the window is filled again with less', () => {
  const window = makeWindow(1);
  fillWindow(window, [0, 5, 5.1, 10], [[1, 2, 3, 4]], 10, 10, [1]);
  assert.deepEqual(window.y[0], [1, null, 2, 3, null, 4]);
  fillWindow(window, [0, 5, 5.1, 10], [[1, 2, 3, 4]], 15.05, 10, [1]);
  assert.deepEqual(window.y[0], [3, null, 4]);
  assert.equal(window.x.length, 3);
  fillWindow(window, [0, 5], [[1, 2]], 100, 10, [1]);
  assert.deepEqual(window.x, []);
});

test('times rise and no line crosses a silence, whatever the feed did', () => {
  const step = fc.double({ min: 0.001, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let now = 0;
      const time = steps.map((dt) => (now += dt));
      const window = makeWindow(1);
      fillWindow(window, time, [time.map(() => 7)], now, 10, [1]);
      for (let i = 1; i < window.x.length; i++) {
        assert.ok(window.x[i] > window.x[i - 1]);
        const joined = window.y[0][i] !== null && window.y[0][i - 1] !== null;
        if (joined) assert.ok(window.x[i] - window.x[i - 1] <= GAP_S + 1e-12);
      }
    }),
    { numRuns: 200 },
  );
});

test('stretches of one quality reach to the next sample, and not over a silence', () => {
  const time = [0, 0.1, 0.2, 0.3, 2, 2.1];
  const runs = qualityRuns(time, [0, 1, 1, 3, 3, 0], 2.1, 10);
  const rounded = runs.map(({ quality, from, to }) => [quality, from.toFixed(2), to.toFixed(2)]);
  assert.deepEqual(rounded, [
    [1, '-2.00', '-1.80'],
    [3, '-1.80', '-1.80'],
    [3, '-0.10', '0.00'],
  ]);
  assert.deepEqual(qualityRuns(time, [0, 0, 0, 0, 0, 0], 2.1, 10), []);
});

test('ends of an axis are round, hold the values and never come too near to zero', () => {
  assert.deepEqual([0.3, 1, 1.01, 2, 4.2, 99, 100].map(roundUp), [0.5, 1, 2, 2, 5, 100, 100]);
  assert.deepEqual(axisRange(null, null, 2, true), [-2, 2]);
  assert.deepEqual(axisRange(-0.1, 130, 2, true), [-2, 200]);
  assert.deepEqual(axisRange(-31, -3, 2, true), [-50, 2]);
  assert.deepEqual(axisRange(0.001, 0.002, 0.1, false), [0, 0.1]);
});

/** A message with a set-point at the origin of a frame turned by `angle` about `axis`, and a measured pose turned by `own`. */
function message(setpoint: number[], measured: number[], shift_m: number): Telemetry {
  const pose = (orientation: number[], x: number) => ({
    position_m: [x, 0, 0],
    orientation,
    twist: [0, 0, 0, 0, 0, 0],
  });
  return {
    seq: 1,
    dropped: 0,
    peak: { lateness_s: 0, normal_force_N: 0 },
    state: {
      state: 'ACTIVE_FREE',
      faults: [],
      holds: [],
      setpoint: pose(setpoint, shift_m),
      measured: pose(measured, 0),
    } as unknown as NonNullable<Telemetry['state']>,
  };
}

test('the pose error is the angle of the one rotation between two poses, the shorter way round', () => {
  const unit = fc
    .tuple(...[0, 1, 2, 3].map(() => fc.double({ min: -1, max: 1, noNaN: true })))
    .filter((q) => Math.hypot(...q) > 0.1)
    .map((q) => q.map((value) => value / Math.hypot(...q)));
  const product = (a: number[], b: number[]): number[] => {
    const [ax, ay, az, aw] = a as [number, number, number, number];
    const [bx, by, bz, bw] = b as [number, number, number, number];
    return [
      aw * bx + ax * bw + ay * bz - az * by,
      aw * by - ax * bz + ay * bw + az * bx,
      aw * bz + ax * by - ay * bx + az * bw,
      aw * bw - ax * bx - ay * by - az * bz,
    ];
  };
  fc.assert(
    fc.property(
      unit,
      unit,
      fc.double({ min: -6, max: 0, noNaN: true }),
      fc.boolean(),
      (measured, axis, power, flip) => {
        const angle = 3 * 10 ** power;
        const length = Math.hypot(axis[0], axis[1], axis[2]);
        fc.pre(length > 0.1);
        const s = Math.sin(angle / 2) / length;
        const turn = [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
        const setpoint = product(measured, turn).map((value) => (flip ? -value : value));
        const history = new History();
        history.add(message(setpoint, measured, 0.003), 1, false);
        const found = history.series('angle_error_rad')[0];
        // unit quaternions and their product are right within 8 roundings; near half a turn the arc sine amplifies them
        const allowed = (16 * Number.EPSILON) / Math.cos(angle / 2);
        assert.ok(Math.abs(found - angle) < allowed, `${found} for ${angle}`);
        assert.ok(Math.abs(history.series('position_error_m')[0] - 0.003) < 1e-15);
      },
    ),
    { numRuns: 300 },
  );
});
