/**
 * Regularised direction of a vector u: u/|u| from |u| = ε on, below it (u/ε)(3/2 − (|u|/ε)²/2), odd and C1.
 * The printed (3.33) is continuous but not C1; this cubic is its intent. `Gonthier 2007, 3.2; docs/theory/bristle-friction.md`.
 */

/** The factor g with dir(u) = g u, for |u| = `length`. */
export function directionFactor(length: number, tolerance: number): number {
  if (length >= tolerance) return 1 / length;
  const r = length / tolerance;
  return (1.5 - 0.5 * r * r) / tolerance;
}
