/**
 * e^x and e^x − 1 from + − × ÷ alone, so that their bits are the same on every machine.
 *
 * x = k ln 2 + r, |r| ≤ ln 2/2. With R = r coth(r/2) = 2 + Σ 2 B₂ₙ r²ⁿ/(2n)! (Bernoulli numbers) and c = r − (R − 2),
 * e^r − 1 = r + r c/(2 − c); the second term is a small part of the first, so that its rounding hardly shows.
 */
import { powerOf2, scaled } from './bits.ts';

export const LN2_HIGH = 0.6931471804855391; // 33 bits: k times it is exact
export const LN2_LOW = 7.440617110012397e-11;
const PER_LN2 = 1.4426950408889634;
const OVERFLOW = 709.782712893384;
const UNDERFLOW = -745.1332191019412;
/** From here on e^x − 1 is −1. */
const ALL_GONE = -40;
/** |x| below ln 2/2 needs no reduction. */
const NEAR = 0.34657359027997264;
/** |x| below which e^x − 1 is x + x²/2 to the last bit. */
const TINY = 1e-9;

/** r − (R − 2) with z = r². @alloc none */
function c(r: number): number {
  const z = r * r;
  return (
    r -
    z *
      (0.16666666666666666 +
        z *
          (-0.002777777777777778 +
            z *
              (6.613756613756614e-5 +
                z *
                  (-1.6534391534391535e-6 +
                    z * (4.17535139757362e-8 - z * 1.0568380277374986e-9)))))
  );
}

/** e^x; at most 1 ulp off. @alloc none */
export function exp(x: number): number {
  if (!(x <= OVERFLOW)) return x > OVERFLOW ? Infinity : NaN;
  if (x < UNDERFLOW) return 0;
  if (x <= NEAR && x >= -NEAR) {
    const near = c(x);
    return 1 + (x + (x * near) / (2 - near));
  }
  const k = Math.floor(x * PER_LN2 + 0.5);
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const part = c(r);
  const value = 1 + (high - (low - (r * part) / (2 - part)));
  return k > -1022 && k < 1024 ? value * powerOf2(k) : scaled(value, k);
}

/** e^x − 1; at most 1 ulp off. @alloc none */
export function expm1(x: number): number {
  if (!(x <= OVERFLOW)) return x > OVERFLOW ? Infinity : NaN;
  if (x < ALL_GONE) return -1;
  if (x <= NEAR && x >= -NEAR) {
    if (x < TINY && x > -TINY) return x + 0.5 * x * x;
    const near = c(x);
    return x + (x * near) / (2 - near);
  }
  const k = Math.floor(x * PER_LN2 + 0.5);
  const high = x - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const error = high - r - low;
  const part = c(r);
  const rest = (r * part) / (2 - part) + error + r * error;
  // 2^k (r + rest) + (2^k − 1), the largest two summed without loss
  if (k >= 1023) return scaled(1 + (r + rest), k);
  const factor = powerOf2(k);
  const main = factor * r;
  const one = k > 53 ? factor : factor - 1;
  const sum = one + main;
  const lost = Math.abs(one) >= Math.abs(main) ? main - (sum - one) : one - (sum - main);
  return sum + (lost + factor * rest);
}
