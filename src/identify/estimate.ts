/**
 * Values of parameters from data, with intervals that are honest about what the data hold.
 *
 * Covariance: v (JᵀJ)⁻¹ with v = Σr²/(n − m); with Huber's loss v = (Σψ²/(n − m)) / (Σψ′/n)² · (1 + (m/n) (1 − ψ̄′)/ψ̄′)² (Huber 1981, 7.6).
 * Residuals that follow each other hold less than as many independent ones: where their correlation ρ of neighbours is beyond ±1.96/√n,
 * v is raised by (1 + ρ)/(1 − ρ), as for a mean (Bartlett 1935). Intervals by Student's distribution.
 *
 * What the data do not hold: the singular values of J, each column times half the range of its parameter, over √v. A direction whose
 * interval is wider than the range is not identifiable. A parameter that makes up such a direction by itself has no effect;
 * several that share one are known in combination only.
 */
import { range } from '../base/parameter-checks.ts';
import { exp } from '../math/elementary/exponential.ts';
import { SingularValues } from '../math/singular-values.ts';
import { betaQuantile } from '../study/incomplete-beta.ts';
import { normalQuantile } from '../study/normal.ts';
import type { LeastSquares, Minimum } from './levenberg-marquardt.ts';
import { checkParameters, coordinate, type Parameter, valueAt } from './parameter.ts';
import { search } from './search.ts';
import { ONE_ALONE, type Team } from './team.ts';

/** A model and its data. */
export interface Problem {
  readonly parameters: readonly Parameter[];
  /** Number of residuals. */
  readonly rows: number;
  /** out := measured less modelled at physical values, in the order of time, each over the same noise. */
  residuals(values: Float64Array, out: Float64Array): void;
  /** Huber's loss in place of squares. */
  readonly robust: boolean;
  /** Standard deviation of the residuals where it is known; from their scatter when left out. */
  readonly noise?: number;
  /** Of the intervals, such as 0.95. */
  readonly confidence: number;
  /** Starts of the search beside those of the parameters; none when left out. */
  readonly starts?: number;
  /** Contact or part of the data of a row, from 0 on; five parts in the order of rows when left out. */
  readonly part?: (row: number) => number;
  /** Who computes differences; this one alone when left out. */
  readonly team?: Team;
}

/** What is known of a parameter. */
export type Status = 'identified' | 'at-bound' | 'no-effect' | 'combined';

/** A parameter after the search. */
export interface Estimate {
  readonly parameter: Parameter;
  readonly status: Status;
  readonly value: number;
  /** Interval; infinite, or 0 and infinite for a logarithm, unless the status is `identified`. */
  readonly low: number;
  readonly high: number;
  /**
   * A change that the data do not show, of this parameter with others: by how much each of them changes in it, or its natural logarithm. Empty
   * unless the status is `combined`.
   */
  readonly combination: readonly { readonly name: string; readonly change: number }[];
}

/** The result of a search. */
export interface Identification {
  readonly estimates: readonly Estimate[];
  readonly values: Float64Array;
  readonly residuals: Float64Array;
  /** Standard deviation of the residuals, √v without the factor for correlation. */
  readonly noise: number;
  /** Correlation of neighbouring residuals, and whether it is beyond that of independent ones. */
  readonly correlation: number;
  readonly correlated: boolean;
  /** Residuals that Huber's loss weighs less. */
  readonly outliers: number;
  readonly iterations: number;
  readonly converged: boolean;
  /** Starts, and the searches that came to this minimum; whether the evolution strategy found it and no start. */
  readonly starts: number;
  readonly agreeing: number;
  readonly evolved: boolean;
  /** For intervals of another kind and parts held out. */
  readonly basis: Basis;
}

/** The search and what its intervals are made of. */
export interface Basis {
  readonly squares: LeastSquares;
  readonly minimum: Minimum;
  /** Variance of a residual as it enters intervals, with the factor for correlation. */
  readonly variance: number;
  /** Half an interval over the standard error. */
  readonly quantile: number;
  /** Standard error of each coordinate. */
  readonly error: Float64Array;
  readonly part: (row: number) => number;
}

/** Parts of the data where a problem names none. */
const PARTS = 5;
/** Step of the differences, in coordinates of a logarithm and in shares of the range of others. */
const DIFFERENCE = 1e-5;
/** Share of a direction from which on a parameter has part in it. */
const PART = 0.1;
/** Share from which on a direction is one parameter alone. */
const ALONE = 0.99;
/** Noise as a share of the largest effect of a parameter below which data count as free of noise. */
const LEAST_NOISE = 1e-10;

/** Searches the parameters. @throws BerthError for bounds or data that leave nothing to search */
export function identify(problem: Problem): Identification {
  const { parameters, rows, confidence } = problem;
  checkParameters(parameters);
  const m = parameters.length;
  const least = problem.noise === undefined ? m + 1 : m;
  range('rows', rows, rows >= least, `to be ${least} or more for ${m} parameters`);
  const values = new Float64Array(m);
  const at = (pick: (p: Parameter) => number): Float64Array =>
    Float64Array.from(parameters, (p) => coordinate(p, pick(p)));
  const low = at((p) => p.low);
  const high = at((p) => p.high);
  const squares: LeastSquares = {
    rows,
    columns: m,
    start: at((p) => p.start),
    low,
    high,
    difference: low.map((from, j) => {
      const { difference, logarithmic } = parameters[j];
      return difference ?? DIFFERENCE * (logarithmic ? 1 : high[j] - from);
    }),
    residuals: (x, out) => {
      for (let j = 0; j < m; j++) values[j] = valueAt(parameters[j], x[j]);
      problem.residuals(values, out);
    },
    robust: problem.robust,
    team: problem.team ?? ONE_ALONE,
  };
  const { minimum, ...found } = search(squares, problem.starts ?? 0);
  const { noise } = problem;
  const spread = noise === undefined ? varianceOf(minimum, m) : noise * noise;
  const correlation = correlationAt(minimum.residuals, 1);
  const correlated = Math.abs(correlation) > 1.96 / Math.sqrt(rows);
  const inflation = correlated && correlation > 0 ? (1 + correlation) / (1 - correlation) : 1;
  const half = low.map((from, j) => 0.5 * (high[j] - from));
  const t = studentQuantile(noise === undefined ? rows - m : Infinity, confidence);
  const known = knowledge(minimum, half, Math.sqrt(spread * inflation), t);
  return {
    estimates: parameters.map((parameter, j) => estimateOf(parameter, j, minimum, known, t)),
    values: Float64Array.from(parameters, (p, j) => valueAt(p, minimum.x[j])),
    residuals: minimum.residuals,
    noise: Math.sqrt(spread),
    correlation,
    correlated,
    outliers: minimum.weights.filter((w) => w < 1).length,
    iterations: minimum.iterations,
    converged: minimum.converged,
    ...found,
    basis: {
      squares,
      minimum,
      variance: spread * inflation,
      quantile: t,
      error: known.error,
      part: problem.part ?? ((row) => Math.floor((PARTS * row) / rows)),
    },
  };

  function estimateOf(
    parameter: Parameter,
    j: number,
    { x, bound }: Minimum,
    { status, error, directions }: Knowledge,
    quantile: number,
  ): Estimate {
    const value = valueAt(parameter, x[j]);
    const shares = directions.find((v) => Math.abs(v[j]) > PART);
    const combination =
      status[j] === 'combined' && shares !== undefined
        ? parameters.flatMap(({ name }, k) =>
            Math.abs(shares[k]) > PART ? [{ name, change: shares[k] * half[k] }] : [],
          )
        : [];
    const none = parameter.logarithmic ? [0, Infinity] : [-Infinity, Infinity];
    if (status[j] !== 'identified' || bound[j] === 1) {
      return { parameter, status: status[j], value, low: none[0], high: none[1], combination };
    }
    const reach = quantile * error[j];
    const end = (side: number): number =>
      parameter.logarithmic ? exp(x[j] + side * reach) : x[j] + side * reach;
    return { parameter, status: 'identified', value, low: end(-1), high: end(1), combination };
  }
}

/** Variance of residuals as it enters the covariance. */
function varianceOf({ residuals, weights }: Minimum, m: number): number {
  const n = residuals.length;
  let squares = 0;
  let inside = 0;
  for (let i = 0; i < n; i++) {
    const psi = weights[i] * residuals[i];
    squares += psi * psi;
    if (weights[i] === 1) inside++;
  }
  const mean = inside / n;
  const correction = 1 + ((m / n) * (1 - mean)) / mean;
  return (squares / (n - m) / (mean * mean)) * correction * correction;
}

/** Correlation of residuals so many rows apart, Σ r_i r_(i+lag) / Σ r²; 0 for residuals of 0. */
export function correlationAt(residuals: Float64Array, lag: number): number {
  let products = 0;
  let squares = 0;
  for (let i = 0; i < residuals.length; i++) {
    squares += residuals[i] * residuals[i];
    if (i >= lag) products += residuals[i - lag] * residuals[i];
  }
  return squares > 0 ? products / squares : 0;
}

/** t of Student's distribution with ν freedoms, which |t| exceeds with probability 1 − confidence. */
function studentQuantile(freedoms: number, confidence: number): number {
  if (freedoms === Infinity) return normalQuantile(0.5 + confidence / 2);
  const share = betaQuantile(0.5, freedoms / 2, confidence);
  return Math.sqrt((freedoms * share) / (1 - share));
}

interface Knowledge {
  readonly status: readonly Status[];
  /** Standard error of each coordinate. */
  readonly error: Float64Array;
  /** Directions that are not identifiable, over all parameters. */
  readonly directions: readonly Float64Array[];
}

/** What the Jacobian says of the parameters that are not held by a bound. */
function knowledge(minimum: Minimum, half: Float64Array, noise: number, t: number): Knowledge {
  const { jacobian, residuals, bound } = minimum;
  const n = residuals.length;
  const all = half.length;
  const free = [...half.keys()].filter((j) => bound[j] === 0);
  const m = free.length;
  const scaled = new Float64Array(n * m);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < m; k++) scaled[i * m + k] = jacobian[i * all + free[k]] * half[free[k]];
  }
  const decomposition = new SingularValues(n, m);
  decomposition.decompose(scaled);
  const { values, right } = decomposition;
  const level = Math.max(noise, LEAST_NOISE * (values[0] ?? 0));
  const variance = new Float64Array(all);
  const directions: Float64Array[] = [];
  for (let d = 0; d < m; d++) {
    const direction = new Float64Array(all);
    for (let k = 0; k < m; k++) direction[free[k]] = right[k * m + d];
    if (!(values[d] > t * level)) {
      directions.push(direction);
      continue;
    }
    const error = noise / values[d];
    for (let j = 0; j < all; j++) variance[j] += direction[j] * direction[j] * error * error;
  }
  const status = Array.from({ length: all }, (_, j): Status => {
    if (bound[j] === 1) return 'at-bound';
    const part = Math.max(0, ...directions.map((v) => Math.abs(v[j])));
    if (part <= PART) return 'identified';
    return part >= ALONE ? 'no-effect' : 'combined';
  });
  return { status, error: variance.map((v, j) => Math.sqrt(v) * half[j]), directions };
}
