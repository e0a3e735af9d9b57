/** Which dispersion matters: indices of Sobol' from pairs of samples. */
import { expect, range } from '../base/parameter-checks.ts';
import { Random } from '../math/random.ts';
import type { Design } from './designs.ts';
import { type Interval, percentiles } from './intervals.ts';

/** Shares of the variance that one dispersion explains alone, and with all others that it acts with. */
export interface SobolIndex {
  readonly first: number;
  readonly total: number;
  readonly firstInterval: Interval;
  readonly totalInterval: Interval;
}

/**
 * Points for the indices, (d + 2) n × d: samples A and B from a design of 2 d dimensions, then for each i the sample A with column i of B
 * (Saltelli et al. 2010, Comput. Phys. Commun. 181).
 */
export function saltelliDesign(pairs: Design): Design {
  const { count: n, dimensions } = pairs;
  range('dimensions', dimensions, dimensions % 2 === 0, 'to be even');
  const d = dimensions / 2;
  const points = new Float64Array((d + 2) * n * d);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < d; j++) {
      const a = pairs.points[dimensions * i + j];
      const b = pairs.points[dimensions * i + d + j];
      points[d * i + j] = a;
      points[d * (n + i) + j] = b;
      for (let k = 0; k < d; k++) points[d * ((2 + k) * n + i) + j] = k === j ? b : a;
    }
  }
  return { count: (d + 2) * n, dimensions: d, points };
}

/** First order by Saltelli et al. (2010), table 2 (b), total by Jansen (1999), (f), over the rows `chosen` of the pairs. */
function estimate(
  values: Float64Array,
  n: number,
  d: number,
  chosen: Uint32Array,
): { first: Float64Array; total: Float64Array } {
  let sum = 0;
  let square = 0;
  for (const i of chosen) {
    // about the first value: differences of large numbers would lose the variance
    const a = values[i] - values[0];
    const b = values[n + i] - values[0];
    sum += a + b;
    square += a * a + b * b;
  }
  const m = 2 * chosen.length;
  const variance = (square - (sum * sum) / m) / (m - 1);
  const first = new Float64Array(d);
  const total = new Float64Array(d);
  const mean = sum / m + values[0];
  for (let k = 0; k < d; k++) {
    for (const i of chosen) {
      const a = values[i];
      const exchanged = values[(2 + k) * n + i];
      first[k] += (values[n + i] - mean) * (exchanged - a);
      total[k] += (a - exchanged) * (a - exchanged);
    }
    // a resample of equal values has no variance to share
    if (!(variance > 0)) continue;
    first[k] /= chosen.length * variance;
    total[k] /= 2 * chosen.length * variance;
  }
  return { first, total };
}

/**
 * Indices of each dispersion from the values at the points of `saltelliDesign`, in its order, with percentile intervals of a bootstrap over the
 * pairs. @throws BerthError when the values are not (d + 2) n finite numbers that differ
 */
export function sobolIndices(
  values: Float64Array,
  d: number,
  resamples: number,
  confidence: number,
  seed: number,
): SobolIndex[] {
  const n = values.length / (d + 2);
  expect('values', values.length, Number.isInteger(n) && n > 1, `to be (${d} + 2) n values, n > 1`);
  const at = values.findIndex((value) => !Number.isFinite(value));
  expect(`values[${at}]`, values[at], at < 0, 'to be finite');
  expect(
    'values',
    values[0],
    values.some((value) => value !== values[0]),
    'to differ: a constant has no variance to share',
  );
  const all = estimate(
    values,
    n,
    d,
    Uint32Array.from({ length: n }, (_, i) => i),
  );
  const random = new Random(seed);
  const firsts = Array.from({ length: d }, () => new Float64Array(resamples));
  const totals = Array.from({ length: d }, () => new Float64Array(resamples));
  const chosen = new Uint32Array(n);
  for (let r = 0; r < resamples; r++) {
    for (let i = 0; i < n; i++) chosen[i] = Math.floor(random.uniform() * n);
    const { first, total } = estimate(values, n, d, chosen);
    for (let k = 0; k < d; k++) {
      firsts[k][r] = first[k];
      totals[k][r] = total[k];
    }
  }
  return firsts.map((samples, k) => ({
    first: all.first[k],
    total: all.total[k],
    firstInterval: percentiles(samples, confidence),
    totalInterval: percentiles(totals[k], confidence),
  }));
}
