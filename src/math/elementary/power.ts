/**
 * x^y and ∛x from + − × ÷ alone, so that their bits are the same on every machine.
 *
 * log₂ |x| is kept as a sum of two doubles, some 65 bits: of 2 artanh s = 2s + ⅔ s³ + … the first two terms are taken in that arithmetic, the rest
 * is too small to matter. Its product with y is k + r, and 2^r = e^(r ln 2).
 */
import { MANTISSA, balancedExponent, exponent, scaled } from './bits.ts';
import { productError } from './double-double.ts';

const PER_LN2 = 1.4426950408889634;
const PER_LN2_LOW = 2.0355273740931033e-17;
const LN2 = 0.6931471805599453;
const LN2_LOW = 2.3190468138462996e-17;
const THIRD = 0.6666666666666666;
const THIRD_LOW = 3.700743415417188e-17;

/** log₂ x as a sum of two doubles. */
const LOG = new Float64Array(2);

/** Σ 2 s²ⁿ⁺³/(2n + 3), n from 1, over s³. @alloc none */
function tail(z: number): number {
  return (
    z *
    (2 / 5 +
      z *
        (2 / 7 +
          z *
            (2 / 9 +
              z *
                (2 / 11 +
                  z *
                    (2 / 13 +
                      z *
                        (2 / 15 +
                          z *
                            (2 / 17 +
                              z * (2 / 19 + z * (2 / 21 + z * (2 / 23 + z * (2 / 25)))))))))))
  );
}

/** Put log₂ x, x > 0 and finite, into LOG. @alloc none */
function logarithm(x: number): void {
  const k = balancedExponent(x);
  const f = MANTISSA[0] - 1;
  // s = f/(2 + f) with what the division lost
  const under = 2 + f;
  const underLow = 2 - under + f;
  const s = f / under;
  const p = s * under;
  const sLow = (f - p - productError(s, under, p) - s * underLow) / under;
  // s², ⅔ s³ and the rest
  const z = s * s;
  const zLow = productError(s, s, z) + 2 * s * sLow;
  const cube = z * s;
  const cubeLow = productError(z, s, cube) + zLow * s + z * sLow;
  const second = THIRD * cube;
  const secondLow = productError(THIRD, cube, second) + THIRD_LOW * cube + THIRD * cubeLow;
  const first = 2 * s;
  const natural = first + second;
  const naturalLow = first - natural + second + (2 * sLow + secondLow + cube * tail(z));
  // in powers of two
  const log = natural * PER_LN2;
  const logLow = productError(natural, PER_LN2, log) + natural * PER_LN2_LOW + naturalLow * PER_LN2;
  const whole = k + log;
  const rest = (Math.abs(k) >= Math.abs(log) ? k - whole + log : log - whole + k) + logLow;
  LOG[0] = whole + rest;
  LOG[1] = whole - LOG[0] + rest;
}

/** 2^(a + b), b small; at most 1 ulp off. @alloc none */
function powerOfTwo(a: number, b: number): number {
  const k = Math.floor(a + 0.5);
  const r = a - k;
  const p = r * LN2;
  const pLow = productError(r, LN2, p) + r * LN2_LOW + b * LN2;
  // e^(p + pLow) = 1 + p + …, p below ln 2/2
  const z = p * p;
  const even =
    z *
    (0.16666666666666666 +
      z *
        (-0.002777777777777778 +
          z *
            (6.613756613756614e-5 +
              z *
                (-1.6534391534391535e-6 + z * (4.17535139757362e-8 - z * 1.0568380277374986e-9)))));
  const c = p - even;
  const part = (p * c) / (2 - c);
  const value = 1 + (p + (part + pLow * (1 + (p + part))));
  return scaled(value, k);
}

/** x^y as IEEE 754 defines its cases; at most 1 ulp off. @alloc none */
export function pow(x: number, y: number): number {
  if (y === 0) return 1;
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN;
  if (y === 1) return x;
  if (y === 2) return x * x;
  if (y === 0.5 && x > 0) return Math.sqrt(x);
  const size = Math.abs(x);
  const whole = Number.isInteger(y);
  const odd = whole && Math.abs(y) < 2 ** 53 && y % 2 !== 0;
  const negative = odd && (x < 0 || (x === 0 && 1 / x < 0));
  let value: number;
  if (size === 0) value = y > 0 ? 0 : Infinity;
  else if (size === Infinity) value = y > 0 ? Infinity : 0;
  else if (y === Infinity || y === -Infinity) {
    if (size === 1) return NaN;
    value = size > 1 === y > 0 ? Infinity : 0;
  } else if (x < 0 && !whole) return NaN;
  else {
    logarithm(size);
    const a = LOG[0] * y;
    if (a > 1100) value = Infinity;
    else if (a < -1200) value = 0;
    else if (Math.abs(y) > 1e100) value = powerOfTwo(a, 0);
    else value = powerOfTwo(a, productError(LOG[0], y, a) + LOG[1] * y);
  }
  return negative ? -value : value;
}

/** Cube root; at most 1 ulp off. @alloc none */
export function cbrt(x: number): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  const size = Math.abs(x);
  const k = Math.floor(exponent(size) / 3);
  const m = scaled(size, -3 * k); // 1 ≤ m < 8
  // a straight line, then Halley's step: every one triples the digits
  let root = 0.9 + 0.16 * m;
  for (let step = 0; step < 3; step++) {
    const cube = root * root * root;
    root *= (cube + 2 * m) / (2 * cube + m);
  }
  // Newton's step by what the cube lost
  const square = root * root;
  const squareLow = productError(root, root, square);
  const cube = square * root;
  const left = m - cube - productError(square, root, cube) - squareLow * root;
  root += left / (3 * square);
  const value = scaled(root, k);
  return x > 0 ? value : -value;
}
