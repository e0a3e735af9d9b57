/**
 * Powers of two, and the exponent of a double. Numbers are passed in slots: a call that takes or
 * returns a double allocates where the compiler does not inline it.
 */

const LEAST = -1074;
const MOST = 1023;

/** Index of 2^0 in POWERS. */
export const OFFSET = -LEAST;
/**
 * POWERS[OFFSET + k] = 2^k, −1074 ≤ k ≤ 1023. A multiplication by one power never rounds. Two
 * powers of half the exponent reach further and round once.
 */
export const POWERS = new Float64Array(MOST - LEAST + 1);
POWERS[OFFSET] = 1;
for (let k = 1; k <= MOST; k++) POWERS[OFFSET + k] = 2 * POWERS[OFFSET + k - 1];
for (let k = -1; k >= LEAST; k--) POWERS[OFFSET + k] = 0.5 * POWERS[OFFSET + k + 1];

/** Argument of `exponent` and `balancedExponent`; the latter leaves the mantissa here. */
export const NUMBER = new Float64Array(1);
/** Little-endian, as on every machine that Node supports. */
const HALVES = new Int32Array(NUMBER.buffer);

/** k of NUMBER = m·2^k, 1 ≤ m < 2, for a finite positive NUMBER. @alloc none */
export function exponent(): number {
  const raw = HALVES[1] >>> 20;
  if (raw > 0) return raw - 1023;
  NUMBER[0] *= 0x40_0000_0000_0000; // 2^54 turns a subnormal number into a normal one
  return (HALVES[1] >>> 20) - 1077;
}

/** k of NUMBER = m·2^k, √½ ≤ m < √2, for a finite positive NUMBER; leaves m in NUMBER. @alloc none */
export function balancedExponent(): number {
  let lifted = 0;
  if (HALVES[1] < 0x0010_0000) {
    NUMBER[0] *= 0x40_0000_0000_0000;
    lifted = 54;
  }
  // upper halves of 1 and √½: the exponent increases at √½
  const k = ((HALVES[1] + (0x3ff0_0000 - 0x3fe6_a09e)) >>> 20) - 1023;
  NUMBER[0] *= POWERS[OFFSET - k];
  return k - lifted;
}
