/**
 * Dimensionless damping factor d(e) of the hysteretic normal law: the factor for which an impact returns exactly the
 * restitution e, for any mass, stiffness and elastic law.
 *
 * d solves h(d/e) = h(−d) with h(y) = y − ln(1 + y), 0 <= d < 1. `Gonthier 2007, (3.22)–(3.23)`,
 * docs/theory/point-contact.md.
 */
import { BerthError } from '../../base/errors.ts';
import { oneOf } from '../../base/parameter-checks.ts';
import { EXPONENTIALS, exponentials } from '../../math/elementary/exponential.ts';
import { logarithmBesideOne, LOGARITHMS, logarithms } from '../../math/elementary/logarithm.ts';

/** Ways to turn a restitution into a damping factor. Only `exact` returns the restitution that was asked for. */
export const DAMPING_VARIANTS = [
  'exact',
  'hunt-crossley',
  'lankarani-nikravesh',
  'flores',
] as const;
export type DampingVariant = (typeof DAMPING_VARIANTS)[number];

/** In and out of the functions without arguments: a call that is not inlined boxes its numbers. */
export const FACTOR = new Float64Array(1);

/** Replaces FACTOR[0] = y, y > −1, by h(y) = y − ln(1 + y) without cancellation near zero. @alloc none */
function takeLevel(): void {
  const y = FACTOR[0];
  if (Math.abs(y) >= 0.05) {
    LOGARITHMS[0] = y;
    FACTOR[0] = y - logarithmBesideOne()[0];
    return;
  }
  let term = y;
  let sum = 0;
  for (let n = 2; n < 40; n++) {
    term *= -y;
    const c = -term / n;
    sum += c;
    if (Math.abs(c) < 1e-18 * Math.abs(sum)) break;
  }
  FACTOR[0] = sum;
}

/** h(y) = y − ln(1 + y), y > −1, without cancellation near zero. */
export function level(y: number): number {
  FACTOR[0] = y;
  takeLevel();
  return FACTOR[0];
}

/**
 * The exact damping factor. Solved by bisection in w = −ln(1 − d), which neither overflows for small e nor cancels near 1.
 * @param e restitution in (0, 1]
 */
export function dampingFactor(e: number): number {
  checkRestitution(e);
  FACTOR[0] = e;
  takeDampingFactor();
  return FACTOR[0];
}

/** Replaces FACTOR[0] = e in (0, 1] by the exact damping factor. @alloc none */
export function takeDampingFactor(): void {
  const e = FACTOR[0];
  if (e === 1) FACTOR[0] = 0;
  else if (e < 0.02)
    FACTOR[0] = 1; // 1 − d < 4e-21
  else {
    let low = (0.75 * e * (1 - e)) / (1 - e + e * e); // the mismatch is positive here …
    LOGARITHMS[0] = 1 + 1 / e;
    let high = 2 + 1 / e + logarithms()[0]; // … and negative here
    for (let i = 0; i < 200; i++) {
      const w = 0.5 * (low + high);
      if (w === low || w === high) break;
      EXPONENTIALS[0] = -w;
      const d = -exponentials()[1];
      FACTOR[0] = -d;
      if (d < 0.05) takeLevel();
      else FACTOR[0] = w - d;
      const rebound = FACTOR[0];
      FACTOR[0] = d / e;
      takeLevel();
      if (FACTOR[0] - rebound > 0) low = w;
      else high = w;
    }
    EXPONENTIALS[0] = -0.5 * (low + high);
    FACTOR[0] = -exponentials()[1];
  }
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
