/**
 * e^x and e^x − 1 from + − × ÷ alone, so that their bits are the same on every machine.
 *
 * x = k ln 2 + r, |r| ≤ ln 2/2. With R = r coth(r/2) = 2 + Σ 2 B₂ₙ r²ⁿ/(2n)! (Bernoulli numbers)
 * and c = r − (R − 2), e^r − 1 = r + r c/(2 − c). The second term is small beside the first, so its
 * rounding has little effect.
 *
 * Short exported functions call one that passes no double; circular.ts gives the reason.
 */
import { OFFSET, POWERS } from './bits.ts';

const SLOTS = new Float64Array(2);
/** x, then e^x and e^x − 1. It is an alias, because code that reads an exported variable is longer. */
export const EXPONENTIALS = SLOTS;

/**
 * Replaces the first slot of EXPONENTIALS by e^x, and the second by e^x − 1. For seldom executed
 * code, where `exp` is not inlined. @alloc none
 */
export function exponentials(): Float64Array {
  const slots = SLOTS;
  const powers = POWERS;
  const x = slots[0];
  if (!(x <= 709.782712893384 && x >= -745.1332191019412)) {
    const whole = x > 0 ? Infinity : x < 0 ? 0 : NaN;
    slots[0] = whole;
    slots[1] = x < 0 ? -1 : whole;
    return slots;
  }
  // |x| below ln 2/2 needs no reduction
  const near = x <= 0.34657359027997264 && x >= -0.34657359027997264;
  const k = near ? 0 : Math.floor(x * 1.4426950408889634 + 0.5) | 0;
  const high = x - k * 0.6931471804855391; // 33 bits, so the product with k is exact
  const low = k * 7.440617110012397e-11;
  const r = high - low;
  // pairs of terms, which a processor computes in parallel
  const z = r * r;
  const z2 = z * z;
  const even =
    0.16666666666666666 +
    z * -0.002777777777777778 +
    z2 * (6.613756613756614e-5 + z * -1.6534391534391535e-6) +
    z2 * z2 * (4.17535139757362e-8 + z * -1.0568380277374986e-9);
  const c = r - z * even;
  const part = (r * c) / (2 - c);
  // two powers of two, because one does not cover the range
  const half = k >> 1;
  const value = (1 + (high - (low - part))) * powers[OFFSET + half] * powers[OFFSET + k - half];
  slots[0] = value;
  if (k > 60) slots[1] = value;
  else if (k < -60) slots[1] = -1;
  else {
    // 2^k (r + rest) + (2^k − 1), the largest two summed exactly
    const error = high - r - low;
    const rest = part + error + r * error;
    const factor = powers[OFFSET + k];
    const main = factor * r;
    const one = factor - 1;
    const sum = one + main;
    const lost = Math.abs(one) >= Math.abs(main) ? main - (sum - one) : one - (sum - main);
    slots[1] = x === 0 ? x : sum + (lost + factor * rest);
  }
  return slots;
}

/** e^x; error at most 1 ulp. @alloc none */
export function exp(x: number): number {
  SLOTS[0] = x;
  return exponentials()[0];
}

/** e^x − 1; error at most 1 ulp. @alloc none */
export function expm1(x: number): number {
  SLOTS[0] = x;
  return exponentials()[1];
}
