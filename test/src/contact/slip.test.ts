/** A sliding elastic point: its friction has the size asked for and is against its slip, whatever its compliance in the two directions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opposeSlip } from '../../../src/contact/elastic/slip.ts';
import { Random } from '../../../src/math/random.ts';

const DRAWS = 2000;

test('|f| = m and A (f − t) = −λ f with λ >= 0, for stiffnesses that differ by up to 1e4 between directions', () => {
  const random = new Random(31);
  const point = new Float64Array(5);
  for (let draw = 0; draw < DRAWS; draw++) {
    const ratio = 10 ** (4 * random.uniform());
    const turn = Math.PI * random.uniform();
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const soft = 1e-5;
    const stiff = soft / ratio;
    const [pp, pq, qq] = [
      soft * c * c + stiff * s * s,
      (soft - stiff) * c * s,
      soft * s * s + stiff * c * c,
    ];
    const [tp, tq] = [20 * random.uniform() - 10, 20 * random.uniform() - 10];
    const held = Math.hypot(tp, tq);
    const most = held * random.uniform();
    point.set([pp, pq, qq, tp, tq]);
    opposeSlip(point, most);
    const [p, q] = point.subarray(3);
    assert.ok(Math.abs(Math.hypot(p, q) - most) <= 1e-14 * held, `${draw}`);
    const slip = [pp * (p - tp) + pq * (q - tq), pq * (p - tp) + qq * (q - tq)];
    // the method ends at 1e-12 of the force, and det A has lost four digits at most
    const rounding = 3e-12 * soft * held;
    assert.ok(Math.abs(slip[0] * q - slip[1] * p) <= most * rounding, `${draw}`);
    assert.ok(slip[0] * p + slip[1] * q <= most * rounding, `${draw}: λ < 0`);
  }
});

test('without friction no force is left, and the force that holds stays where it is the limit', () => {
  const point = Float64Array.of(1e-5, 2e-6, 1e-6, 3, -4);
  opposeSlip(point, 5);
  assert.deepEqual([...point.subarray(3)], [3, -4]);
  opposeSlip(point, 0);
  assert.ok(Math.hypot(point[3], point[4]) === 0);
});
