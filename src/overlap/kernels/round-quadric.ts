/**
 * A body of revolution about z as a quadric between two planes across its axis:
 *
 *   Q(p) = x² + y² + κ z² − r(z)² <= 0,   r(z) = R − k z,   low <= z <= high                                          (1)
 *
 * Cylinder of radius R: κ = k = 0. Cone or frustum with the base of radius R at z = 0: κ = 0. Ball about the origin: κ = 1, k = 0. Half
 * the gradient is (x, y, κ z + k r), half the second derivative Λ = diag(1, 1, κ − k²).
 */

/** Slots of a quadric between two planes: κ; R, m; k; ends along z in the body, m; height of its origin in the body, m. */
export const QUADRIC = { ball: 0, radius: 1, slope: 2, low: 3, high: 4, height: 5 } as const;
export const QUADRIC_SIZE = 6;

/** Cylinder about z, from −length/2 to length/2. Allocates. */
export function cylinderQuadric(radius: number, length: number): Float64Array {
  return Float64Array.of(0, radius, 0, -0.5 * length, 0.5 * length, 0);
}

/** Cone or frustum about z, from the base at 0 to the top at `length`. Allocates. */
export function frustumQuadric(radius: number, topRadius: number, length: number): Float64Array {
  return Float64Array.of(0, radius, (radius - topRadius) / length, 0, length, 0);
}

/** Ball at a height: the half above it for 1, below it for −1, or with 0 the whole. Allocates. */
export function ballQuadric(radius: number, half: number, height: number): Float64Array {
  const low = half > 0 ? height : Number.NEGATIVE_INFINITY;
  const high = half < 0 ? height : Number.POSITIVE_INFINITY;
  return Float64Array.of(1, radius, 0, low, high, height);
}
