/**
 * Elementary functions in fixed-point numbers of 1,400 binary places, by series that converge everywhere after one reduction: slow, and right to far more
 * digits than a double has. A reference that shares no line with what it judges.
 */

const PLACES = 1400n;
export const ONE = 1n << PLACES;

/** Rounded towards zero, so that a series ends. */
function mul(a: bigint, b: bigint): bigint {
  const product = a * b;
  return product < 0n ? -(-product >> PLACES) : product >> PLACES;
}
const div = (a: bigint, b: bigint): bigint => (a << PLACES) / b;

/** A double, exactly; below 2⁻¹⁰⁷⁴ there is none. */
export function fixed(x: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const raw = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const mantissa = raw === 0 ? fraction : fraction | (1n << 52n);
  const shift = PLACES + BigInt(Math.max(raw, 1) - 1075);
  return x < 0 ? -(mantissa << shift) : mantissa << shift;
}

/** Distance of a double from a number, in units of the last place of the double next to it. */
export function ulps(value: number, exact: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const raw = Number((view.getBigUint64(0) >> 52n) & 0x7ffn);
  const ulp = 1n << (PLACES + BigInt(Math.max(raw, 1) - 1075));
  const off = fixed(value) - exact;
  return Number(((off < 0n ? -off : off) * 1000n) / ulp) / 1000;
}

/** Σ xⁿ/n!, n from 0, of every kind: `step` 1 all terms, 2 every second one with changing sign. */
function taylor(first: bigint, square: bigint, from: bigint, step: bigint, sign: bigint): bigint {
  let term = first;
  let sum = first;
  for (let n = from; term !== 0n; n += step) {
    term = mul(term, square) / (step === 1n ? n : n * (n + 1n));
    if (sign < 0n) term = -term;
    sum += term;
  }
  return sum;
}

/** artanh by its series, |x| ≤ ½. */
function artanh(x: bigint): bigint {
  const square = mul(x, x);
  let power = x;
  let sum = 0n;
  for (let n = 1n; power !== 0n; n += 2n) {
    sum += power / n;
    power = mul(power, square);
  }
  return sum;
}

/** arctan by its series, |x| ≤ ½. */
function arctanSeries(x: bigint): bigint {
  const square = mul(x, x);
  let power = x;
  let sum = 0n;
  for (let n = 1n; power !== 0n; n += 2n) {
    sum += power / n;
    power = -mul(power, square);
  }
  return sum;
}

/** Largest whole number whose square is not larger. */
function root(square: bigint): bigint {
  let guess = 1n << BigInt((square.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (guess + square / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

const LN2 = 2n * artanh(ONE / 3n);
/** Machin 1706. */
export const PI = 4n * (4n * arctanSeries(ONE / 5n) - arctanSeries(ONE / 239n));

/** √x. */
export const sqrt = (x: bigint): bigint => root(x << PLACES);

export function exp(x: bigint): bigint {
  const k = x / LN2 - (x < 0n ? 1n : 0n);
  const value = taylor(ONE, x - k * LN2, 1n, 1n, 1n);
  return k >= 0n ? value << k : value >> -k;
}

export function log(x: bigint): bigint {
  const k = BigInt(x.toString(2).length) - PLACES;
  const m = k >= 0n ? x >> k : x << -k;
  return k * LN2 + 2n * artanh(div(m - ONE, m + ONE));
}

export function sin(x: bigint): bigint {
  const y = x % (2n * PI);
  return taylor(y, mul(y, y), 2n, 2n, -1n);
}

export function cos(x: bigint): bigint {
  const y = x % (2n * PI);
  return taylor(ONE, mul(y, y), 1n, 2n, -1n);
}

export function atan(x: bigint): bigint {
  if (x < 0n) return -atan(-x);
  if (x > ONE) return PI / 2n - atan(div(ONE, x));
  // half the angle, twice
  const half = div(x, ONE + sqrt(ONE + mul(x, x)));
  const quarter = div(half, ONE + sqrt(ONE + mul(half, half)));
  return 4n * arctanSeries(quarter);
}

/** Angle of a point that is not the origin. */
export function atan2(y: bigint, x: bigint): bigint {
  if (x > 0n) return atan(div(y, x));
  if (x === 0n) return y > 0n ? PI / 2n : -PI / 2n;
  return atan(div(y, x)) + (y < 0n ? -PI : PI);
}

export const asin = (x: bigint): bigint => atan2(x, sqrt(ONE - mul(x, x)));
export const acos = (x: bigint): bigint => atan2(sqrt(ONE - mul(x, x)), x);
export const pow = (x: bigint, y: bigint): bigint => exp(mul(y, log(x)));
export const log2 = (x: bigint): bigint => div(log(x), LN2);
export const sinh = (x: bigint): bigint => (exp(x) - exp(-x)) / 2n;
export const cosh = (x: bigint): bigint => (exp(x) + exp(-x)) / 2n;
export const tanh = (x: bigint): bigint => div(sinh(x), cosh(x));
export const acosh = (x: bigint): bigint => log(x + sqrt(mul(x, x) - ONE));

/** ∛x. */
export function cbrt(x: bigint): bigint {
  if (x < 0n) return -cbrt(-x);
  const value = x << (2n * PLACES);
  let guess = 1n << BigInt(Math.ceil(value.toString(2).length / 3) + 1);
  for (;;) {
    const next = (2n * guess + value / (guess * guess)) / 3n;
    if (next >= guess) return guess;
    guess = next;
  }
}
