/**
 * Least squares within bounds: Levenberg–Marquardt with the scaling of Marquardt (1963), (Jᵀ W J + λ D) s = −Jᵀ W r with D = diag(Jᵀ W J).
 * A step that does not lower the sum is not taken. A coordinate at a bound that the sum falls beyond is left out of the step, and a step ends
 * at bounds, as in Kanzow, Yamashita and Fukushima 2004 (projected Levenberg–Marquardt). The Jacobian is by central differences.
 *
 * Outliers: with Huber's loss (1964) the weights are w = min(1, c s/|r|), c = 1.345, s = 1.4826 median |r|, made anew at each point.
 */
import { factorCholesky, solveLower, solveLowerTransposed } from '../math/cholesky.ts';
import type { Team } from './team.ts';

/** Residuals of a model and bounds of its coordinates. */
export interface LeastSquares {
  /** Number of residuals, and of coordinates. */
  readonly rows: number;
  readonly columns: number;
  readonly start: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Steps of the differences, in coordinates. */
  readonly difference: Float64Array;
  /** out := residuals at x; one that is not finite makes x as bad as can be. */
  residuals(x: Float64Array, out: Float64Array): void;
  readonly robust: boolean;
  /** Threshold of Huber's loss where it is given; made anew at each point when left out. */
  readonly threshold?: number;
  /** Who computes the residuals of differences. */
  readonly team: Team;
}

/** What came of it. */
export interface Minimum {
  readonly x: Float64Array;
  readonly residuals: Float64Array;
  /** ∂r/∂x at x, row by row. */
  readonly jacobian: Float64Array;
  /** Weights of Huber's loss at x; all 1 without it. */
  readonly weights: Float64Array;
  /** 1 for a coordinate that ended at a bound. */
  readonly bound: Uint8Array;
  readonly iterations: number;
  readonly converged: boolean;
}

const HUBER = 1.345;
/** σ of normal values over the median of their amounts. */
const SPREAD = 1.482602218505602;
const MOST_ITERATIONS = 100;
/** Relative change of the sum, and length of a step over that of the bounds, below which the search ends. */
const SUM_CHANGE = 1e-12;
const STEP_LENGTH = 1e-10;
const FIRST_DAMPING = 1e-3;
const LEAST_DAMPING = 1e-12;
const MOST_DAMPING = 1e12;
/** Least diagonal of D as a share of its largest: a coordinate without effect then does not move. */
const LEAST_SCALE = 1e-14;
const NO_TOLERANCE = new Float64Array(1);

/** Scale of residuals by their median; 0 when half of them are 0. */
function medianScale(residuals: Float64Array): number {
  const amounts = residuals.map(Math.abs).sort();
  const n = amounts.length;
  const middle = n % 2 === 1 ? amounts[(n - 1) / 2] : 0.5 * (amounts[n / 2 - 1] + amounts[n / 2]);
  return SPREAD * middle;
}

/** Residual from which on Huber's loss grows straight. */
export const thresholdOf = (residuals: Float64Array): number => HUBER * medianScale(residuals);

function setWeights(
  residuals: Float64Array,
  { robust, threshold }: LeastSquares,
  weights: Float64Array,
): number {
  const most = robust ? (threshold ?? thresholdOf(residuals)) : 0;
  for (let i = 0; i < weights.length; i++) {
    const size = Math.abs(residuals[i]);
    weights[i] = most > 0 && size > most ? most / size : 1;
  }
  return most;
}

/** Half the sum of Huber's loss with the threshold `most`; of squares where that is 0. Infinite where a residual is not finite. */
export function lossOf(residuals: Float64Array, most: number): number {
  let sum = 0;
  for (const r of residuals) {
    const size = Math.abs(r);
    sum += most > 0 && size > most ? most * (size - 0.5 * most) : 0.5 * r * r;
  }
  return sum < Infinity ? sum : Infinity;
}

/** Searches the minimum. */
export function minimize(problem: LeastSquares): Minimum {
  const { rows, columns, low, high } = problem;
  const x = problem.start.slice();
  const residuals = new Float64Array(rows);
  const weights = new Float64Array(rows);
  const jacobian = new Float64Array(rows * columns);
  const trial = new Float64Array(columns);
  const trialResiduals = new Float64Array(rows);
  const bound = new Uint8Array(columns);
  problem.residuals(x, residuals);
  let damping = FIRST_DAMPING;
  let converged = false;
  let iterations = 0;
  const normal = new NormalEquations(rows, columns);
  while (iterations < MOST_ITERATIONS && !converged) {
    iterations++;
    const most = setWeights(residuals, problem, weights);
    const loss = lossOf(residuals, most);
    differentiate(problem, x, jacobian);
    normal.set(jacobian, weights, residuals);
    markBounds(problem, x, normal.gradient, bound);
    let taken = false;
    while (!taken && damping <= MOST_DAMPING) {
      if (!normal.step(damping, bound, trial)) {
        damping *= 10;
        continue;
      }
      let length = 0;
      for (let j = 0; j < columns; j++) {
        const wanted = x[j] + trial[j];
        trial[j] = wanted < low[j] ? low[j] : wanted > high[j] ? high[j] : wanted;
        length = Math.max(length, Math.abs(trial[j] - x[j]) / (high[j] - low[j]));
      }
      problem.residuals(trial, trialResiduals);
      const trialLoss = lossOf(trialResiduals, most);
      if (trialLoss < loss) {
        taken = true;
        converged = loss - trialLoss <= SUM_CHANGE * loss || length <= STEP_LENGTH;
        x.set(trial);
        residuals.set(trialResiduals);
        damping = Math.max(LEAST_DAMPING, damping / 10);
      } else if (length <= STEP_LENGTH) {
        converged = true; // no step is left that the numbers could hold
        break;
      } else damping *= 10;
    }
    if (!taken && !converged) break; // nowhere near x is the sum finite
  }
  setWeights(residuals, problem, weights);
  differentiate(problem, x, jacobian);
  normal.set(jacobian, weights, residuals);
  markBounds(problem, x, normal.gradient, bound);
  return { x, residuals, jacobian, weights, bound, iterations, converged };
}

/** Jacobian by central differences; one-sided where a bound is nearer than the step. */
function differentiate(problem: LeastSquares, x: Float64Array, jacobian: Float64Array): void {
  const { rows, columns, low, high, difference } = problem;
  // right of each coordinate, then left of it
  const ends = Float64Array.from({ length: 2 * columns }, (_, k) => {
    const j = k >> 1;
    return k % 2 === 0
      ? Math.min(high[j], x[j] + difference[j])
      : Math.max(low[j], x[j] - difference[j]);
  });
  const at = x.slice();
  const residuals = problem.team.arrays(ends.length, rows, (k, out) => {
    const j = k >> 1;
    at[j] = ends[k];
    problem.residuals(at, out);
    at[j] = x[j];
  });
  for (let j = 0; j < columns; j++) {
    const width = ends[2 * j] - ends[2 * j + 1];
    const [right, left] = [residuals[2 * j], residuals[2 * j + 1]];
    for (let i = 0; i < rows; i++) jacobian[i * columns + j] = (right[i] - left[i]) / width;
  }
}

/** Marks the coordinates at a bound beyond which the sum would fall. */
function markBounds(
  { low, high }: LeastSquares,
  x: Float64Array,
  gradient: Float64Array,
  bound: Uint8Array,
): void {
  for (let j = 0; j < x.length; j++) {
    const atLow = x[j] <= low[j] && gradient[j] > 0;
    const atHigh = x[j] >= high[j] && gradient[j] < 0;
    bound[j] = atLow || atHigh ? 1 : 0;
  }
}

/** Jᵀ W J and Jᵀ W r, and damped steps from them. */
class NormalEquations {
  readonly gradient: Float64Array;
  readonly #rows: number;
  readonly #n: number;
  readonly #matrix: Float64Array;
  readonly #factors: Float64Array;

  constructor(rows: number, n: number) {
    this.#rows = rows;
    this.#n = n;
    this.gradient = new Float64Array(n);
    this.#matrix = new Float64Array(n * n);
    this.#factors = new Float64Array(n * n);
  }

  set(jacobian: Float64Array, weights: Float64Array, residuals: Float64Array): void {
    const n = this.#n;
    const a = this.#matrix.fill(0);
    const g = this.gradient.fill(0);
    for (let i = 0; i < this.#rows; i++) {
      for (let j = 0; j < n; j++) {
        const weighted = weights[i] * jacobian[i * n + j];
        g[j] += weighted * residuals[i];
        for (let k = 0; k <= j; k++) a[j * n + k] += weighted * jacobian[i * n + k];
      }
    }
  }

  /** out := step with the coordinates that are free; the others stay. @returns false when the equations are singular */
  step(damping: number, bound: Uint8Array, out: Float64Array): boolean {
    const n = this.#n;
    const l = this.#factors;
    const a = this.#matrix;
    let largest = 0;
    for (let j = 0; j < n; j++) largest = Math.max(largest, a[j * n + j]);
    for (let j = 0; j < n; j++) {
      for (let k = 0; k < j; k++) l[j * n + k] = bound[j] + bound[k] > 0 ? 0 : a[j * n + k];
      const scale = Math.max(a[j * n + j], LEAST_SCALE * largest);
      l[j * n + j] = bound[j] === 1 ? 1 : a[j * n + j] + damping * scale;
      out[j] = bound[j] === 1 ? 0 : -this.gradient[j];
    }
    if (factorCholesky(l, l, n, NO_TOLERANCE) === 0) return false;
    solveLower(l, n, out, 0);
    solveLowerTransposed(l, n, out, 0);
    return true;
  }
}
