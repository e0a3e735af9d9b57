/**
 * sin and cos from + − × alone, so that their bits are the same on every machine.
 *
 * x = k π/2 + y, |y| ≤ π/4, y as a sum of two doubles; then the Taylor series, of which less than 2⁻⁵⁸ is left out. Up to 2²⁰ π/2 the multiple of π/2 is
 * taken in parts that are exact (Cody and Waite 1980); beyond, the fraction of 2x/π is multiplied out of the binary digits of 2/π
 * (Payne and Hanek 1983).
 */
import { exponent, powerOf2, scaled } from './bits.ts';

/** π/2 in parts of 33 bits, and what is left. */
const PART1 = 1.5707963267341256;
const PART2 = 6.077100506303966e-11;
const PART3 = 2.0222662487111665e-21;
const PART4 = 8.4784276603689e-32;
const PI_2 = 1.5707963267948966;
const PI_2_LOW = 6.123233995736766e-17;
const PER_PI_2 = 0.6366197723675814;
const PI_4 = 0.7853981633974483;
/** Largest argument whose multiple has 20 bits. */
const MEDIUM = 1647099;
const BASE = 0x100_0000;
/** 2/π in digits of 24 bits. */
const DIGITS = [
  0xa2f983, 0x6e4e44, 0x1529fc, 0x2757d1, 0xf534dd, 0xc0db62, 0x95993c, 0x439041, 0xfe5163,
  0xabdebb, 0xc561b7, 0x246e3a, 0x424dd2, 0xe00649, 0x2eea09, 0xd1921c, 0xfe1deb, 0x1cb129,
  0xa73ee8, 0x8235f5, 0x2ebb44, 0x84e99c, 0x7026b4, 0x5f7e41, 0x3991d6, 0x398353, 0x39f49c,
  0x845f8b, 0xbdf928, 0x3b1ff8, 0x97ffde, 0x05980f, 0xef2f11, 0x8b5a0a, 0x6d1f6d, 0x367ecf,
  0x27cb09, 0xb74f46, 0x3f669e, 0x5fea2d, 0x7527ba, 0xc7ebe5, 0xf17b3d, 0x0739f7, 0x8a5292,
  0xea6bfb, 0x5fb11f, 0x8d5d08, 0x560330, 0x46fc7b, 0x6babf0, 0xcfbc20,
];
/** Digits of the product before and behind the point. */
const COLUMNS = 8;

/** y, and the part of it that does not fit into a double. */
const REDUCED = new Float64Array(2);
const PARTS = new Float64Array(4);
const PRODUCT = new Float64Array(COLUMNS);

/** sin(x + tail), |x| ≤ π/4. @alloc none */
function sinNear(x: number, tail: number): number {
  const z = x * x;
  const series =
    1 / 120 +
    z *
      (-1 / 5040 +
        z *
          (1 / 362880 +
            z *
              (-1 / 39916800 +
                z * (1 / 6227020800 + z * (-1 / 1307674368000 + z * (1 / 355687428096000))))));
  const cube = z * x;
  return x - (z * (0.5 * tail - cube * series) - tail + cube * (1 / 6));
}

/** cos(x + tail), |x| ≤ π/4. @alloc none */
function cosNear(x: number, tail: number): number {
  const z = x * x;
  const series =
    z *
    (1 / 24 +
      z *
        (-1 / 720 +
          z *
            (1 / 40320 +
              z *
                (-1 / 3628800 +
                  z * (1 / 479001600 + z * (-1 / 87178291200 + z * (1 / 20922789888000)))))));
  const half = 0.5 * z;
  const main = 1 - half;
  return main + (1 - main - half + (z * series - x * tail));
}

/** Put y of x = k π/2 + y into REDUCED. @returns k modulo 4 @alloc none */
function reduce(x: number): number {
  if (x > MEDIUM || x < -MEDIUM) return reduceLarge(x);
  const k = Math.floor(x * PER_PI_2 + 0.5);
  const first = x - k * PART1;
  const b = k * PART2;
  const second = first - b;
  const t = second - first;
  const lost = first - (second - t) - (b + t);
  const d = k * PART3;
  const third = second - d;
  const u = third - second;
  const low = lost + (second - (third - u) - (d + u)) - k * PART4;
  const y = third + low;
  REDUCED[0] = y;
  REDUCED[1] = third - y + low;
  return k & 3;
}

/** The same for arguments beyond: columns of the product of the integer mantissa with the digits of 2/π. @alloc none */
function reduceLarge(x: number): number {
  const size = Math.abs(x);
  const e = exponent(size) - 52;
  const block = Math.floor(e / 24);
  let mantissa = scaled(size, -24 * block);
  for (let i = 0; i < 4; i++) {
    const above = Math.floor(mantissa / BASE);
    PARTS[i] = mantissa - BASE * above;
    mantissa = above;
  }
  // column n has the weight 2^(−24 n); columns before the first are multiples of 4
  let carry = 0;
  for (let n = COLUMNS - 1; n >= 0; n--) {
    let column = carry;
    for (let i = 0; i < 4; i++) {
      const digit = i + block - 1 + n;
      if (digit >= 0 && digit < DIGITS.length) column += PARTS[i] * DIGITS[digit];
    }
    carry = Math.floor(column / BASE);
    PRODUCT[n] = column - BASE * carry;
  }
  let k = PRODUCT[0] & 3;
  // a fraction above a half counts from the next multiple back
  const back = PRODUCT[1] >= BASE / 2;
  if (back) {
    k = (k + 1) & 3;
    for (let n = 1; n < COLUMNS; n++) PRODUCT[n] = BASE - 1 - PRODUCT[n];
  }
  let high = 0;
  let low = 0;
  for (let n = COLUMNS - 1, weight = powerOf2(-24 * (COLUMNS - 1)); n >= 1; n--, weight *= BASE) {
    const digit = PRODUCT[n] * weight;
    const next = digit + high;
    low += high - (next - digit);
    high = next;
  }
  // (high + low) π/2, by halves of 26 bits
  const a = Math.fround(high);
  const b = high - a;
  const c = Math.fround(PI_2);
  const d = PI_2 - c;
  const product = high * PI_2;
  const lost = a * c - product + a * d + b * c + b * d;
  const rest = lost + high * PI_2_LOW + low * PI_2;
  const y = product + rest;
  const tail = product - y + rest;
  const sign = back !== x < 0 ? -1 : 1;
  REDUCED[0] = sign * y;
  REDUCED[1] = sign * tail;
  return x < 0 ? -k & 3 : k;
}

/** sin x, x in rad; at most 1 ulp off; NaN for what is not finite. @alloc none */
export function sin(x: number): number {
  if (x <= PI_4 && x >= -PI_4) return x === 0 ? x : sinNear(x, 0);
  if (!Number.isFinite(x)) return NaN;
  const k = reduce(x);
  const y = REDUCED[0];
  const tail = REDUCED[1];
  const value = (k & 1) === 0 ? sinNear(y, tail) : cosNear(y, tail);
  return (k & 2) === 0 ? value : -value;
}

/** cos x, x in rad; at most 1 ulp off; NaN for what is not finite. @alloc none */
export function cos(x: number): number {
  if (x <= PI_4 && x >= -PI_4) return cosNear(x, 0);
  if (!Number.isFinite(x)) return NaN;
  const k = reduce(x);
  const y = REDUCED[0];
  const tail = REDUCED[1];
  const value = (k & 1) === 0 ? cosNear(y, tail) : sinNear(y, tail);
  return k === 0 || k === 3 ? value : -value;
}
