/**
 * Regularised directions dir(u) = G(|u|) u of a vector u: unit vectors from |u| = ε on, smooth through zero below it.
 *
 * - cubic: (u/ε)(3/2 − (|u|/ε)²/2), odd and C1, slope 3/(2 ε) at rest. The printed (3.33) is continuous but not C1; this cubic is
 *   its intent. `Gonthier 2007, (3.33); docs/theory/bristle-friction.md`.
 * - modia3d: u/reg(|u|) with reg(v) = v²/ε (1 − v/(3 ε)) + ε/3 below ε and v above, C2, slope 3/ε at rest.
 *   `Modia3D, contact force law; docs/theory/regularized-friction.md`.
 *
 * Both magnitudes |u| G(|u|) rise from 0 to 1 without overshoot and are concave below ε.
 */

/** The factor g with dir(u) = g u, for |u| = `length`. */
export function directionFactor(length: number, tolerance: number): number {
  if (length >= tolerance) return 1 / length;
  const r = length / tolerance;
  return (1.5 - 0.5 * r * r) / tolerance;
}

/** reg(v, v_s) of Modia3D: the length that a vector of this length is divided by. */
export function regularizedLength(length: number, tolerance: number): number {
  if (length >= tolerance) return length;
  const r = length / tolerance;
  return tolerance * (r * r * (1 - r / 3) + 1 / 3);
}
