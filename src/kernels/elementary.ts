/**
 * e^x, e^x − 1 and x^y for x > 0: the arithmetic of src/math/elementary, operation by operation, so that the bits agree. Equations and
 * error bounds stand there. Here numbers may be returned: nothing is allocated for them.
 */

/** 2^k for −1022 <= k <= 1023. */
function powerOfTwo(k: i32): f64 {
  return reinterpret<f64>((<i64>(k + 1023)) << 52);
}

/** e^x. */
export function exp(x: f64): f64 {
  return x == 0 ? 1.0 : exponential(x, false);
}

/** e^x − 1. */
export function expm1(x: f64): f64 {
  return exponential(x, true);
}

function exponential(x: f64, less: bool): f64 {
  if (!(x <= 709.782712893384 && x >= -745.1332191019412)) {
    const whole = x > 0 ? Infinity : x < 0 ? 0.0 : NaN;
    return less && x < 0 ? -1.0 : whole;
  }
  const near = x <= 0.34657359027997264 && x >= -0.34657359027997264;
  const k = near ? 0 : <i32>Math.floor(x * 1.4426950408889634 + 0.5);
  const high = x - <f64>k * 0.6931471804855391;
  const low = <f64>k * 7.440617110012397e-11;
  const r = high - low;
  const z = r * r;
  const z2 = z * z;
  const even =
    0.16666666666666666 +
    z * -0.002777777777777778 +
    z2 * (6.613756613756614e-5 + z * -1.6534391534391535e-6) +
    z2 * z2 * (4.17535139757362e-8 + z * -1.0568380277374986e-9);
  const c = r - z * even;
  const part = (r * c) / (2.0 - c);
  if (!less || k > 60) {
    const half = k >> 1;
    return (1.0 + (high - (low - part))) * powerOfTwo(half) * powerOfTwo(k - half);
  }
  if (k < -60) return -1.0;
  const error = high - r - low;
  const rest = part + error + r * error;
  const factor = powerOfTwo(k);
  const main = factor * r;
  const one = factor - 1.0;
  const sum = one + main;
  const lost = Math.abs(one) >= Math.abs(main) ? main - (sum - one) : one - (sum - main);
  return x == 0 ? x : sum + (lost + factor * rest);
}

/** Rounding error of p = a b. */
function productError(a: f64, b: f64, p: f64): f64 {
  const sa = 134217729.0 * a;
  const a1 = sa - (sa - a);
  const a2 = a - a1;
  const sb = 134217729.0 * b;
  const b1 = sb - (sb - b);
  const b2 = b - b1;
  return a1 * b1 - p + a1 * b2 + a2 * b1 + a2 * b2;
}

function tail(z: f64): f64 {
  const z2 = z * z;
  const z4 = z2 * z2;
  const near = 2.0 / 5.0 + z * (2.0 / 7.0) + z2 * (2.0 / 9.0 + z * (2.0 / 11.0));
  const middle = 2.0 / 13.0 + z * (2.0 / 15.0) + z2 * (2.0 / 17.0 + z * (2.0 / 19.0));
  return z * (near + z4 * (middle + z4 * (2.0 / 21.0 + z * (2.0 / 23.0) + z2 * (2.0 / 25.0))));
}

/** x^y for x > 0 and a finite y; NaN elsewhere. */
export function pow(x: f64, y: f64): f64 {
  if (y == 1 || x == 1) return x;
  if (y == 2) return x * x;
  if (y == 0.5) return Math.sqrt(x);
  if (y == 0) return 1.0;
  if (x == 0) return y > 0 ? 0.0 : Infinity;
  if (x == Infinity) return y > 0 ? Infinity : 0.0;
  if (!(x > 0)) return NaN;
  // x = m 2^k, √½ <= m < √2
  let m = x;
  let lifted = 0;
  let upper = <i32>(reinterpret<i64>(m) >> 32);
  if (upper < 0x0010_0000) {
    m *= 18014398509481984.0;
    lifted = 54;
    upper = <i32>(reinterpret<i64>(m) >> 32);
  }
  const k0 = ((upper + (0x3ff0_0000 - 0x3fe6_a09e)) >>> 20) - 1023;
  // beyond 2^1022 the power is subnormal
  m *= k0 > 1022 ? powerOfTwo(1022 - k0) * powerOfTwo(-1022) : powerOfTwo(-k0);
  const k = <f64>(k0 - lifted);
  const f = m - 1.0;
  const under = 2.0 + f;
  const underLow = 2.0 - under + f;
  const s = f / under;
  const p = s * under;
  const sLow = (f - p - productError(s, under, p) - s * underLow) / under;
  const z = s * s;
  const zLow = productError(s, s, z) + 2.0 * s * sLow;
  const cube = z * s;
  const cubeLow = productError(z, s, cube) + zLow * s + z * sLow;
  const thirds = 0.6666666666666666;
  const second = thirds * cube;
  const secondLow =
    productError(thirds, cube, second) + 3.700743415417188e-17 * cube + thirds * cubeLow;
  const first = 2.0 * s;
  const natural = first + second;
  const naturalLow = first - natural + second + (2.0 * sLow + secondLow + cube * tail(z));
  const perLn2 = 1.4426950408889634;
  const log = natural * perLn2;
  const logLow =
    productError(natural, perLn2, log) + natural * 2.0355273740931033e-17 + naturalLow * perLn2;
  const whole = k + log;
  const rest = (Math.abs(k) >= Math.abs(log) ? k - whole + log : log - whole + k) + logLow;
  const large = whole + rest;
  const small = whole - large + rest;
  return binary(large, small, y);
}

/** 2^(y (large + small)). */
function binary(large: f64, small: f64, y: f64): f64 {
  const a = large * y;
  if (!(a <= 1100.0 && a >= -1200.0)) return a > 0 ? Infinity : 0.0;
  const b = Math.abs(y) > 1e100 ? 0.0 : productError(large, y, a) + small * y;
  const k = <i32>Math.floor(a + 0.5);
  const r = a - <f64>k;
  const ln2 = 0.6931471805599453;
  const p = r * ln2;
  const pLow = productError(r, ln2, p) + r * 2.3190468138462996e-17 + b * ln2;
  const z = p * p;
  const z2 = z * z;
  const even =
    0.16666666666666666 +
    z * -0.002777777777777778 +
    z2 * (6.613756613756614e-5 + z * -1.6534391534391535e-6) +
    z2 * z2 * (4.17535139757362e-8 + z * -1.0568380277374986e-9);
  const c = p - z * even;
  const part = (p * c) / (2.0 - c);
  const half = k >> 1;
  return (1.0 + (p + (part + pLow * (1.0 + (p + part))))) * powerOfTwo(half) * powerOfTwo(k - half);
}
