/** One half of a set-point with random commands: twist and pose stay together in every stop. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bound, BoundedMotion } from '../../../hil/safety/bounded-motion.ts';
import { random } from '../../fixtures/setpoint-flight.ts';

const HERE = new Float64Array(3);
const REST = new Float64Array(3);

/**
 * A model whose pose goes by a random mean of the twists at the ends of a step, with any acceleration that the limits let through.
 * @returns largest |u − v| over A h, and how many of its steps were taken over
 */
function wander(
  seed: number,
  steps: number,
  [acceleration, jerk, period]: readonly [number, number, number],
): [number, number] {
  const next = random(seed);
  const half = new BoundedMotion(null);
  half.limits[Bound.SPEED] = 0.1;
  half.limits[Bound.ACCELERATION] = acceleration;
  half.limits[Bound.JERK] = jerk;
  half.limits[Bound.PERIOD] = period;
  const { state } = half;
  const twist = new Float64Array(3);
  const rate = new Float64Array(3);
  let apart = 0;
  let taken = 0;
  const change = Math.min(0.5 * jerk * period, acceleration / 8);
  for (let step = 0; step < steps; step++) {
    for (let i = 0; i < 3; i++) {
      // each goes its own way, as far from the other as one candidate may be
      const a = (state[3 + i] ?? 0) + change * (2 * next() - 1);
      const b = (state[9 + i] ?? 0) + change * (2 * next() - 1);
      twist[i] = (state[i] ?? 0) + period * a;
      rate[i] = (state[6 + i] ?? 0) + period * b;
    }
    if (half.tryWanted(twist, 0, rate, HERE, false)) taken++;
    else if (!half.tryTowards(REST, HERE)) half.brake();
    half.accept();
    apart = Math.max(
      apart,
      Math.hypot(...[0, 1, 2].map((i) => (state[i] ?? 0) - (state[6 + i] ?? 0))) /
        (acceleration * period),
    );
  }
  return [apart, taken];
}

test('53: twist and pose are never further apart than acceleration times period, however they are asked to part', (t) => {
  let largest = 0;
  for (const bounds of [
    [5, 5000, 0.001],
    [5, 500, 0.001],
    [1, 20, 0.001],
    [5, 20_000, 0.001],
    [5, 5000, 0.01],
    [0.1, 20, 0.0005],
  ] as const) {
    for (let seed = 1; seed <= 20; seed++) {
      const [apart, taken] = wander(seed, 1000, bounds);
      assert.ok(taken > 50, `${bounds.join()}: only ${taken} steps taken over`);
      assert.ok(apart <= 1 + 1e-6, `${bounds.join()}, seed ${seed}: apart by ${apart}`);
      largest = Math.max(largest, apart);
    }
  }
  assert.ok(largest > 0.9, `${largest}: the bound was come to`);
  t.diagnostic(`acceptance 53: asked to part at random: ${largest.toFixed(4)} a h at most`);
});
