/** How one quantity of a study varies: its quantile function takes a number of (0, 1) to a value. */
import { expect, range } from '../base/parameter-checks.ts';
import { exp } from '../math/elementary/exponential.ts';
import { log } from '../math/elementary/logarithm.ts';
import { normalProbability, normalQuantile } from './normal.ts';

export type Distribution =
  | { readonly kind: 'uniform' | 'log-uniform'; readonly low: number; readonly high: number }
  | {
      readonly kind: 'normal';
      readonly mean: number;
      readonly deviation: number;
      /** Cut off outside, if given. */
      readonly low?: number;
      readonly high?: number;
    }
  /** One of `count`, each as likely: the value is its place, 0 … count − 1. */
  | { readonly kind: 'choice'; readonly count: number };

/** @throws BerthError naming `field` when there is nothing to draw from */
export function checkDistribution(field: string, distribution: Distribution): void {
  if (distribution.kind === 'choice') {
    const { count } = distribution;
    range(field, count, Number.isInteger(count) && count > 0, 'to have one value at least');
    return;
  }
  if (distribution.kind === 'normal') {
    const { mean, deviation, low = -Infinity, high = Infinity } = distribution;
    range(`${field}.mean`, mean, true, 'to be finite');
    range(`${field}.deviation`, deviation, deviation > 0, 'to be > 0');
    expect(`${field}.high`, high, high > low, `to be above ${field}.low`);
    const share =
      normalProbability((high - mean) / deviation) - normalProbability((low - mean) / deviation);
    expect(
      field,
      share,
      share > LEAST_SHARE,
      'to leave a part of the distribution between low and high',
    );
    return;
  }
  const { kind, low, high } = distribution;
  range(`${field}.low`, low, kind === 'uniform' || low > 0, 'to be > 0');
  range(`${field}.high`, high, high > low, `to be above ${field}.low`);
}

/** What may be left between the limits of a normal distribution: less has no digits to draw from. */
const LEAST_SHARE = 1e-9;

/** Value at the probability u. Without limits a normal one is infinite at u = 0 and 1. */
export function quantile(distribution: Distribution, u: number): number {
  switch (distribution.kind) {
    case 'uniform':
      return distribution.low + u * (distribution.high - distribution.low);
    case 'log-uniform': {
      const low = log(distribution.low);
      return exp(low + u * (log(distribution.high) - low));
    }
    case 'normal': {
      const { mean, deviation, low = -Infinity, high = Infinity } = distribution;
      const from = normalProbability((low - mean) / deviation);
      const to = normalProbability((high - mean) / deviation);
      const value = mean + deviation * normalQuantile(from + u * (to - from));
      return Math.min(high, Math.max(low, value));
    }
    case 'choice':
      return Math.min(distribution.count - 1, Math.floor(u * distribution.count));
  }
}
