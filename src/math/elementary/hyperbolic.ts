/**
 * sinh, cosh, tanh and arcosh from e^x − 1 and ln(1 + x), so that their bits are the same on every
 * machine.
 *
 * Short exported functions call functions that pass no double; circular.ts gives the reason. Those
 * functions are small enough to be inlined here, but a call site without room for inlining would
 * allocate the numbers.
 */
import { EXPONENTIALS, exponentials } from './exponential.ts';
import { LOGARITHMS, logarithmBesideOne, logarithms } from './logarithm.ts';

/** x, then sinh x, cosh x and tanh x; or arcosh x. */
const SLOTS = new Float64Array(3);

/** Hyperbolic sine, cosine and tangent of the first slot, into all. @alloc none */
function hyperbolics(): Float64Array {
  const slots = SLOTS;
  const exponential = EXPONENTIALS;
  const x = slots[0];
  const size = Math.abs(x);
  const half = x > 0 ? 0.5 : -0.5;
  // e^x overflows before its half does
  const huge = size > 709;
  exponential[0] = huge ? 0.5 * size : size;
  exponentials();
  const e = exponential[0];
  const e1 = exponential[1];
  if (huge) {
    slots[0] = half * e * e;
    slots[1] = 0.5 * e * e;
    slots[2] = x > 0 ? 1 : -1;
    return slots;
  }
  // beyond 22, e^−x is negligible beside e^x
  const large = size > 22;
  const below = e1 / (e1 + 1);
  const twice = size < 1 ? 2 * e1 - e1 * below : e1 + below;
  const sine = large ? e : twice;
  slots[0] = x === 0 ? x : half * sine;
  slots[1] = size < 0.35 ? 1 + 0.5 * e1 * below : 0.5 * e + 0.5 / e;
  // sinh/cosh: (e² − 1)/(e² + 1)
  const above = e1 * (e1 + 2);
  const quotient = large ? 1 : size < 1 ? above / (above + 2) : 1 - 2 / (above + 2);
  slots[2] = x === 0 ? x : x > 0 ? quotient : -quotient;
  return slots;
}

/** Inverse hyperbolic cosine of the first slot, into it. @alloc none */
function inverseCosh(): Float64Array {
  const x = SLOTS[0];
  // beyond 1e9, x² − 1 rounds to x²
  if (x > 1e9) {
    LOGARITHMS[0] = x;
    logarithms();
    SLOTS[0] = LOGARITHMS[0] + 0.6931471805599453;
    return SLOTS;
  }
  if (x < 1) {
    SLOTS[0] = NaN;
    return SLOTS;
  }
  const t = x - 1;
  LOGARITHMS[0] = t + Math.sqrt(t * (2 + t));
  logarithmBesideOne();
  SLOTS[0] = LOGARITHMS[0];
  return SLOTS;
}

/** sinh x; error at most 3 ulp. @alloc none */
export function sinh(x: number): number {
  SLOTS[0] = x;
  return hyperbolics()[0];
}

/** cosh x; error at most 3 ulp. @alloc none */
export function cosh(x: number): number {
  SLOTS[0] = x;
  return hyperbolics()[1];
}

/** tanh x; error at most 3 ulp. @alloc none */
export function tanh(x: number): number {
  SLOTS[0] = x;
  return hyperbolics()[2];
}

/** arcosh x; error at most 3 ulp; NaN below 1. @alloc none */
export function acosh(x: number): number {
  SLOTS[0] = x;
  return inverseCosh()[0];
}
