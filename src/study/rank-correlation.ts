/** How a quantity goes with a dispersion in any sample: the correlation of their ranks. */
import { expect } from '../base/parameter-checks.ts';
import { log } from '../math/elementary/logarithm.ts';
import { tanh } from '../math/elementary/hyperbolic.ts';
import type { Figure } from './intervals.ts';
import { normalQuantile } from './normal.ts';

/** Ranks from 1; equal values share the mean of theirs. */
function ranks(values: Float64Array): Float64Array {
  const order = Uint32Array.from(values.keys()).sort((a, b) => values[a] - values[b]);
  const result = new Float64Array(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && values[order[to]] === values[order[from]]) to++;
    for (let k = from; k < to; k++) result[order[k]] = (from + to + 1) / 2;
    from = to;
  }
  return result;
}

/**
 * Spearman's correlation of the ranks of n pairs, with the interval of Bonett and Wright (2000), Psychometrika 65(1): artanh r ± z √((1 + r²/2)/(n − 3)).
 * The interval is for pairs that are independent. Null when one side is constant or there are fewer than four pairs.
 */
export function rankCorrelation(
  x: Float64Array,
  y: Float64Array,
  confidence: number,
): Figure | null {
  expect('y', y.length, y.length === x.length, `to have ${x.length} values, as x has`);
  const n = x.length;
  if (n < 4) return null;
  const [a, b] = [ranks(x), ranks(y)];
  const middle = (n + 1) / 2;
  let [aa, bb, ab] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [u, v] = [a[i] - middle, b[i] - middle];
    aa += u * u;
    bb += v * v;
    ab += u * v;
  }
  if (aa === 0 || bb === 0) return null;
  const value = Math.max(-1, Math.min(1, ab / Math.sqrt(aa * bb)));
  if (Math.abs(value) === 1) return { value, low: value, high: value };
  const middleScore = 0.5 * log((1 + value) / (1 - value));
  const half =
    normalQuantile((1 + confidence) / 2) * Math.sqrt((1 + 0.5 * value * value) / (n - 3));
  return { value, low: tanh(middleScore - half), high: tanh(middleScore + half) };
}
