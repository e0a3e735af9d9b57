/** Intervals of rates and of quantiles that hold for every distribution, and how many runs they take. */
import { range } from '../base/parameter-checks.ts';
import { log } from '../math/elementary/logarithm.ts';
import { betaQuantile, incompleteBeta } from './incomplete-beta.ts';

/** Ends of an interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A figure with the interval that holds it. */
export interface Figure extends Interval {
  readonly value: number;
}

const share = (field: string, value: number): void =>
  range(field, value, value > 0 && value < 1, 'to be between 0 and 1');

/**
 * Interval of the mean of independent values by Student's distribution (Student 1908): mean ± t √(s²/n). Exact for normal values, right for many of any
 * kind; infinite for one. t follows from t²/(ν + t²), which has a beta distribution with 1/2 and ν/2, ν = n − 1.
 */
export function meanInterval(values: Float64Array, confidence: number): Figure {
  share('confidence', confidence);
  const n = values.length;
  range('values', n, n > 0, 'to have one value at least');
  let sum = 0;
  for (const value of values) sum += value;
  const value = sum / n;
  if (n === 1) return { value, low: -Infinity, high: Infinity };
  let square = 0;
  for (const each of values) square += (each - value) * (each - value);
  const x = betaQuantile(0.5, (n - 1) / 2, confidence);
  const half = Math.sqrt(((x / (1 - x)) * square) / n);
  return { value, low: value - half, high: value + half };
}

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

/**
 * What a part of `coverage` of all runs stays below (high), and what it stays above (low), each with `confidence`: the least order statistic that is
 * beyond the quantile (Wilks 1941; of 59 runs the largest for 95 % and 95 %, of 93 the second largest). For independent runs; infinite for too few.
 */
export function toleranceLimits(
  sorted: Float64Array,
  coverage: number,
  confidence: number,
): Interval {
  share('coverage', coverage);
  range('confidence', confidence, confidence > 0.5 && confidence < 1, 'to be between 0.5 and 1');
  const twoSided = 2 * confidence - 1;
  return {
    low: quantileInterval(sorted, 1 - coverage, twoSided).low,
    high: quantileInterval(sorted, coverage, twoSided).high,
  };
}

/**
 * Half the height of a band about the empirical distribution of n independent runs that holds the whole true one with `confidence`:
 * √(ln(2/α)/(2 n)) (Dvoretzky, Kiefer and Wolfowitz 1956, with the constant of Massart 1990).
 */
export function distributionBand(n: number, confidence: number): number {
  range('n', n, Number.isInteger(n) && n > 0, 'to be a whole number > 0');
  share('confidence', confidence);
  return Math.sqrt(log(2 / (1 - confidence)) / (2 * n));
}

/** The interval between the percentiles of resamples that hold `confidence` of them (Efron 1979). Sorts them. */
export function percentiles(resamples: Float64Array, confidence: number): Interval {
  share('confidence', confidence);
  resamples.sort();
  const tail = (1 - confidence) / 2;
  const place = (p: number): number =>
    Math.min(resamples.length - 1, Math.floor(p * resamples.length));
  return { low: resamples[place(tail)], high: resamples[place(1 - tail)] };
}
