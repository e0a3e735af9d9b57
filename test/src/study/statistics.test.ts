/** Distributions, intervals and indices against closed forms, printed tables and counted coverage. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { morrisDesign, sobolDesign } from '../../../src/study/designs.ts';
import { checkDistribution, quantile } from '../../../src/study/distribution.ts';
import { betaQuantile, incompleteBeta, logGamma } from '../../../src/study/incomplete-beta.ts';
import {
  distributionBand,
  meanInterval,
  quantileInterval,
  rateInterval,
  runsForTolerance,
  toleranceLimits,
} from '../../../src/study/intervals.ts';
import { morrisEffects } from '../../../src/study/morris-effects.ts';
import { normalProbability, normalQuantile } from '../../../src/study/normal.ts';
import { rankCorrelation } from '../../../src/study/rank-correlation.ts';
import { saltelliDesign, sobolIndices } from '../../../src/study/sobol-indices.ts';
import { ishigami, ishigamiIndices } from '../../../server/validation/cases/study-statistics.ts';

const near = (value: number, wanted: number, tolerance: number): void =>
  assert.ok(Math.abs(value - wanted) <= tolerance, `${value}, wanted ${wanted} ± ${tolerance}`);

test('normal: quantiles of tables, and the inverse of the probability', () => {
  near(normalQuantile(0.975), 1.959963984540054, 1e-14);
  near(normalQuantile(0.3), -0.5244005127080407, 1e-15);
  near(normalQuantile(1e-20), -9.262340089798408, 1e-13);
  assert.equal(normalQuantile(0.5), 0);
  assert.deepEqual([normalQuantile(0), normalQuantile(1)], [-Infinity, Infinity]);
  for (let z = -5; z <= 5; z += 0.37) near(normalQuantile(normalProbability(z)), z, 1e-9);
});

test('quantile functions: ends, middle, cut tails, choices', () => {
  assert.equal(quantile({ kind: 'uniform', low: 2, high: 4 }, 0.25), 2.5);
  near(quantile({ kind: 'log-uniform', low: 1e-3, high: 1e3 }, 0.5), 1, 1e-15);
  near(
    quantile({ kind: 'normal', mean: 1, deviation: 2 }, 0.975),
    1 + 2 * 1.959963984540054,
    1e-13,
  );
  // cut at one deviation on both sides: half of the middle 68 % lies below the mean
  const cut = { kind: 'normal', mean: 0, deviation: 1, low: -1, high: 1 } as const;
  near(quantile(cut, 0.5), 0, 1e-15);
  assert.deepEqual(
    [0, 1].map((u) => quantile(cut, u)),
    [-1, 1],
  );
  assert.deepEqual(
    [0, 0.34, 1].map((u) => quantile({ kind: 'choice', count: 3 }, u)),
    [0, 1, 2],
  );
  assert.throws(
    () => checkDistribution('d[0]', { kind: 'uniform', low: 1, high: 1 }),
    /d\[0\][.]high/,
  );
  assert.throws(
    () => checkDistribution('d[0]', { kind: 'log-uniform', low: 0, high: 1 }),
    /d\[0\][.]low/,
  );
  assert.throws(
    () => checkDistribution('d[0]', { kind: 'normal', mean: 0, deviation: 1, low: 20, high: 21 }),
    /d\[0\].*between low and high/,
  );
});

test('incomplete beta: closed forms and its inverse', () => {
  near(logGamma(0.5), 0.5723649429247001, 1e-14);
  near(logGamma(101), 363.73937555556349, 1e-10);
  // I_x(a, 1) = x^a, I_x(1, b) = 1 − (1 − x)^b, I_x(2, 2) = x² (3 − 2 x)
  for (const x of [1e-6, 0.1, 0.5, 0.93]) {
    near(incompleteBeta(5, 1, x), x ** 5, 1e-13);
    near(incompleteBeta(1, 7, x), 1 - (1 - x) ** 7, 1e-13);
    near(incompleteBeta(2, 2, x), x * x * (3 - 2 * x), 1e-13);
    // further up the probability is 1 but for its last digits, and has no inverse
    if (x < 0.2) near(betaQuantile(3.5, 40, incompleteBeta(3.5, 40, x)), x, 1e-10);
  }
});

test('rates: closed ends, the sum of the binomial, and coverage', () => {
  // without a hit the upper end is 1 − (α/2)^(1/n)
  near(rateInterval(0, 59, 0.95).high, 1 - 0.025 ** (1 / 59), 1e-12);
  assert.equal(rateInterval(0, 59, 0.95).low, 0);
  assert.equal(rateInterval(10, 10, 0.95).high, 1);
  // P(X ≥ 3 | p = low) = P(X ≤ 3 | p = high) = α/2
  const tail = (p: number, from: number, to: number): number => {
    let [sum, choose] = [0, 1];
    for (let k = 0; k <= 20; k++) {
      if (k >= from && k <= to) sum += choose * p ** k * (1 - p) ** (20 - k);
      choose *= (20 - k) / (k + 1);
    }
    return sum;
  };
  const { low, high } = rateInterval(3, 20, 0.95);
  near(tail(low, 3, 20), 0.025, 1e-12);
  near(tail(high, 0, 3), 0.025, 1e-12);
  assert.throws(() => rateInterval(4, 3, 0.95), /hits/);
});

test('quantiles by order statistics hold for any distribution; Wilks: 59 runs for 95/95', () => {
  assert.deepEqual(
    [runsForTolerance(0.95, 0.95), runsForTolerance(0.99, 0.95), runsForTolerance(0.9, 0.9)],
    [59, 299, 22],
  );
  const random = new Random(11);
  const hits = { median: 0, high: 0 };
  const samples = 2000;
  for (let k = 0; k < samples; k++) {
    const sorted = Float64Array.from({ length: 120 }, () => random.uniform()).sort();
    const median = quantileInterval(sorted, 0.5, 0.95);
    const high = quantileInterval(sorted, 0.9, 0.95);
    if (median.low <= 0.5 && median.high >= 0.5) hits.median++;
    if (high.low <= 0.9 && high.high >= 0.9) hits.high++;
  }
  // at least 95 %, by the steps of the binomial up to 97.5 %; three deviations of the count are 1.5 %
  for (const count of [hits.median, hits.high]) {
    assert.ok(count / samples > 0.935 && count / samples < 0.99, `${count}`);
  }
  // three runs do not bound the 99th percentile from above
  assert.equal(quantileInterval(Float64Array.of(1, 2, 3), 0.99, 0.95).high, Infinity);
});

test('tolerance limits: the printed orders of Wilks, and coverage', () => {
  // 58 runs are too few; of 59 the extremes, of 93 the second, of 124 the third (Wilks 1941; Guba, Makai and Pal 2003, table 1)
  const whole = (n: number): Float64Array => Float64Array.from({ length: n }, (_, i) => i + 1);
  const limits = (n: number): number[] => {
    const { low, high } = toleranceLimits(whole(n), 0.95, 0.95);
    return [low, high];
  };
  assert.deepEqual(limits(58), [-Infinity, Infinity]);
  assert.deepEqual(limits(59), [1, 59]);
  assert.deepEqual(limits(92), [1, 92]);
  assert.deepEqual(limits(93), [2, 92]);
  assert.deepEqual(limits(123), [2, 122]);
  assert.deepEqual(limits(124), [3, 122]);
  assert.throws(() => toleranceLimits(whole(9), 0.95, 0.5), /confidence/);
});

test('means by Student: a quantile of the table, and coverage of 95 % over 2,000 seeds', () => {
  // 0, 1: mean 1/2, s² = 1/2; t for 1 degree of freedom is 12.7062, half = t √(1/4)
  near(meanInterval(Float64Array.of(0, 1), 0.95).high, 0.5 + 12.706204736432095 / 2, 1e-9);
  // nine degrees: t = 2.2621571628 with s = 1 over √10
  const ten = Float64Array.of(-1.5, -1.5, -1, -1, 0, 0, 1, 1, 1.5, 1.5);
  const square = ten.reduce((sum, each) => sum + each * each, 0) / 9 / 10;
  near(meanInterval(ten, 0.95).high, 2.2621571627409915 * Math.sqrt(square), 1e-9);
  assert.deepEqual(meanInterval(Float64Array.of(3), 0.95), {
    value: 3,
    low: -Infinity,
    high: Infinity,
  });
  const random = new Random(77);
  const samples = 2000;
  let hits = 0;
  for (let k = 0; k < samples; k++) {
    const values = Float64Array.from({ length: 8 }, () => normalQuantile(random.uniform() || 0.5));
    const { low, high } = meanInterval(values, 0.95);
    if (low <= 0 && high >= 0) hits++;
  }
  // three deviations of the count are 1.5 %
  near(hits / samples, 0.95, 0.015);
});

test('the band about a distribution holds all of it as often as it says', () => {
  // the printed quantile 1.358/√n of Kolmogorov is that of many
  near(distributionBand(1_000_000, 0.95) * 1000, 1.3581, 1e-4);
  const random = new Random(5);
  const [n, samples] = [50, 2000];
  const half = distributionBand(n, 0.95);
  let hits = 0;
  for (let k = 0; k < samples; k++) {
    const sorted = Float64Array.from({ length: n }, () => random.uniform()).sort();
    if (sorted.every((u, i) => u <= i / n + half && u >= (i + 1) / n - half)) hits++;
  }
  // at least 95 %, and little more: Kolmogorov's quantile of 50 is 0.1884, the half is 0.1921; three deviations of the count are 1.5 %
  assert.ok(hits / samples > 0.935 && hits / samples < 0.975, `${hits}`);
});

test('rank correlation: a printed example, ties, and coverage', () => {
  // ten pairs with Σ d² = 194: ρ = 1 − 6·194/990
  const [x, y] = [
    Float64Array.of(106, 86, 100, 101, 99, 103, 97, 113, 112, 110),
    Float64Array.of(7, 0, 27, 50, 28, 29, 20, 12, 6, 17),
  ];
  near(rankCorrelation(x, y, 0.95)?.value ?? NaN, 1 - (6 * 194) / 990, 1e-14);
  // a tie has the mean rank: (1.5, 1.5, 3, 4) against (1, 2, 3, 4)
  near(
    rankCorrelation(Float64Array.of(1, 1, 2, 3), Float64Array.of(1, 2, 3, 4), 0.95)?.value ?? NaN,
    4.5 / Math.sqrt(4.5 * 5),
    1e-14,
  );
  assert.equal(rankCorrelation(new Float64Array(5), new Float64Array(5), 0.95), null);
  assert.equal(
    rankCorrelation(
      x,
      x.map((each) => -each),
      0.95,
    )?.high,
    -1,
  );
  // normal pairs of correlation r have the rank correlation 6/π asin(r/2) (Pearson 1907)
  const random = new Random(19);
  const draw = (): number => normalQuantile(random.uniform() || 0.5);
  const r = 0.6;
  const truth = (6 / Math.PI) * Math.asin(r / 2);
  const samples = 1000;
  let hits = 0;
  for (let k = 0; k < samples; k++) {
    const a = Float64Array.from({ length: 60 }, draw);
    const b = a.map((each) => r * each + Math.sqrt(1 - r * r) * draw());
    const found = rankCorrelation(a, b, 0.95);
    if (found !== null && found.low <= truth && found.high >= truth) hits++;
  }
  // an approximation of the variance: within 2 % of what it says
  near(hits / samples, 0.95, 0.02);
});

test('indices of Ishigami: the closed form, and its intervals hold it', () => {
  const { first, total } = ishigamiIndices();
  const { count, points } = saltelliDesign(sobolDesign(4096, 6, 2026));
  const values = Float64Array.from({ length: count }, (_, i) => ishigami(points, 3 * i));
  const indices = sobolIndices(values, 3, 200, 0.99, 1);
  indices.forEach((index, k) => {
    // with 4096 pairs a deviation is some 0.01 by random points; nets are better
    near(index.first, first[k], 0.02);
    near(index.total, total[k], 0.02);
    assert.ok(index.firstInterval.low <= first[k] && first[k] <= index.firstInterval.high, `${k}`);
    assert.ok(index.totalInterval.low <= total[k] && total[k] <= index.totalInterval.high, `${k}`);
  });
});

test('Morris: a plane has its slopes and no spread, a product has spread', () => {
  const design = morrisDesign(12, 3, 4, 3);
  const at = (i: number, j: number): number => design.points[3 * i + j];
  const values = Float64Array.from({ length: design.count }, (_, i) => 2 * at(i, 0) - 5 * at(i, 1));
  const effects = morrisEffects(design, values, 200, 0.95, 1);
  [2, -5, 0].forEach((slope, j) => {
    near(effects[j].mean, slope, 1e-12);
    near(effects[j].meanSize, Math.abs(slope), 1e-12);
    near(effects[j].deviation, 0, 1e-12);
    near(effects[j].meanSizeInterval.high, Math.abs(slope), 1e-12);
  });
  const product = Float64Array.from({ length: design.count }, (_, i) => at(i, 0) * at(i, 2));
  assert.ok(morrisEffects(design, product, 200, 0.95, 1)[0].deviation > 0.1);
  // a trajectory that failed is left out, and only it
  values[5] = NaN;
  near(morrisEffects(design, values, 200, 0.95, 1)[1].mean, -5, 1e-12);
  assert.throws(() => morrisEffects(design, values.fill(NaN), 200, 0.95, 1), /trajectory/);
});

test('Morris: the interval of the mean size holds that of a long study', () => {
  // a product of two on four levels: an effect is the other factor, one of the levels 0, 1/3, 2/3, 1 with mean 1/2
  const samples = 300;
  let hits = 0;
  for (let seed = 1; seed <= samples; seed++) {
    const design = morrisDesign(40, 2, 4, seed);
    const values = Float64Array.from(
      { length: design.count },
      (_, i) => design.points[2 * i] * design.points[2 * i + 1],
    );
    const { low, high } = morrisEffects(design, values, 200, 0.95, seed)[0].meanSizeInterval;
    if (low <= 0.5 && high >= 0.5) hits++;
  }
  // a percentile bootstrap of 40 is a little narrow; three deviations of the count are 4 %
  near(hits / samples, 0.94, 0.04);
});

test('values that have no indices are refused by name', () => {
  assert.throws(() => sobolIndices(new Float64Array(10).fill(3), 3, 10, 0.9, 1), /values.*differ/s);
  assert.throws(
    () => sobolIndices(Float64Array.of(1, 2, 3, NaN, 5, 6, 7, 8, 9, 10), 3, 10, 0.9, 1),
    /values\[3\]/,
  );
  assert.throws(() => sobolIndices(new Float64Array(11), 3, 10, 0.9, 1), /values/);
});
