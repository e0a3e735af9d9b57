/**
 * ln x, ln(1 + x) and log₂ x from + − × ÷ alone, so that their bits are the same on every machine.
 *
 * x = 2^k (1 + f), √½ ≤ 1 + f < √2, s = f/(2 + f): ln(1 + f) = 2 artanh s = f − f²/2 + s (f²/2 + T), T = Σ 2 s²ⁿ⁺²/(2n + 3) times s² …
 * In this order the terms that are rounded are small beside f.
 */
import { MANTISSA, balancedExponent } from './bits.ts';
import { LN2_HIGH, LN2_LOW } from './exponential.ts';

const PER_LN2 = 1.4426950408889634;
const PER_LN2_LOW = 2.0355273740931033e-17;
/** |x| below which ln(1 + x) needs no exponent. */
const NEAR = 0.29;

/** 2 Σ s²ⁿ/(2n + 1), n from 1: |s| ≤ 0.172, 1e-18 left out. @alloc none */
function series(z: number): number {
  return (
    z *
    (2 / 3 +
      z *
        (2 / 5 +
          z *
            (2 / 7 +
              z *
                (2 / 9 +
                  z *
                    (2 / 11 +
                      z * (2 / 13 + z * (2 / 15 + z * (2 / 17 + z * (2 / 19 + z * (2 / 21))))))))))
  );
}

/** k ln 2 + ln(1 + f) + rest. @alloc none */
function sum(k: number, f: number, rest: number): number {
  const s = f / (2 + f);
  const half = 0.5 * f * f;
  return k * LN2_HIGH - (half - (s * (half + series(s * s)) + (k * LN2_LOW + rest)) - f);
}

/** ln x; at most 1 ulp off. @alloc none */
export function log(x: number): number {
  if (!(x > 0) || x === Infinity) return x === 0 ? -Infinity : x > 0 ? x : NaN;
  const k = balancedExponent(x);
  return sum(k, MANTISSA[0] - 1, 0);
}

/** ln(1 + x); at most 1 ulp off. @alloc none */
export function log1p(x: number): number {
  if (!(x > -1) || x === Infinity) return x === -1 ? -Infinity : x > -1 ? x : NaN;
  if (x > -NEAR && x < NEAR) return x > -1e-9 && x < 1e-9 ? x - 0.5 * x * x : sum(0, x, 0);
  const u = 1 + x;
  const k = balancedExponent(u);
  // what 1 + x lost
  const lost = k > 53 ? 0 : x >= 1 ? 1 - (u - x) : x - (u - 1);
  return sum(k, MANTISSA[0] - 1, lost / u);
}

/** log₂ x; exact for powers of two, else at most 2 ulp off. @alloc none */
export function log2(x: number): number {
  if (!(x > 0) || x === Infinity) return x === 0 ? -Infinity : x > 0 ? x : NaN;
  const k = balancedExponent(x);
  const natural = sum(0, MANTISSA[0] - 1, 0);
  return k + (natural * PER_LN2 + natural * PER_LN2_LOW);
}
