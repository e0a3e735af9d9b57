/** The standard normal distribution: its probability, and the inverse of that. Only + − × ÷ √ and the functions of src/math: the same bits on every machine. */
import { exp } from '../math/elementary/exponential.ts';
import { log } from '../math/elementary/logarithm.ts';

const ROOT_TWO_PI = 2.5066282746310002;
/** Beyond this the probability differs from 1 by less than half its last digit. */
const FAR = 8.3;

/**
 * Φ(z), by the series of Marsaglia (2004), J. Statist. Softw. 11(4), (3): Φ = 1/2 + φ(z) (z + z³/3 + z⁵/(3·5) + …).
 * Absolute error below 1e-15.
 */
export function normalProbability(z: number): number {
  if (z > FAR) return 1;
  if (z < -FAR) return 0;
  let term = z;
  let sum = z;
  for (let k = 3; ; k += 2) {
    term *= (z * z) / k;
    const next = sum + term;
    if (next === sum) break;
    sum = next;
  }
  return 0.5 + (sum * exp(-0.5 * z * z)) / ROOT_TWO_PI;
}

/** Σ c_k x^k, highest power first. */
function polynomial(x: number, coefficients: readonly number[]): number {
  let sum = 0;
  for (const c of coefficients) sum = sum * x + c;
  return sum;
}

/** Numerators and denominators of the three ranges of AS 241 (PPND16), highest power first. */
const MIDDLE = [
  [
    2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457,
    13731.693765509461125, 1971.5909503065514427, 133.14166789178437745, 3.387132872796366608,
  ],
  [
    5226.495278852854561, 28729.085735721942674, 39307.89580009271061, 21213.794301586595867,
    5394.1960214247511077, 687.1870074920579083, 42.313330701600911252, 1,
  ],
] as const;
const OUTER = [
  [
    7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177,
    1.27045825245236838258, 3.64784832476320460504, 5.7694972214606914055, 4.6303378461565452959,
    1.42343711074968357734,
  ],
  [
    1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966,
    0.14810397642748007459, 0.68976733498510000455, 1.6763848301838038494, 2.05319162663775882187,
    1,
  ],
] as const;
const TAIL = [
  [
    2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386,
    0.026532189526576123093, 0.29656057182850489123, 1.7848265399172913358, 5.4637849111641143699,
    6.6579046435011037772,
  ],
  [
    2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5,
    7.868691311456132591e-4, 0.0148753612908506148525, 0.13692988092273580531,
    0.59983220655588793769, 1,
  ],
] as const;

/** Φ⁻¹(u) for 0 < u < 1, relative error below 1e-15 (Wichura 1988, AS 241, Appl. Statist. 37(3)). ∓∞ at 0 and 1. */
export function normalQuantile(u: number): number {
  const q = u - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (q * polynomial(r, MIDDLE[0])) / polynomial(r, MIDDLE[1]);
  }
  const least = q < 0 ? u : 1 - u;
  if (!(least > 0)) return q < 0 ? -Infinity : Infinity;
  const r = Math.sqrt(-log(least));
  const [from, [above, below]] = r <= 5 ? [1.6, OUTER] : [5, TAIL];
  const z = polynomial(r - from, above) / polynomial(r - from, below);
  return q < 0 ? -z : z;
}
