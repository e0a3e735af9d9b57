/**
 * Dimensionless damping factor d(e) of the hysteretic normal law: the factor for which an impact returns exactly the
 * restitution e, for any mass, stiffness and elastic law.
 *
 * d solves h(d/e) = h(−d) with h(y) = y − ln(1 + y), 0 <= d < 1. `Gonthier 2007, (3.22)–(3.23)`,
 * docs/theory/point-contact.md.
 */
import { BerthError } from '../../base/errors.ts';
import { oneOf } from '../../base/parameter-checks.ts';
import { expm1 } from '../../math/elementary/exponential.ts';
import { log, log1p } from '../../math/elementary/logarithm.ts';

/** Ways to turn a restitution into a damping factor. Only `exact` returns the restitution that was asked for. */
export const DAMPING_VARIANTS = [
  'exact',
  'hunt-crossley',
  'lankarani-nikravesh',
  'flores',
] as const;
export type DampingVariant = (typeof DAMPING_VARIANTS)[number];

/** h(y) = y − ln(1 + y), y > −1, without cancellation near zero. */
export function level(y: number): number {
  if (Math.abs(y) >= 0.05) return y - log1p(y);
  let term = y;
  let sum = 0;
  for (let n = 2; n < 40; n++) {
    term *= -y;
    const c = -term / n;
    sum += c;
    if (Math.abs(c) < 1e-18 * Math.abs(sum)) break;
  }
  return sum;
}

/**
 * The exact damping factor. Solved by bisection in w = −ln(1 − d), which neither overflows for small e nor cancels near 1.
 * @param e restitution in (0, 1]
 */
export function dampingFactor(e: number): number {
  checkRestitution(e);
  if (e === 1) return 0;
  if (e < 0.02) return 1; // 1 − d < 4e-21
  let low = (0.75 * e * (1 - e)) / (1 - e + e * e); // the mismatch is positive here …
  let high = 2 + 1 / e + log(1 + 1 / e); // … and negative here
  for (let i = 0; i < 200; i++) {
    const w = 0.5 * (low + high);
    if (w === low || w === high) break;
    const d = -expm1(-w);
    const mismatch = level(d / e) - (d < 0.05 ? level(-d) : w - d);
    if (mismatch > 0) low = w;
    else high = w;
  }
  return -expm1(-0.5 * (low + high));
}

/** Hunt and Crossley's factor, 1.5 e (1 − e): right only near e = 1. `Gonthier 2007, (3.13)`. */
export function huntCrossleyFactor(e: number): number {
  checkRestitution(e);
  return 1.5 * e * (1 - e);
}

/** Lankarani and Nikravesh's factor, 0.75 e (1 − e²): right only near e = 1. `Gonthier 2007, (3.16)`. */
export function lankaraniNikraveshFactor(e: number): number {
  checkRestitution(e);
  return 0.75 * e * (1 - e * e);
}

/** The factor of Flores et al., 8/5 (1 − e): never far off, right at e = 1. `Flores et al. 2011, A = 8 (1 − e)/(5 e v_i)`. */
export function floresFactor(e: number): number {
  checkRestitution(e);
  return 1.6 * (1 - e);
}

/** The factor of a variant. */
export function dampingFactorOf(variant: DampingVariant, e: number): number {
  oneOf('variant', variant, DAMPING_VARIANTS);
  if (variant === 'flores') return floresFactor(e);
  if (variant === 'hunt-crossley') return huntCrossleyFactor(e);
  if (variant === 'lankarani-nikravesh') return lankaraniNikraveshFactor(e);
  return dampingFactor(e);
}

/**
 * Dimensionless damping z = A v_i of an impact, d(e)/e, for f = k δⁿ (1 + A δ̇). With `exact` the impact returns e; what the
 * others return is deliveredRestitution(z).
 * @param e restitution in (0, 1]
 */
export function dampingForRestitution(e: number, variant: DampingVariant = 'exact'): number {
  return dampingFactorOf(variant, e) / e;
}

function checkRestitution(e: number): void {
  if (!(e > 0 && e <= 1)) {
    throw new BerthError(
      'BERTH_PARAMETER_RANGE',
      `Expected restitution in (0, 1], got ${e}: a restitution of exactly 0 has no damping factor, use 0.01`,
      { field: 'restitution' },
    );
  }
}
