/** Intervals hold the truth as often as they say: 500 seeded benches each. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifyBreakaway } from '../../../src/identify/breakaway.ts';
import { identifyPreSliding } from '../../../src/identify/pre-sliding.ts';
import { identifyRingDown } from '../../../src/identify/ring-down.ts';
import { identify } from '../../../src/identify/estimate.ts';
import { Random } from '../../../src/math/random.ts';

const SEEDS = 500;
const ROWS = 80;
const TRUTH = [2.5413e8, 1e-6];
/** Force on the half-sphere at z with the plate at `height`, N. */
const force = (z: number, values: ArrayLike<number>): number => {
  const [k, height] = [values[0], values[1]];
  const depth = Math.max(0, height - z);
  return k * depth * Math.sqrt(depth);
};

for (const robust of [false, true]) {
  test(`95 % intervals hold the truth in 93 to 97 % of ${SEEDS} benches, ${robust ? 'Huber' : 'squares'}`, (t) => {
    const hits = [0, 0];
    for (let seed = 0; seed < SEEDS; seed++) {
      const random = new Random(1000 + seed);
      const z = Array.from({ length: ROWS }, (_, i) => 5e-6 - (30e-6 * i) / ROWS);
      const measured = z.map((at) => force(at, TRUTH) + random.gaussian());
      const { estimates } = identify({
        parameters: [
          { name: 'k', unit: 'N/m^1.5', start: 1e8, low: 1e6, high: 1e10, logarithmic: true },
          { name: 'height', unit: 'm', start: 0, low: -1e-4, high: 1e-4, logarithmic: false },
        ],
        rows: ROWS,
        residuals: (values, out) => {
          for (let i = 0; i < ROWS; i++) out[i] = measured[i] - force(z[i], values);
        },
        robust,
        confidence: 0.95,
      });
      for (const [j, { low, high }] of estimates.entries())
        if (low <= TRUTH[j] && TRUTH[j] <= high) hits[j]++;
    }
    t.diagnostic(`k ${hits[0] / SEEDS}, height ${hits[1] / SEEDS}`);
    // binomial standard deviation of 500 at 95 %: 1 %
    for (const hit of hits) assert.ok(hit >= 0.93 * SEEDS && hit <= 0.97 * SEEDS, hits.join(' '));
  });
}

test(`breakaways: 95 % intervals hold the truth in 93 to 97 % of ${SEEDS} benches`, (t) => {
  const [coulomb, rise, time] = [0.1, 0.06, 0.4];
  const rests = [0.1, 0.15, 0.25, 0.35, 0.55, 0.85, 1.25, 2];
  const dwell = Float64Array.from([...rests, ...rests, ...rests]);
  const hits = [0, 0, 0];
  for (let seed = 0; seed < SEEDS; seed++) {
    const random = new Random(3000 + seed);
    const force = dwell.map(() => 400);
    const friction = dwell.map(
      (rest) => 400 * (coulomb + rise * (1 - Math.exp(-rest / time))) + random.gaussian(),
    );
    const { estimates } = identifyBreakaway({ dwell, force, friction }, 0.95).identification;
    for (const [j, truth] of [coulomb, rise, time].entries())
      if (estimates[j].low <= truth && truth <= estimates[j].high) hits[j]++;
  }
  t.diagnostic(hits.map((hit) => hit / SEEDS).join(' '));

  for (const hit of hits) assert.ok(hit >= 0.93 * SEEDS && hit <= 0.97 * SEEDS, hits.join(' '));
});

test(`ring-downs: 95 % intervals hold the truth in 93 to 97 % of ${SEEDS} benches`, (t) => {
  // ω 200 rad/s and ζ 0.1 at 10 m/s²
  const truth = [4000, 4];
  const time = Float64Array.from({ length: 200 }, (_, i) => i / 1000);
  const hits = [0, 0];
  for (let seed = 0; seed < SEEDS; seed++) {
    const random = new Random(5000 + seed);
    const travel = time.map(
      (at) =>
        5e-6 * Math.exp(-20 * at) * Math.cos(200 * Math.sqrt(0.99) * at) + 3e-7 * random.gaussian(),
    );
    const choice = { loadPerMass: 10, confidence: 0.95 };
    const { estimates } = identifyRingDown({ time, travel }, choice).identification;
    for (const [j, value] of truth.entries())
      if (estimates[j].low <= value && value <= estimates[j].high) hits[j]++;
  }
  t.diagnostic(hits.map((hit) => hit / SEEDS).join(' '));
  for (const hit of hits) assert.ok(hit >= 0.93 * SEEDS && hit <= 0.97 * SEEDS, hits.join(' '));
});

test(`pushes that stick: 95 % intervals hold the truth in 93 to 97 % of ${SEEDS} benches`, (t) => {
  const stiffness = 8000;
  const way = Float64Array.from({ length: 1500 }, (_, i) => 1e-5 * Math.sin(i / 200));
  let hits = 0;
  for (let seed = 0; seed < SEEDS; seed++) {
    const random = new Random(7000 + seed);
    const travel = way.map((x) => x + 5e-8 * random.gaussian());
    const force = way.map(() => 400 + 0.2 * random.gaussian());
    const friction = way.map((x) => 400 * stiffness * x + random.gaussian());
    const { estimates } = identifyPreSliding({ travel, force, friction }, 0.95).identification;
    if (estimates[0].low <= stiffness && stiffness <= estimates[0].high) hits++;
  }
  t.diagnostic(`${hits / SEEDS}`);
  assert.ok(hits >= 0.93 * SEEDS && hits <= 0.97 * SEEDS, `${hits}`);
});
