/**
 * ln x, ln(1 + x) and log₂ x from + − × ÷ alone, so that their bits are the same on every machine.
 *
 * x = 2^k (1 + f), √½ ≤ 1 + f < √2, s = f/(2 + f): ln(1 + f) = 2 artanh s = f − f²/2 + s (f²/2 +
 * T), T = Σ 2 s²ⁿ⁺²/(2n + 3) times s² … In this order the rounded terms are small beside f.
 *
 * Short exported functions call functions that pass no double; circular.ts gives the reason.
 */
import { OFFSET, POWERS } from './bits.ts';

const SLOTS = new Float64Array(2);
/** x, then ln x and log₂ x; or ln(1 + x). It is an alias, because code that reads an exported variable is longer. */
export const LOGARITHMS = SLOTS;

/** The two halves of the first slot, and of the second. */
const HALVES = new Int32Array(SLOTS.buffer);

/** Replaces the first slot of LOGARITHMS by ln x, and the second by log₂ x. @alloc none */
export function logarithms(): Float64Array {
  const slots = SLOTS;
  const powers = POWERS;
  // ln 2 as 33 bits and a remainder, 1/ln 2 as a double and a remainder, upper halves of 1 and √½
  const ln2 = 0.6931471804855391;
  const ln2Low = 7.440617110012397e-11;
  const perLn2 = 1.4426950408889634;
  const perLn2Low = 2.0355273740931033e-17;
  const one = 0x3ff0_0000;
  const rootHalf = 0x3fe6_a09e;
  let x = slots[0];
  if (!(x > 0 && x < Infinity)) {
    const value = x === 0 ? -Infinity : x > 0 ? Infinity : NaN;
    slots[0] = value;
    slots[1] = value;
    return slots;
  }
  let k = -1023;
  if (HALVES[1] < 0x0010_0000) {
    x *= 18014398509481984; // 2^54 turns a subnormal number into a normal one
    slots[0] = x;
    k -= 54;
  }
  // the exponent increases at √½
  const raised = (HALVES[1] + (one - rootHalf)) >>> 20;
  k += raised;
  const down = OFFSET + 1023 - raised;
  const f = x * powers[down] - 1;
  const under = 2 + f;
  const s = f / under;
  const half = 0.5 * f * f;
  // 2 Σ s²ⁿ/(2n + 1), n from 1: |s| ≤ 0.172, truncated below 1e-18; pairs of terms, which a
  // processor computes in parallel
  const z = s * s;
  const z2 = z * z;
  const z4 = z2 * z2;
  const near = 2 / 3 + z * (2 / 5) + z2 * (2 / 7 + z * (2 / 9));
  const middle = 2 / 11 + z * (2 / 13) + z2 * (2 / 15 + z * (2 / 17));
  const far = 2 / 19 + z * (2 / 21);
  const series = z * (near + z4 * (middle + z4 * far));
  const most = s * (half + series);
  const natural = -(half - most - f);
  slots[0] = k * ln2 - (half - (most + k * ln2Low) - f);
  slots[1] = k + (natural * perLn2 + natural * perLn2Low);
  return slots;
}

/** Replaces the first slot of LOGARITHMS by ln(1 + x). @alloc none */
export function logarithmBesideOne(): Float64Array {
  const slots = SLOTS;
  const powers = POWERS;
  const ln2 = 0.6931471804855391;
  const ln2Low = 7.440617110012397e-11;
  const one = 0x3ff0_0000;
  const rootHalf = 0x3fe6_a09e;
  const x = slots[0];
  if (!(x > -1 && x < Infinity)) {
    slots[0] = x === -1 ? -Infinity : x > -1 ? Infinity : NaN;
    return slots;
  }
  let k = 0;
  let f = x;
  let rest = 0;
  // near one no power of two is split off
  if (!(x > -0.29 && x < 0.29)) {
    const u = 1 + x;
    slots[0] = u;
    const raised = (HALVES[1] + (one - rootHalf)) >>> 20;
    k = raised - 1023;
    const down = OFFSET + 1023 - raised;
    f = u * powers[down] - 1;
    // rounding error of 1 + x
    rest = k > 53 ? 0 : (x >= 1 ? 1 - (u - x) : x - (u - 1)) / u;
  }
  const under = 2 + f;
  const s = f / under;
  const half = 0.5 * f * f;
  // as in `logarithms`
  const z = s * s;
  const z2 = z * z;
  const z4 = z2 * z2;
  const near = 2 / 3 + z * (2 / 5) + z2 * (2 / 7 + z * (2 / 9));
  const middle = 2 / 11 + z * (2 / 13) + z2 * (2 / 15 + z * (2 / 17));
  const far = 2 / 19 + z * (2 / 21);
  const series = z * (near + z4 * (middle + z4 * far));
  const most = s * (half + series) + (k * ln2Low + rest);
  slots[0] = x === 0 ? x : k * ln2 - (half - most - f);
  return slots;
}

/** ln x; error at most 1 ulp. @alloc none */
export function log(x: number): number {
  SLOTS[0] = x;
  return logarithms()[0];
}

/** log₂ x; exact for powers of two, else error at most 2 ulp. @alloc none */
export function log2(x: number): number {
  SLOTS[0] = x;
  return logarithms()[1];
}

/** ln(1 + x); error at most 1 ulp. @alloc none */
export function log1p(x: number): number {
  SLOTS[0] = x;
  return logarithmBesideOne()[0];
}
