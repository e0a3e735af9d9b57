/** The regularised incomplete beta function and its inverse, which tails of binomial and order statistics are made of. */
import { exp } from '../math/elementary/exponential.ts';
import { log } from '../math/elementary/logarithm.ts';

/** Coefficients of Lanczos's approximation with g = 7 (Godfrey 2001). */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
  -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
  1.5056327351493116e-7,
];
const HALF_LOG_TWO_PI = 0.9189385332046728;
const TINY = 1e-300;
/** The fraction takes some √max(a, b) terms. */
const MOST_TERMS = 100_000;
const BISECTIONS = 200;

/** ln Γ(x) for x ≥ 1/2, relative error of Γ below 1e-13. */
export function logGamma(x: number): number {
  let sum = LANCZOS[0];
  for (let k = 1; k < LANCZOS.length; k++) sum += LANCZOS[k] / (x - 1 + k);
  const t = x + 6.5;
  return HALF_LOG_TWO_PI + (x - 0.5) * log(t) - t + log(sum);
}

/** The continued fraction of I_x(a, b) (Abramowitz and Stegun, 26.5.8) by the method of Lentz. */
function fraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 - ((a + b) * x) / (a + 1);
  d = 1 / (Math.abs(d) < TINY ? TINY : d);
  let product = d;
  for (let m = 1; m < MOST_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    let factor = 1;
    for (const numerator of [even, odd]) {
      d = 1 + numerator * d;
      c = 1 + numerator / c;
      d = 1 / (Math.abs(d) < TINY ? TINY : d);
      if (Math.abs(c) < TINY) c = TINY;
      factor = c * d;
      product *= factor;
    }
    if (Math.abs(factor - 1) < 1e-15) break;
  }
  return product;
}

/** I_x(a, b) for a, b ≥ 1/2 and 0 ≤ x ≤ 1: the probability that a beta variable is at most x. */
export function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log(1 - x));
  return x < (a + 1) / (a + b + 2)
    ? (front * fraction(a, b, x)) / a
    : 1 - (front * fraction(b, a, 1 - x)) / b;
}

/** x with I_x(a, b) = p, by bisection to neighbouring numbers or 200 halvings. */
export function betaQuantile(a: number, b: number, p: number): number {
  let low = 0;
  let high = 1;
  for (let k = 0; k < BISECTIONS; k++) {
    const middle = 0.5 * (low + high);
    if (middle === low || middle === high) break;
    if (incompleteBeta(a, b, middle) < p) low = middle;
    else high = middle;
  }
  return 0.5 * (low + high);
}
