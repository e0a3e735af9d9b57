/**
 * The least of several minima: Levenberg–Marquardt from the given start and from points that a seed spreads over the bounds, and where fewer than two of
 * them agree on it, an evolution strategy from there and Levenberg–Marquardt from what it finds.
 *
 * Another minimum takes the place of the first one where twice its loss is less by ten times the variance of a residual, which noise brings about once in six
 * hundred times: below that, the given start is the better choice.
 */
import { Random } from '../math/random.ts';
import { evolve } from './evolution.ts';
import {
  type LeastSquares,
  lossOf,
  type Minimum,
  minimize,
  thresholdOf,
} from './levenberg-marquardt.ts';

/** A minimum and how it was found. */
export interface Found {
  readonly minimum: Minimum;
  /** Starts, and the searches that came to this minimum, the evolution strategy among them. */
  readonly starts: number;
  readonly agreeing: number;
  /** Whether it took the evolution strategy. */
  readonly evolved: boolean;
}

/** Relative difference of the loss below which two minima are one. */
const SAME = 1e-6;
const SEED = 1;
/** Twice the difference of two losses over the variance of a residual, from which on one is better than the other, and largest share of a loss. */
const BETTER = 10;
const MOST_BETTER = 0.9;

/** Searches from `further` starts beside the given one. */
export function search(problem: LeastSquares, further: number): Found {
  const first = minimize(problem);
  if (further === 0) return { minimum: first, starts: 1, agreeing: 1, evolved: false };
  const { low, high, columns, robust } = problem;
  const random = new Random(SEED);
  const minima = [first];
  // a hypercube: each coordinate has a start in each of as many parts of its range
  const parts = Array.from({ length: columns }, () => shuffled(further, random));
  for (let k = 0; k < further; k++) {
    const start = low.map(
      (from, j) => from + ((parts[j][k] + random.uniform()) / further) * (high[j] - from),
    );
    minima.push(minimize({ ...problem, start }));
  }
  // one threshold for all, or a bad fit would call its errors outliers
  const threshold = robust ? Math.min(...minima.map(({ residuals }) => thresholdOf(residuals))) : 0;
  const loss = ({ residuals }: Pick<Minimum, 'residuals'>): number => lossOf(residuals, threshold);
  const gain = Math.min(MOST_BETTER, BETTER / Math.max(1, problem.rows - columns));
  const better = (one: Minimum, than: Minimum): boolean => loss(one) < (1 - gain) * loss(than);
  const least = minima.reduce((a, b) => (loss(b) < loss(a) ? b : a));
  const minimum = better(least, first) ? least : first;
  const starts = minima.length;
  const same = (one: Minimum): boolean =>
    Math.abs(loss(one) - loss(minimum)) <= SAME * loss(minimum);
  const agreeing = minima.filter(same).length;
  if (agreeing > 1) return { minimum, starts, agreeing, evolved: false };
  const residuals = new Float64Array(problem.rows);
  const of = (x: Float64Array): number => {
    problem.residuals(x, residuals);
    return loss({ residuals });
  };
  const polished = minimize({ ...problem, start: evolve(minimum.x, low, high, of, SEED) });
  const evolved = better(polished, minimum);
  return evolved
    ? { minimum: polished, starts, agreeing: 0, evolved }
    : { minimum, starts, agreeing: agreeing + (same(polished) ? 1 : 0), evolved };
}

/** 0 to n − 1 in an order by chance. */
function shuffled(n: number, random: Random): number[] {
  const order = Array.from({ length: n }, (_, k) => k);
  for (let k = n - 1; k > 0; k--) {
    const other = Math.floor(random.uniform() * (k + 1));
    [order[k], order[other]] = [order[other], order[k]];
  }
  return order;
}
