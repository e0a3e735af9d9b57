/**
 * sin and cos from + − × alone, so that their bits are the same on every machine.
 *
 * x = k π/2 + y, |y| ≤ π/4, with y as a sum of two doubles; then the Taylor series, truncated below
 * 2⁻⁵⁸. Up to 2²⁰ π/2 the multiple of π/2 is subtracted in exact parts (Cody and Waite 1980).
 * Beyond, the fraction of 2x/π is a product with the binary digits of 2/π (Payne and Hanek 1983).
 *
 * No call here may pass a double that the compiler does not inline, because it would be allocated.
 * V8 inlines the exported functions at frequent call sites, because their code has at most 27
 * bytes. The functions that they call have more than 460 bytes and are never inlined; they pass
 * numbers in slots. test/src/math/elementary-allocation.test.ts checks this. In code that uses
 * these functions, an identifier such as NaN must not share a variable with a double: its value is
 * boxed.
 */
import { NUMBER, OFFSET, POWERS, exponent } from './bits.ts';

const BASE = 0x100_0000;
/** 2/π in 24-bit digits. */
const DIGITS = [
  0xa2f983, 0x6e4e44, 0x1529fc, 0x2757d1, 0xf534dd, 0xc0db62, 0x95993c, 0x439041, 0xfe5163,
  0xabdebb, 0xc561b7, 0x246e3a, 0x424dd2, 0xe00649, 0x2eea09, 0xd1921c, 0xfe1deb, 0x1cb129,
  0xa73ee8, 0x8235f5, 0x2ebb44, 0x84e99c, 0x7026b4, 0x5f7e41, 0x3991d6, 0x398353, 0x39f49c,
  0x845f8b, 0xbdf928, 0x3b1ff8, 0x97ffde, 0x05980f, 0xef2f11, 0x8b5a0a, 0x6d1f6d, 0x367ecf,
  0x27cb09, 0xb74f46, 0x3f669e, 0x5fea2d, 0x7527ba, 0xc7ebe5, 0xf17b3d, 0x0739f7, 0x8a5292,
  0xea6bfb, 0x5fb11f, 0x8d5d08, 0x560330, 0x46fc7b, 0x6babf0, 0xcfbc20,
];
/** Digits of the product before and behind the binary point. */
const COLUMNS = 8;

/** x, then sin x and cos x. During the computation y and its low part. */
const SLOTS = new Float64Array(2);
/** Angle for `sinCos`, rad. It is an alias, because code that reads an exported variable is longer. */
export const ANGLE = SLOTS;
const PARTS = new Float64Array(4);
const PRODUCT = new Float64Array(COLUMNS);

/**
 * Replaces the angle in ANGLE by its sine and cosine, in two slots. They stay until the next call
 * of a function of this file. It costs as much as one of them, and allocates nothing also in seldom
 * executed code, where `sin` is not inlined. @alloc none
 */
export function sinCos(): Float64Array {
  const slots = SLOTS;
  let y = slots[0];
  let tail = 0;
  let k = 0;
  if (!(y <= 0.7853981633974483 && y >= -0.7853981633974483)) {
    // a 20-bit multiple of π/2; π/2 in parts of 33 bits and a remainder
    if (y <= 1647099 && y >= -1647099) {
      const multiple = Math.floor(y * 0.6366197723675814 + 0.5);
      const first = y - multiple * 1.5707963267341256;
      const b = multiple * 6.077100506303966e-11;
      const second = first - b;
      const t = second - first;
      const lost = first - (second - t) - (b + t);
      const d = multiple * 2.0222662487111665e-21;
      const third = second - d;
      const u = third - second;
      const low = lost + (second - (third - u) - (d + u)) - multiple * 8.4784276603689e-32;
      y = third + low;
      tail = third - y + low;
      k = multiple & 3;
    } else {
      k = reduceLarge();
      y = slots[0];
      tail = slots[1];
    }
  }
  // pairs of terms, which a processor computes in parallel
  const z = y * y;
  const z2 = z * z;
  const z4 = z2 * z2;
  const cube = z * y;
  const odd =
    1 / 120 +
    z * (-1 / 5040) +
    z2 * (1 / 362880 + z * (-1 / 39916800)) +
    z4 * (1 / 6227020800 + z * (-1 / 1307674368000) + z2 * (1 / 355687428096000));
  const sine = y - (z * (0.5 * tail - cube * odd) - tail + cube * (1 / 6));
  const even =
    1 / 24 +
    z * (-1 / 720) +
    z2 * (1 / 40320 + z * (-1 / 3628800)) +
    z4 * (1 / 479001600 + z * (-1 / 87178291200) + z2 * (1 / 20922789888000));
  const half = 0.5 * z;
  const main = 1 - half;
  const cosine = main + (1 - main - half + (z2 * even - y * tail));
  const across = (k & 1) !== 0;
  const s = across ? cosine : sine;
  const c = across ? sine : cosine;
  slots[0] = k > 1 ? -s : s;
  slots[1] = k === 1 || k === 2 ? -c : c;
  return slots;
}

/**
 * Reduces the large x of the first slot to y and its low part: columns of the product of the
 * integer mantissa with the digits of 2/π. NaN for values that are not finite. @returns k modulo 4
 * @alloc none
 */
function reduceLarge(): number {
  const x = SLOTS[0];
  const size = Math.abs(x);
  if (!(size < Infinity)) {
    SLOTS[0] = NaN;
    return 0;
  }
  NUMBER[0] = size;
  const block = Math.floor((exponent() - 52) / 24);
  const half = -12 * block;
  let mantissa = size * POWERS[OFFSET + half] * POWERS[OFFSET + half];
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
  // a fraction above a half counts back from the next multiple
  const back = PRODUCT[1] >= BASE / 2;
  if (back) {
    k = (k + 1) & 3;
    for (let n = 1; n < COLUMNS; n++) PRODUCT[n] = BASE - 1 - PRODUCT[n];
  }
  let high = 0;
  let low = 0;
  for (let n = COLUMNS - 1; n >= 1; n--) {
    const digit = PRODUCT[n] * POWERS[OFFSET - 24 * n];
    const next = digit + high;
    low += high - (next - digit);
    high = next;
  }
  // (high + low) π/2, in halves of 26 bits
  const quarter = 1.5707963267948966;
  const a = Math.fround(high);
  const b = high - a;
  const c = Math.fround(quarter);
  const d = quarter - c;
  const product = high * quarter;
  const lost = a * c - product + a * d + b * c + b * d;
  const rest = lost + high * 6.123233995736766e-17 + low * quarter;
  const y = product + rest;
  const tail = product - y + rest;
  const sign = back !== x < 0 ? -1 : 1;
  SLOTS[0] = sign * y;
  SLOTS[1] = sign * tail;
  return x < 0 ? -k & 3 : k;
}

/** sin x, x in rad; error at most 1 ulp; NaN for values that are not finite. @alloc none */
export function sin(x: number): number {
  SLOTS[0] = x;
  return sinCos()[0];
}

/** cos x, x in rad; error at most 1 ulp; NaN for values that are not finite. @alloc none */
export function cos(x: number): number {
  SLOTS[0] = x;
  return sinCos()[1];
}
