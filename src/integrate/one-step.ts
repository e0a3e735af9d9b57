/**
 * What the methods of integration have in common: a problem y' = f(t, y) on the arrays of its owner, and one step of a method. A
 * step may be tried with several lengths, judged, interpolated and then taken. Numbers pass through cells: a double argument of
 * a call may be boxed.
 */

/** y' = f(t, y) on the first `rates.length` values of an array. */
export interface RateProblem {
  /** y: what `computeRates` reads; a method writes the values of its stages here. */
  readonly values: Float64Array;
  readonly rates: Float64Array;
  /** [time of the evaluation], written by the method. */
  readonly time: Float64Array;
  /** Whether f depends on y alone. */
  readonly autonomous: boolean;
  /** Size that a value of 0 is taken to have when a Jacobian is formed by differences. */
  readonly leastSize: number;
  /** Indices of the values that may change; the others have rates of 0 and stay. */
  readonly evolving: Int32Array;
  /** Indices of the values whose error counts. */
  readonly controlled: Int32Array;
  /** Fills `rates` from `values` and `time`. @alloc none */
  computeRates(): void;
  /** Puts the values after a step back where they belong (unit quaternions); changes them by less than the error. @alloc none */
  settle(): void;
}

/** Allowed error of a step: absolute + relative |y|, for every controlled value. */
export interface Tolerance {
  readonly relative: number;
  readonly absolute: number;
}

/** Slots of the timing cell of a step. */
export const STEP = 0; //  length h
export const START = 1; // time at its start
export const TIMING = 2;

/** One step of a method. */
export interface OneStepMethod {
  /** Order of the error estimate; 0 for a method without one. */
  readonly estimateOrder: number;
  /** [error of the last attempt over the tolerance, largest of the controlled values]; ∞ when it is not finite. */
  readonly error: Float64Array;
  /** The present values and the time in timing[START] are the start of the next step. @alloc none */
  start(timing: Float64Array): void;
  /** Tries a step; the values are then those after it. May be repeated from the same start. @alloc none */
  attempt(timing: Float64Array): void;
  /** Makes `interpolate` ready for the step of the last attempt. @alloc none */
  prepareDense(): void;
  /** Values and time at the fraction theta[0] of the last attempt. @alloc none */
  interpolate(theta: Float64Array): void;
  /** Takes the last attempt: its end is the start of the next step. @alloc none */
  accept(timing: Float64Array): void;
}

/**
 * Largest scaled error of the controlled values into out[0]: |e| / (absolute + relative max(|y0|, |y1|)). `errors`, `before` and
 * `after` are indexed as the values.
 * @alloc none
 */
export function measureError(
  out: Float64Array,
  errors: Float64Array,
  before: Float64Array,
  after: Float64Array,
  controlled: Int32Array,
  tolerance: Tolerance,
): void {
  const { relative, absolute } = tolerance;
  let largest = 0.0;
  for (let c = 0; c < controlled.length; c++) {
    const i = controlled[c];
    const a = Math.abs(before[i]);
    const b = Math.abs(after[i]);
    const scaled = Math.abs(errors[i]) / (absolute + relative * (a > b ? a : b));
    if (!(scaled < Infinity)) {
      out[0] = Infinity; // also for NaN
      return;
    }
    if (scaled > largest) largest = scaled;
  }
  out[0] = largest;
}
