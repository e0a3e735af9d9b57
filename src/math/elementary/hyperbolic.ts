/** sinh, cosh, tanh and arcosh by e^x − 1 and ln(1 + x), so that their bits are the same on every machine. */
import { exp, expm1 } from './exponential.ts';
import { log, log1p } from './logarithm.ts';

/** From here on e^−x is nothing beside e^x. */
const LARGE = 22;
/** From here on e^x overflows before its half does. */
const HUGE = 709;
/** |x| below which sinh x and tanh x are x to the last bit. */
const TINY = 1e-9;
/** From here on x² − 1 is x². */
const SQUARE_IS_ALL = 1e9;
const LN2 = 0.6931471805599453;

/** sinh x; at most 3 ulp off. @alloc none */
export function sinh(x: number): number {
  const size = Math.abs(x);
  if (!(size > TINY)) return x;
  const half = x > 0 ? 0.5 : -0.5;
  if (size > HUGE) return half * exp(0.5 * size) * exp(0.5 * size);
  if (size > LARGE) return half * exp(size);
  const e = expm1(size);
  return size < 1 ? half * (2 * e - (e * e) / (e + 1)) : half * (e + e / (e + 1));
}

/** cosh x; at most 3 ulp off. @alloc none */
export function cosh(x: number): number {
  const size = Math.abs(x);
  if (size > HUGE) return 0.5 * exp(0.5 * size) * exp(0.5 * size);
  if (size < 0.35) {
    const e = expm1(size);
    return 1 + (e * e) / (2 * (1 + e));
  }
  const e = exp(size);
  return 0.5 * e + 0.5 / e;
}

/** tanh x; at most 3 ulp off. @alloc none */
export function tanh(x: number): number {
  const size = Math.abs(x);
  if (!(size > TINY)) return x;
  let value = 1;
  if (size < 1) {
    const e = expm1(-2 * size);
    value = -e / (e + 2);
  } else if (size < LARGE) value = 1 - 2 / (expm1(2 * size) + 2);
  return x > 0 ? value : -value;
}

/** arcosh x; at most 3 ulp off; NaN below 1. @alloc none */
export function acosh(x: number): number {
  if (x < 1) return NaN;
  if (x > SQUARE_IS_ALL) return log(x) + LN2;
  const t = x - 1;
  return log1p(t + Math.sqrt(t * (2 + t)));
}
