/** What a validation case is: figures computed here beside the published ones, and curves to look at. */

/** One number, computed and published. */
export interface Figure {
  readonly quantity: string;
  readonly unit: string;
  readonly computed: number;
  readonly published: number;
  /** Largest difference allowed, in the unit. */
  readonly tolerance: number;
}

/** One curve of a plot. */
export interface Curve {
  readonly name: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** A plot: axes with units. */
export interface Plot {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
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
  /** Why the tolerances are what they are. */
  readonly tolerances: string;
  run(): CaseResult;
}

/** Is the computed figure within its tolerance? */
export function passes(figure: Figure): boolean {
  return Math.abs(figure.computed - figure.published) <= figure.tolerance;
}

/** A figure that must lie at or below a bound above zero. */
export function atMost(quantity: string, unit: string, computed: number, bound: number): Figure {
  return {
    quantity: `${quantity}, at most`,
    unit,
    computed,
    published: bound / 2,
    tolerance: bound / 2,
  };
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
