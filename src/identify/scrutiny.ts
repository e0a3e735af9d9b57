/**
 * What more is to be known of an identification.
 *
 * Profile likelihood: one parameter is held, the others are searched anew, and the interval ends where the loss has risen by t² v/2, v the variance of the
 * residuals as it enters the linear interval (Venzon and Moolgavkar 1988). Where the model bends, it is not symmetric, and holds the truth where the linear one may
 * not. With Huber's loss the rise is over the share ψ̄′ of residuals that are no outliers.
 *
 * Parts held out: the parameters are searched without one part of the data, and its residuals are then those of a prediction.
 */
import type { Identification } from './estimate.ts';
import { type LeastSquares, lossOf, minimize, thresholdOf } from './levenberg-marquardt.ts';
import { valueAt } from './parameter.ts';
import { ONE_ALONE } from './team.ts';

/** Steps to an end of an interval, and how near to the rise they have to come, as a share. */
const STEPS = 20;
const NEAR = 1e-3;

/** Profile interval of parameter j; infinite to a side on which the loss does not rise as far within the bounds. */
export function profileInterval(
  { basis, estimates }: Identification,
  j: number,
): { readonly low: number; readonly high: number } {
  const { squares, minimum, variance, quantile, error } = basis;
  const threshold = squares.robust ? thresholdOf(minimum.residuals) : 0;
  const inside = minimum.weights.filter((one) => one === 1).length / squares.rows;
  const least = lossOf(minimum.residuals, threshold);
  const { parameter } = estimates[j];
  const end = (side: number): number => {
    const bound = side < 0 ? squares.low[j] : squares.high[j];
    const start = minimum.x.slice();
    /** √ of twice the rise over the variance: about the way over the standard error. */
    const rise = (place: number): number => {
      const held = holding(squares, j, place, start, threshold);
      start.set(held.x);
      const loss = lossOf(held.residuals, threshold);
      return Math.sqrt((2 * Math.max(0, loss - least)) / (inside * variance));
    };
    let [near, far] = [minimum.x[j], bound];
    let place = near + side * quantile * error[j];
    if (!(Math.abs(place - near) > 0) || (place - bound) * side >= 0) place = bound;
    for (let n = 0; n < STEPS; n++) {
      const risen = rise(place);
      if (Math.abs(risen - quantile) <= NEAR * quantile) break;
      if (risen < quantile) {
        if (place === bound) return side * Infinity;
        near = place;
      } else far = place;
      // the rise is nearly straight; between what is known to be too near and too far
      const straight = minimum.x[j] + ((place - minimum.x[j]) * quantile) / Math.max(risen, 1e-3);
      const between = (straight - near) * (straight - far) < 0;
      place = between ? straight : far === bound && n < STEPS / 2 ? bound : 0.5 * (near + far);
    }
    return valueAt(parameter, place);
  };
  const [[low], [high]] = squares.team.arrays(2, 1, (k, out) => {
    out[0] = end(k === 0 ? -1 : 1);
  });
  return { low: parameter.logarithmic ? Math.max(0, low) : low, high };
}

/** The least loss with coordinate j held. */
function holding(
  squares: LeastSquares,
  j: number,
  place: number,
  start: Float64Array,
  threshold: number,
): { x: Float64Array; residuals: Float64Array } {
  const rest = [...start.keys()].filter((k) => k !== j);
  const pick = (of: Float64Array): Float64Array => Float64Array.from(rest, (k) => of[k]);
  const x = start.slice();
  x[j] = place;
  const residuals = (part: Float64Array, out: Float64Array): void => {
    for (const [at, k] of rest.entries()) x[k] = part[at];
    squares.residuals(x, out);
  };
  if (rest.length === 0) {
    const out = new Float64Array(squares.rows);
    residuals(new Float64Array(0), out);
    return { x, residuals: out };
  }
  const found = minimize({
    ...squares,
    columns: rest.length,
    start: pick(start),
    low: pick(squares.low),
    high: pick(squares.high),
    difference: pick(squares.difference),
    residuals,
    threshold,
    team: ONE_ALONE,
  });
  for (const [at, k] of rest.entries()) x[k] = found.x[at];
  return { x, residuals: found.residuals };
}

/** What the others predict of each part: its rows, and the rms of its residuals over the noise; 1 for a law that fits. */
export function heldOut({ basis, noise }: Identification): { rows: number; error: number }[] {
  const { squares, minimum, part } = basis;
  const of = Array.from({ length: squares.rows }, (_, row) => part(row));
  const parts = of.reduce((most, one) => Math.max(most, one), 0) + 1;
  if (parts < 2) return [];
  // the median of residuals of which a part is left out, and is 0, would be none
  const threshold = squares.robust ? thresholdOf(minimum.residuals) : 0;
  const errors = squares.team.arrays(parts, 1, (held, out) => {
    const { x } = minimize({
      ...squares,
      start: minimum.x,
      threshold,
      team: ONE_ALONE,
      residuals: (at, all) => {
        squares.residuals(at, all);
        for (let row = 0; row < squares.rows; row++) if (of[row] === held) all[row] = 0;
      },
    });
    const residuals = new Float64Array(squares.rows);
    squares.residuals(x, residuals);
    const own = residuals.filter((_, row) => of[row] === held);
    const squaresOf = own.reduce((sum, one) => sum + one * one, 0);
    out[0] = Math.sqrt(squaresOf / own.length) / (noise || 1);
  });
  return errors.map(([error], held) => ({ rows: of.filter((one) => one === held).length, error }));
}
