/**
 * x^y and ∛x from + − × ÷ alone, so that their bits are the same on every machine.
 *
 * log₂ |x| is a sum of two doubles, some 65 bits. The first two terms of 2 artanh s = 2s + ⅔ s³ + …
 * are computed in that arithmetic; the other terms are small enough for one double. The product
 * with y is k + r, and 2^r = e^(r ln 2).
 *
 * Short exported functions call functions that pass no double; circular.ts gives the reason.
 */
import { NUMBER, OFFSET, POWERS, balancedExponent, exponent } from './bits.ts';
import { productError } from './double-double.ts';

/** x and y, then the result. */
const SLOTS = new Float64Array(2);
/** Base and exponent for `power`. It is an alias, because code that reads an exported variable is longer. */
export const POWER = SLOTS;
/** log₂ |x| as a sum of two doubles. */
const LOG = new Float64Array(2);

/**
 * Σ 2 s²ⁿ⁺³/(2n + 3), n from 1, over s³, z = s²; pairs of terms, which a processor computes in
 * parallel. @alloc none
 */
function tail(z: number): number {
  const z2 = z * z;
  const z4 = z2 * z2;
  const near = 2 / 5 + z * (2 / 7) + z2 * (2 / 9 + z * (2 / 11));
  const middle = 2 / 13 + z * (2 / 15) + z2 * (2 / 17 + z * (2 / 19));
  return z * (near + z4 * (middle + z4 * (2 / 21 + z * (2 / 23) + z2 * (2 / 25))));
}

/** Computes LOG for a finite x other than zero. @alloc none */
function logarithm(): void {
  NUMBER[0] = Math.abs(SLOTS[0]);
  const k = balancedExponent();
  const f = NUMBER[0] - 1;
  // s = f/(2 + f) with the rounding error of the division
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
  const thirds = 0.6666666666666666;
  const second = thirds * cube;
  const secondLow =
    productError(thirds, cube, second) + 3.700743415417188e-17 * cube + thirds * cubeLow;
  const first = 2 * s;
  const natural = first + second;
  const naturalLow = first - natural + second + (2 * sLow + secondLow + cube * tail(z));
  // as a power of two
  const perLn2 = 1.4426950408889634;
  const log = natural * perLn2;
  const logLow =
    productError(natural, perLn2, log) + natural * 2.0355273740931033e-17 + naturalLow * perLn2;
  const whole = k + log;
  const rest = (Math.abs(k) >= Math.abs(log) ? k - whole + log : log - whole + k) + logLow;
  LOG[0] = whole + rest;
  LOG[1] = whole - LOG[0] + rest;
}

/** Replaces the first slot by 2^(y LOG); error at most 1 ulp. @alloc none */
function powerOfTwo(): void {
  const y = SLOTS[1];
  const a = LOG[0] * y;
  if (!(a <= 1100 && a >= -1200)) {
    SLOTS[0] = a > 0 ? Infinity : 0;
    return;
  }
  // beyond 1e100 the product cannot be split, and LOG is negligible
  const b = Math.abs(y) > 1e100 ? 0 : productError(LOG[0], y, a) + LOG[1] * y;
  const k = Math.floor(a + 0.5) | 0;
  const r = a - k;
  const ln2 = 0.6931471805599453;
  const p = r * ln2;
  const pLow = productError(r, ln2, p) + r * 2.3190468138462996e-17 + b * ln2;
  // e^(p + pLow) = 1 + p + …, p below ln 2/2
  const z = p * p;
  const z2 = z * z;
  const even =
    0.16666666666666666 +
    z * -0.002777777777777778 +
    z2 * (6.613756613756614e-5 + z * -1.6534391534391535e-6) +
    z2 * z2 * (4.17535139757362e-8 + z * -1.0568380277374986e-9);
  const c = p - z * even;
  const part = (p * c) / (2 - c);
  const half = k >> 1;
  SLOTS[0] =
    (1 + (p + (part + pLow * (1 + (p + part))))) *
    POWERS[OFFSET + half] *
    POWERS[OFFSET + k - half];
}

/** Replaces the first slot by its power with the exponent in the second. @alloc none */
export function power(): Float64Array {
  const x = SLOTS[0];
  const y = SLOTS[1];
  const size = Math.abs(x);
  const whole = Math.floor(y) === y;
  // the usual case first: neither is zero, infinite or NaN
  if (size > 0 && size < Infinity && (x > 0 || whole) && y - y === 0 && y !== 0) {
    if (y === 1) return SLOTS;
    if (y === 2) {
      SLOTS[0] = x * x;
      return SLOTS;
    }
    if (y === 0.5) {
      SLOTS[0] = Math.sqrt(x);
      return SLOTS;
    }
    logarithm();
    powerOfTwo();
    if (x < 0 && isOdd()) SLOTS[0] = -SLOTS[0];
    return SLOTS;
  }
  if (y === 0) SLOTS[0] = 1;
  else if (!(size >= 0) || Number.isNaN(y)) SLOTS[0] = NaN;
  else if (size === 0 || size === Infinity) {
    const value = (size === 0) === y > 0 ? 0 : Infinity;
    SLOTS[0] = value;
    if ((x < 0 || 1 / x < 0) && isOdd()) SLOTS[0] = -SLOTS[0];
  } else if (!(Math.abs(y) < Infinity)) {
    SLOTS[0] = size === 1 ? NaN : size > 1 === y > 0 ? Infinity : 0;
  } else SLOTS[0] = NaN; // the power of a negative number with a fractional exponent
  return SLOTS;
}

/** Whether y is an odd integer. @alloc none */
function isOdd(): boolean {
  const half = 0.5 * SLOTS[1];
  return Math.floor(half) !== half && Math.floor(SLOTS[1]) === SLOTS[1];
}

/** Replaces the first slot by its cube root. @alloc none */
function cubeRoot(): Float64Array {
  const x = SLOTS[0];
  const size = Math.abs(x);
  if (!(size > 0 && size < Infinity)) return SLOTS;
  NUMBER[0] = size;
  const k = Math.floor(exponent() / 3) | 0;
  const down = (-3 * k) >> 1;
  const rest = -3 * k - down;
  const m = size * POWERS[OFFSET + down] * POWERS[OFFSET + rest]; // 1 ≤ m < 8
  // a straight line, then three Halley steps, each of which triples the digits
  const first = 0.9 + 0.16 * m;
  const cube1 = first * first * first;
  const second = first * ((cube1 + 2 * m) / (2 * cube1 + m));
  const cube2 = second * second * second;
  const third = second * ((cube2 + 2 * m) / (2 * cube2 + m));
  const cube3 = third * third * third;
  let root = third * ((cube3 + 2 * m) / (2 * cube3 + m));
  // Newton step with the rounding error of the cube
  const square = root * root;
  const squareLow = productError(root, root, square);
  const cube = square * root;
  const cubeLow = productError(square, root, cube) + squareLow * root;
  const left = m - cube - cubeLow;
  const slope = 3 * square;
  root += left / slope;
  const value = root * POWERS[OFFSET + k];
  SLOTS[0] = x > 0 ? value : -value;
  return SLOTS;
}

function setExponent(y: number): void {
  SLOTS[1] = y;
}

function ofBase(x: number): number {
  SLOTS[0] = x;
  return power()[0];
}

/** x^y with the special cases of ECMAScript; error at most 1 ulp. @alloc none */
export function pow(x: number, y: number): number {
  setExponent(y);
  return ofBase(x);
}

/** Cube root; error at most 1 ulp. @alloc none */
export function cbrt(x: number): number {
  SLOTS[0] = x;
  return cubeRoot()[0];
}
