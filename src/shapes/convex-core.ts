/**
 * Convex shape for proximity queries: a core swept by a ball of the radius `margin`. While cores
 * are apart, the distance of two shapes is exactly that of their cores less both margins. A sphere
 * is a point with margin, a capsule a segment with margin, a rounded box a smaller box with margin.
 *
 * The surface of a core is cut into patches on which the support point depends smoothly on the
 * direction. These are the vertices of a polytope, the rims of a cylinder, the whole of an
 * ellipsoid. Directions and points are in the frame of the shape.
 */

/** Core of a convex shape for proximity queries. */
export interface ConvexCore {
  /** Radius of the ball that sweeps the core, m, >= 0. */
  readonly margin: number;
  /** A point inside the core, m. */
  readonly center: Float64Array;
  /** Largest distance of a point of the core from the origin, m. */
  readonly reach: number;
  /** Whether the core has volume. */
  readonly solid: boolean;
  /** Whether some patch is curved. */
  readonly curved: boolean;
  /** out := farthest point along a unit direction. @returns the patch that holds it @alloc none */
  support(direction: Float64Array, out: Float64Array): number;
  /** out := farthest point of one patch along a unit direction. @alloc none */
  patchSupport(patch: number, direction: Float64Array, out: Float64Array): void;
  /**
   * out := derivative of the support point of a patch by the unit direction, the radii of
   * curvature, m: a symmetric matrix (xx, yy, zz, xy, xz, yz). @alloc none
   */
  patchCurvature(patch: number, direction: Float64Array, out: Float64Array): void;
}
