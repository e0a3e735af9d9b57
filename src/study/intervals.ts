/** Intervals of rates and of quantiles that hold for every distribution, and how many runs they take. */
import { range } from '../base/parameter-checks.ts';
import { log } from '../math/elementary/logarithm.ts';
import { betaQuantile, incompleteBeta } from './incomplete-beta.ts';

/** Ends of an interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

const share = (field: string, value: number): void =>
  range(field, value, value > 0 && value < 1, 'to be between 0 and 1');

/**
 * Interval of a rate after `hits` of `runs`, which holds the rate with `confidence` at least (Clopper and Pearson 1934, Biometrika 26).
 * @throws BerthError for numbers of hits that runs cannot have
 */
export function rateInterval(hits: number, runs: number, confidence: number): Interval {
  range('runs', runs, Number.isInteger(runs) && runs > 0, 'to be a whole number > 0');
  range('hits', hits, Number.isInteger(hits) && hits >= 0 && hits <= runs, 'to be 0 to runs');
  share('confidence', confidence);
  const tail = (1 - confidence) / 2;
  return {
    low: hits === 0 ? 0 : betaQuantile(hits, runs - hits + 1, tail),
    high: hits === runs ? 1 : betaQuantile(hits + 1, runs - hits, 1 - tail),
  };
}

/**
 * Interval of the quantile q of a sorted sample by its order statistics: the ranks r < s with P(x_(r) ≤ quantile ≤ x_(s)) ≥ confidence, each tail
 * at most half of the rest (David and Nagaraja 2003, 7.1). An end for which the sample is too small is infinite.
 */
export function quantileInterval(sorted: Float64Array, q: number, confidence: number): Interval {
  share('q', q);
  share('confidence', confidence);
  const n = sorted.length;
  const tail = (1 - confidence) / 2;
  /** Most k for which at least k of n lie below the quantile with a probability of `level`: that is I_q(k, n − k + 1). */
  const most = (level: number): number => {
    let low = 0;
    let high = n + 1;
    while (high - low > 1) {
      const k = (low + high) >> 1;
      if (incompleteBeta(k, n - k + 1, q) >= level) low = k;
      else high = k;
    }
    return low;
  };
  const r = most(1 - tail);
  const s = most(tail) + 1;
  return { low: r < 1 ? -Infinity : sorted[r - 1], high: s > n ? Infinity : sorted[s - 1] };
}

/**
 * Fewest runs whose largest value is above the quantile `coverage` with `confidence` (Wilks 1941, Ann. Math. Statist. 12): 59 for 95 % and 95 %.
 */
export function runsForTolerance(coverage: number, confidence: number): number {
  share('coverage', coverage);
  share('confidence', confidence);
  return Math.ceil(log(1 - confidence) / log(coverage));
}
