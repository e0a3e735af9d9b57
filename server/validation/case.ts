/** What a validation case is: figures computed here beside the published ones, and curves. */

/** One number, computed and published. */
export interface Figure {
  readonly quantity: string;
  readonly unit: string;
  readonly computed: number;
  readonly published: number;
  /** Largest difference allowed, in the unit. */
  readonly tolerance: number;
  /** The computed figure may lie anywhere at or below the published one; the tolerance is 0. */
  readonly sense?: 'at most';
}

/**
 * One curve of a plot. Points are published values drawn as marks, a bound is a grey dashed line, a line (when left out) is what
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
  readonly plots: readonly Plot[];
}

/** A published case that can be computed again. */
export interface ValidationCase {
  readonly name: string;
  readonly title: string;
  /** Where the published figures come from. */
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
  const { computed, published, tolerance } = figure;
  if (figure.sense === 'at most') {
    if (computed <= published) return published > 0 ? Math.max(0, computed / published) : 0;
    return published > 0 ? computed / published : Infinity;
  }
  const difference = computed - published;
  return difference === 0 ? 0 : difference / tolerance;
}

/** A figure that must lie at or below a bound. */
export function atMost(quantity: string, unit: string, computed: number, bound: number): Figure {
  return { quantity, unit, computed, published: bound, tolerance: 0, sense: 'at most' };
}

/** A figure that must be the published one, within a tolerance. */
export function close(
  quantity: string,
  unit: string,
  computed: number,
  published: number,
  tolerance: number,
): Figure {
  return { quantity, unit, computed, published, tolerance };
}

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
