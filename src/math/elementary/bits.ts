/** The two halves of a double, as exponent and mantissa functions need them. Little-endian, as every machine that Node supports. */

const DOUBLE = new Float64Array(1);
const HALVES = new Uint32Array(DOUBLE.buffer);
/** 2^54: makes a normal number of a subnormal one. */
const LIFT = 0x40_0000_0000_0000;

/** Upper 32 bits of a double: sign, exponent, 20 bits of mantissa. @alloc none */
export function upperHalf(x: number): number {
  DOUBLE[0] = x;
  return HALVES[1];
}

/** Exponent k of x = m·2^k, 1 ≤ |m| < 2; x finite and not zero. @alloc none */
export function exponent(x: number): number {
  const raw = (upperHalf(x) >>> 20) & 0x7ff;
  if (raw > 0) return raw - 1023;
  return ((upperHalf(x * LIFT) >>> 20) & 0x7ff) - 1077;
}

/** Mantissa that `balancedExponent` left. */
export const MANTISSA = DOUBLE;
/** Upper half of √½, and of 1. */
const SQRT_HALF = 0x3fe6a09e;
const ONE = 0x3ff00000;

/** k of x = m·2^k, √½ ≤ m < √2, with m in MANTISSA; x finite and above zero. @alloc none */
export function balancedExponent(x: number): number {
  DOUBLE[0] = x;
  let upper = HALVES[1];
  let lifted = 0;
  if (upper < 0x0010_0000) {
    DOUBLE[0] = x * LIFT;
    upper = HALVES[1];
    lifted = 54;
  }
  upper += ONE - SQRT_HALF;
  HALVES[1] = (upper & 0xf_ffff) + SQRT_HALF;
  return (upper >>> 20) - 1023 - lifted;
}

/** x·2^k for an integer k, rounded once. @alloc none */
export function scaled(x: number, k: number): number {
  let value = x;
  let rest = k;
  for (; rest > 1023; rest -= 1023) value *= powerOf2(1023);
  // the way down stays normal until the last step: two roundings would be one too many
  for (; rest < -1022; rest += 969) value *= powerOf2(-969);
  return value * powerOf2(rest);
}

/** 2^k, −1022 ≤ k ≤ 1023. @alloc none */
export function powerOf2(k: number): number {
  HALVES[0] = 0;
  HALVES[1] = (k + 1023) << 20;
  return DOUBLE[0];
}
