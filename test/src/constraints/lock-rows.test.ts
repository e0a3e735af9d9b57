/** Rows of a lock against differences of its gaps on random motions of two bodies. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LockModel, MotionLawModel } from '../../../src/model/model.ts';
import { draws, marker, MovingLock } from '../../../server/validation/constraint-motion.ts';

const SINE: MotionLawModel = {
  kind: 'sine',
  offset: 0.2,
  amplitude: 0.5,
  frequency: 0.4,
  phase: 0.7,
};

/** All seven rows, with an imposed shift and turn about the axes given. */
function fullLock(
  draw: (count: number) => number[],
  shift: 'x' | 'y' | 'z',
  turn: 'x' | 'y' | 'z',
): LockModel {
  return {
    kind: 'lock',
    name: 'full',
    first: marker(draw, 'a'),
    second: marker(draw, 'b'),
    translation: ['x', 'y', 'z'],
    rotation: ['x', 'y', 'z'],
    square: true,
    translationMotion: { axis: shift, law: SINE },
    rotationMotion: { axis: turn, law: SINE },
  };
}

const CASES = (['x', 'y', 'z'] as const).flatMap((shift, k) =>
  (['z', 'x', 'y'] as const).map((turn, j) => ({ shift, turn, seed: 1 + 3 * k + j })),
);

test('J v + c_t is the rate of the gaps, translation, rotation and Cardano (T1, T17)', () => {
  for (const { shift, turn, seed } of CASES) {
    const draw = draws(seed);
    const moving = new MovingLock(fullLock(draw, shift, turn), draw);
    const { jacobian, drift } = moving.rows();
    const h = 1e-5; // h² c‴/6 ≈ 1e-9, rounding 1e-16/h = 1e-11
    const after = moving.gaps(h);
    const before = moving.gaps(-h);
    drift.forEach((own, row) => {
      const rate = moving.velocity.reduce((sum, v, a) => sum + v * jacobian[12 * row + a], own);
      const difference = (after[row] - before[row]) / (2 * h);
      assert.ok(Math.abs(rate - difference) < 1e-7, `row ${row}: ${rate} ${difference}`);
    });
  }
});

test('J a − Q is the second rate of the gaps, every term of (8) and of the rotational rows (T2, T17)', () => {
  for (const { shift, turn, seed } of CASES) {
    const draw = draws(100 + seed);
    const moving = new MovingLock(fullLock(draw, shift, turn), draw);
    const { jacobian, curvature } = moving.rows();
    const h = 1e-4; // fourth order: h⁴ c⁽⁶⁾/90 ≈ 1e-11; rounding 1e-16/h² = 1e-8
    const [a, b, c, d, e] = [-2, -1, 0, 1, 2].map((k) => moving.gaps(k * h));
    curvature.forEach((q, row) => {
      const second = moving.acceleration.reduce(
        (sum, v, k) => sum + v * jacobian[12 * row + k],
        -q,
      );
      const difference = (-a[row] - e[row] + 16 * (b[row] + d[row]) - 30 * c[row]) / (12 * h * h);
      assert.ok(Math.abs(second - difference) < 1e-6, `row ${row}: ${second} ${difference}`);
    });
  }
});

test('with the terms of body 2 by the other sign the second rate is off by twice them (T3)', () => {
  for (const { shift, turn, seed } of CASES) {
    const draw = draws(100 + seed);
    const model = fullLock(draw, shift, turn);
    const moving = new MovingLock(model, draw);
    const { jacobian, curvature } = moving.rows();
    const { rotation } = moving.bodies[1];
    const lever = [0, 1, 2].map((a) =>
      model.second.position.reduce((sum, x, b) => sum + rotation[3 * a + b] * x, 0),
    );
    const w = moving.velocity.slice(9, 12);
    // w × (w × r) = w (w·r) − r (w·w)
    const dot = (a: readonly number[], b: readonly number[]): number =>
      a.reduce((sum, x, k) => sum + x * b[k], 0);
    const inward = lever.map((r, a) => w[a] * dot(w, lever) - r * dot(w, w));
    const h = 1e-4; // as for T2
    const [a, b, c, d, e] = [-2, -1, 0, 1, 2].map((k) => moving.gaps(k * h));
    let largest = 0;
    for (let row = 0; row < 3; row++) {
      const own = dot([...jacobian.subarray(12 * row, 12 * row + 3)], inward);
      const flipped = curvature[row] - 2 * own;
      const second = moving.acceleration.reduce(
        (sum, v, k) => sum + v * jacobian[12 * row + k],
        -flipped,
      );
      const difference = (-a[row] - e[row] + 16 * (b[row] + d[row]) - 30 * c[row]) / (12 * h * h);
      assert.ok(Math.abs(second - difference - 2 * own) < 1e-6, `row ${row}`);
      largest = Math.max(largest, Math.abs(2 * own));
    }
    assert.ok(largest > 0.01, `seed ${seed}: ${largest}`);
  }
});
