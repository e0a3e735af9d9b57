/** The stiffness of a normal law among what was found. */
import type { Estimate } from '../../../src/identify/estimate.ts';
import { digits, type Found, foundOf } from './findings.ts';

const STIFFNESS_NAMES = new Map([
  [1, ['stiffness_N_per_m', 'N/m']],
  [1.5, ['stiffness_N_per_m1_5', 'N/m^1.5']],
  [2, ['stiffness_N_per_m2', 'N/m^2']],
]);

/** Largest force, N, slope of the law there and largest one that can be identified, N/m, and noise of the place, m. */
export interface Resolution {
  readonly largestForce: number;
  readonly tangent: number;
  readonly resolved: number;
  readonly noise: number;
}

/** The stiffness for an exponent, or the reference force of a free one; refused where the slope is more than what the noise resolves. */
export function stiffnessOf(
  estimate: Estimate,
  exponent: number | null,
  { largestForce, tangent, resolved, noise }: Resolution,
): Found {
  const [name, unit] =
    exponent === null
      ? ['reference_force_N', 'N']
      : (STIFFNESS_NAMES.get(exponent) ?? ['stiffness', `N/m^${exponent}`]);
  const stiffness = foundOf(estimate, name, unit);
  if (stiffness.refusal !== '' || tangent <= resolved) return stiffness;
  const needed = (20 * noise * tangent).toPrecision(2);
  return {
    ...stiffness,
    refusal: `not identifiable: the slope at ${digits(largestForce)} N is ${digits(tangent)} N/m, and with ${digits(noise)} m of noise only slopes up to ${digits(resolved)} N/m are; about ${needed} N would be needed`,
  };
}
