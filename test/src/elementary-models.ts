/** What the measurement of the heap takes of the elementary functions: each with arguments that reach all of its paths. */
import { ANGLE, cos, sin, sinCos } from '../../src/math/elementary/circular.ts';
import { exp, expm1 } from '../../src/math/elementary/exponential.ts';
import { acosh, cosh, sinh, tanh } from '../../src/math/elementary/hyperbolic.ts';
import { acos, asin, atan, atan2 } from '../../src/math/elementary/inverse-circular.ts';
import { log, log1p, log2 } from '../../src/math/elementary/logarithm.ts';
import { cbrt, pow } from '../../src/math/elementary/power.ts';

export function sinOfBoth(x: number): number {
  ANGLE[0] = x;
  return sinCos()[0];
}
export { acos, acosh, asin, atan, atan2, cbrt, cos, cosh, exp, expm1, log, log1p, log2, pow };
export { sin, sinh, tanh };

/** Arguments that the calls cycle through. */
const COUNT = 256;
/** Ends of domains, what is beyond, and sizes that are rare: one argument in eight. */
const RARE = [0, -0, 1, -1, 1e-12, 5e-324, 1e8, -1e300, Infinity, -Infinity, NaN, 30, -50, 720];

/** The same numbers at every run, most of them between `low` and `high`. */
function numbers(low: number, high: number, rare: readonly number[]): Float64Array {
  return Float64Array.from({ length: COUNT }, (_, i) => {
    const place = (i * 0.6180339887498949) % 1;
    return i % 8 === 7 && rare.length > 0
      ? rare[(i >> 3) % rare.length]
      : low + (high - low) * place;
  });
}

/** Ordinary arguments, and some that are not. */
export const usual = numbers(0.05, 0.95, []);
export const wide = numbers(-4, 4, RARE);
/** Second arguments of atan2 and pow. */
export const second = numbers(-3, 3, [0, 1, 2, 0.5, Infinity, 1e200, -3, NaN]);
