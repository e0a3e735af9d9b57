/** What a validation case is: figures computed here, each beside its reference, and curves. */

/**
 * Where the reference of a figure comes from:
 *
 * - `printed`: a number that stands in the source;
 * - `independent`: another computation of the same equations, by a method that shares nothing with the one under test;
 * - `closed-form`: a formula, or what holds by definition;
 * - `bound`: no reference, a limit that the figure must keep.
 */
export type Basis = 'printed' | 'independent' | 'closed-form' | 'bound';

/** One number, computed and held against its reference. */
export interface Figure {
  readonly quantity: string;
  readonly unit: string;
  readonly computed: number;
  readonly reference: number;
  readonly basis: Basis;
  /** Largest difference allowed, in the unit. */
  readonly tolerance: number;
  /** The computed figure may lie anywhere at or below the reference; the tolerance is 0. */
  readonly sense?: 'at most';
}

/** A number of the source, or of an earlier computation, that this build does not reproduce, and why. It takes no part in the verdict. */
export interface NotReproduced {
  readonly quantity: string;
  readonly unit: string;
  readonly computed: number;
  readonly reference: number;
  readonly basis: Basis;
  /** Why, and what is known of the difference. */
  readonly reason: string;
}

/**
 * One curve of a plot. Points are values of the reference drawn as marks, a bound is a grey dashed line, a line (when left out) is what
 * was computed here.
 */
export interface Curve {
  readonly name: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly kind?: 'line' | 'points' | 'bound';
}

/** A plot: axes with units, as in `time, s`. */
export interface Plot {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  /** `linear` when left out; `log` leaves out values that are not above zero. */
  readonly xScale?: 'linear' | 'log';
  readonly yScale?: 'linear' | 'log';
  readonly curves: readonly Curve[];
}

/** What a case found. */
export interface CaseResult {
  readonly figures: readonly Figure[];
  /** What the source has otherwise; none when left out. */
  readonly notReproduced?: readonly NotReproduced[];
  readonly plots: readonly Plot[];
}

/** A case of a source that can be computed again. */
export interface ValidationCase {
  readonly name: string;
  readonly title: string;
  /** What the case is taken from. */
  readonly source: string;
  /** What is computed, and with what. */
  readonly description: string;
  /** The law or relation that is tested, with its symbols in words. */
  readonly equation: string;
  /** Why the tolerances are what they are. */
  readonly tolerances: string;
  run(): CaseResult;
}

/** Is the computed figure within its tolerance? One that is not a number never is. */
export function passes(figure: Figure): boolean {
  return Math.abs(toleranceUsed(figure)) <= 1;
}

/**
 * Difference over tolerance: 1 and −1 are the limits; of a bound, the part of it that is used up. Infinite for a difference
 * where none is allowed.
 */
export function toleranceUsed(figure: Figure): number {
  const { computed, reference, tolerance } = figure;
  if (figure.sense === 'at most') {
    if (computed <= reference) return reference > 0 ? Math.max(0, computed / reference) : 0;
    return reference > 0 ? computed / reference : Infinity;
  }
  const difference = computed - reference;
  return difference === 0 ? 0 : difference / tolerance;
}

/** A figure that must lie at or below a bound. */
export function atMost(quantity: string, unit: string, computed: number, bound: number): Figure {
  return {
    quantity,
    unit,
    computed,
    reference: bound,
    basis: 'bound',
    tolerance: 0,
    sense: 'at most',
  };
}

/** A figure beside its reference, with the largest difference in the unit. */
type FigureOf = (
  quantity: string,
  unit: string,
  computed: number,
  reference: number,
  tolerance: number,
) => Figure;

const against =
  (basis: Basis): FigureOf =>
  (quantity, unit, computed, reference, tolerance) => ({
    quantity,
    unit,
    computed,
    reference,
    basis,
    tolerance,
  });

/** A figure beside a number that stands in the source. */
export const printed = against('printed');
/** A figure beside that of another computation. */
export const independent = against('independent');
/** A figure beside that of a formula, or beside what holds by definition. */
export const closedForm = against('closed-form');

/** A curve thinned to at most `limit` points, extremes kept. */
export function curve(
  name: string,
  x: readonly number[],
  y: readonly number[],
  limit = 1200,
): Curve {
  const stride = Math.ceil((2 * x.length) / limit);
  if (stride <= 2) return { name, x, y };
  const keptX: number[] = [];
  const keptY: number[] = [];
  for (let start = 0; start < x.length; start += stride) {
    let low = start;
    let high = start;
    for (let i = start; i < Math.min(start + stride, x.length); i++) {
      if (y[i] < y[low]) low = i;
      if (y[i] > y[high]) high = i;
    }
    for (const i of low < high ? [low, high] : low > high ? [high, low] : [low]) {
      keptX.push(x[i]);
      keptY.push(y[i]);
    }
  }
  return { name, x: keptX, y: keptY };
}
