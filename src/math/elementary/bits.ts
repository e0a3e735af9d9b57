/**
 * Powers of two, and the exponent of a double. Numbers pass in slots here: a call that is given a double, or returns one, allocates where the
 * compiler does not inline it.
 */

const LEAST = -1074;
const MOST = 1023;

/** Add it to k for the place of 2^k in POWERS. */
export const OFFSET = -LEAST;
/** 2^k, −1074 ≤ k ≤ 1023. One factor never rounds; two, with half of k each, reach further and round once. */
export const POWERS = new Float64Array(MOST - LEAST + 1);
POWERS[OFFSET] = 1;
for (let k = 1; k <= MOST; k++) POWERS[OFFSET + k] = 2 * POWERS[OFFSET + k - 1];
for (let k = -1; k >= LEAST; k--) POWERS[OFFSET + k] = 0.5 * POWERS[OFFSET + k + 1];

/** The number for `exponent` and `balancedExponent`, which leaves its mantissa here. */
export const NUMBER = new Float64Array(1);
/** Little-endian, as every machine that Node supports. */
const HALVES = new Int32Array(NUMBER.buffer);

/** k of NUMBER = m·2^k, 1 ≤ m < 2; finite and above zero. @alloc none */
export function exponent(): number {
  const raw = HALVES[1] >>> 20;
  if (raw > 0) return raw - 1023;
  NUMBER[0] *= 0x40_0000_0000_0000; // 2^54: a normal number of a subnormal one
  return (HALVES[1] >>> 20) - 1077;
}

/** k of NUMBER = m·2^k, √½ ≤ m < √2, with m left in NUMBER; finite and above zero. @alloc none */
export function balancedExponent(): number {
  let lifted = 0;
  if (HALVES[1] < 0x0010_0000) {
    NUMBER[0] *= 0x40_0000_0000_0000;
    lifted = 54;
  }
  // upper halves of 1 and of √½: the exponent goes up at √½
  const k = ((HALVES[1] + (0x3ff0_0000 - 0x3fe6_a09e)) >>> 20) - 1023;
  NUMBER[0] *= POWERS[OFFSET - k];
  return k - lifted;
}
