/**
 * Hertz contact of two smooth surfaces with unequal principal curvatures: the contact area is an ellipse, the force still grows
 * with δ^1.5, and a sphere on a plane of the right radius has the same stiffness.
 *
 * With κ_1 <= κ_2 the principal relative curvatures, k' = b/a the ratio of the semi-axes and m = 1 − k'²:
 *   κ_2/κ_1 = (E(m)/k'² − K(m)) / (K(m) − E(m))                                          (2)
 *   R_eq    = π² (K(m) − E(m)) / (2 m K(m)³ κ_1),   f = (4/3) E* √R_eq δ^1.5             (3)
 * `Johnson 1985, Contact Mechanics, (4.24)–(4.28)`, docs/theory/sphere-pairs.md.
 */
import { completeElliptic } from '../../math/elliptic.ts';
import { exp } from '../../math/elementary/exponential.ts';

/** Smallest ln(b/a) searched: K and E still have their full precision there. */
const SLENDER = -300;

/** Right side of (2) in the sums of completeElliptic; grows from 1 without bound as the ellipse becomes slender. */
function curvatureRatio(axisRatio: number): number {
  const { sum, m } = completeElliptic(axisRatio);
  return (m - sum) / (axisRatio * axisRatio * sum);
}

/**
 * Ratio b/a of the semi-axes of the contact ellipse, in (0, 1], for the ratio κ_2/κ_1 >= 1 of the curvatures. For set-up.
 */
export function ellipseAxisRatio(ratio: number): number {
  let low = SLENDER;
  let high = 0;
  for (let k = 0; k < 80; k++) {
    const middle = 0.5 * (low + high);
    const axisRatio = exp(middle);
    if (axisRatio < 1 && curvatureRatio(axisRatio) > ratio) low = middle;
    else high = middle;
  }
  return exp(high);
}

/**
 * Radius of the sphere that is as stiff on a plane, m, for the two principal relative curvatures, 1/m, in either order; both
 * must be > 0, else the surfaces do not touch in a bounded area. For set-up.
 */
export function equivalentRadius(curvatureA: number, curvatureB: number): number {
  const least = Math.min(curvatureA, curvatureB);
  const ratio = Math.max(curvatureA, curvatureB) / least;
  const { K, sum, m } = completeElliptic(ellipseAxisRatio(ratio));
  const part = m > 0 ? sum / m : 0.5; // (K − E)/(m K)
  return (Math.PI * Math.PI * part) / (2 * K * K * least);
}
