/** Subset simulation over seeds: a probability of 1e-5, known in closed form, and how often its interval holds it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalQuantile } from '../../../src/study/normal.ts';
import { SubsetSimulation } from '../../../src/study/subset-simulation.ts';

const SEEDS = 300;
const RUNS = 20_000;

/** Responses: linear in all scores, whose probability is Φ(−β) in any dimension. */
function linear(points: Float64Array, d: number, beta: number): Float64Array {
  return Float64Array.from({ length: points.length / d }, (_, i) => {
    let sum = 0;
    for (let j = 0; j < d; j++) sum += normalQuantile(points[d * i + j]);
    return sum / Math.sqrt(d) - beta;
  });
}

/** Two planes as far on either side: twice the probability, in two regions. */
const twoSided = (points: Float64Array, d: number, beta: number): Float64Array =>
  Float64Array.from(
    { length: points.length / d },
    (_, i) => Math.abs(normalQuantile(points[d * i])) - beta,
  );

const CASES = [
  { name: 'a plane, 2 dispersions', d: 2, of: linear, sides: 1, factor: 0.93, holds: 0.93 },
  { name: 'a plane, 12 dispersions', d: 12, of: linear, sides: 1, factor: 0.93, holds: 0.93 },
  // chains do not go from one region to the other: which of them has more is settled in the first levels
  { name: 'two planes, 3 dispersions', d: 3, of: twoSided, sides: 2, factor: 0.6, holds: 0.8 },
];

const truth = 1e-5;
/** Four standard deviations of a share over the seeds. */
const slack = (share: number): number => 4 * Math.sqrt((share * (1 - share)) / SEEDS);

for (const { name, d, of, sides, factor, holds } of CASES) {
  test(`${name}: 1e-5, its spread and its interval, in 20,000 runs`, (t) => {
    const beta = -normalQuantile(truth / sides);
    let within = 0;
    let held = 0;
    let sum = 0;
    let square = 0;
    let most = 0;
    let told = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const simulation = new SubsetSimulation(
        { count: 3600, dimensions: d, levels: 8, seed },
        0.95,
      );
      let runs = 0;
      while (simulation.event === null) {
        runs += simulation.pending.length / d;
        simulation.take(of(simulation.pending, d, beta));
      }
      const { value, low, high, variation } = simulation.event;
      most = Math.max(most, runs);
      if (value > truth / 1.5 && value < truth * 1.5) within++;
      if (low <= truth && truth <= high) held++;
      sum += value / truth;
      square += (value / truth) ** 2;
      told += variation / SEEDS;
    }
    const mean = sum / SEEDS;
    const spread = Math.sqrt(square / SEEDS - mean * mean);
    t.diagnostic(
      `within 1.5: ${within} of ${SEEDS}; interval held ${held}; mean ${mean.toFixed(3)}, spread ${spread.toFixed(3)}, told ${told.toFixed(3)}; runs ${most}`,
    );
    assert.ok(most <= RUNS, `${most} runs`);
    // four standard deviations of the mean, and the bias of the method, of the order of the squared variation (Au and Beck 2001, 5.2)
    assert.ok(Math.abs(mean - 1) < (4 * spread) / Math.sqrt(SEEDS) + spread * spread, `${mean}`);
    assert.ok(within >= (factor - slack(factor)) * SEEDS, `${within} within a factor of 1.5`);
    assert.ok(held >= (holds - slack(holds)) * SEEDS, `${held} intervals hold it`);
  });
}
