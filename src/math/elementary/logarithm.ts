/**
 * ln x, ln(1 + x) and log₂ x from + − × ÷ alone, so that their bits are the same on every machine.
 *
 * x = 2^k (1 + f), √½ ≤ 1 + f < √2, s = f/(2 + f): ln(1 + f) = 2 artanh s = f − f²/2 + s (f²/2 + T), T = Σ 2 s²ⁿ⁺²/(2n + 3) times s² …
 * In this order the terms that are rounded are small beside f.
 *
 * Short functions around others that take no double: circular.ts says why.
 */
import { OFFSET, POWERS } from './bits.ts';

const SLOTS = new Float64Array(2);
/** x, then ln x and log₂ x; or ln(1 + x). By another name, because code that reads what is exported is longer. */
export const LOGARITHMS = SLOTS;

/** The two halves of the first slot, and of the second. */
const HALVES = new Int32Array(SLOTS.buffer);

/** ln x and log₂ x of the first slot of LOGARITHMS, into both. @alloc none */
export function logarithms(): Float64Array {
  const slots = SLOTS;
  const powers = POWERS;
  // ln 2 by 33 bits and the rest, 1/ln 2 by a double and the rest, upper halves of 1 and √½
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
    x *= 18014398509481984; // 2^54: a normal number of a subnormal one
    slots[0] = x;
    k -= 54;
  }
  // the exponent goes up at √½
  const raised = (HALVES[1] + (one - rootHalf)) >>> 20;
  k += raised;
  const down = OFFSET + 1023 - raised;
  const f = x * powers[down] - 1;
  const under = 2 + f;
  const s = f / under;
  const half = 0.5 * f * f;
  // 2 Σ s²ⁿ/(2n + 1), n from 1: |s| ≤ 0.172, 1e-18 left out; in pairs of terms, which a processor computes beside one another
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

/** ln(1 + x) of the first slot of LOGARITHMS, into the first. @alloc none */
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
  // near one there is nothing to take out
  if (!(x > -0.29 && x < 0.29)) {
    const u = 1 + x;
    slots[0] = u;
    const raised = (HALVES[1] + (one - rootHalf)) >>> 20;
    k = raised - 1023;
    const down = OFFSET + 1023 - raised;
    f = u * powers[down] - 1;
    // what 1 + x lost
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

/** ln x; at most 1 ulp off. @alloc none */
export function log(x: number): number {
  SLOTS[0] = x;
  return logarithms()[0];
}

/** log₂ x; exact for powers of two, else at most 2 ulp off. @alloc none */
export function log2(x: number): number {
  SLOTS[0] = x;
  return logarithms()[1];
}

/** ln(1 + x); at most 1 ulp off. @alloc none */
export function log1p(x: number): number {
  SLOTS[0] = x;
  return logarithmBesideOne()[0];
}
