/**
 * Cells as plain descriptions: what a body of the volumetric contact model is made of. `Gonthier 2007, A.3, A.4`.
 *
 * A cell is a convex shape, a half-space, a bore, or an intersection and difference of these. A body is the union of its cells,
 * which must not overlap each other, or volume would count twice.
 */
import type { ConvexShapeModel } from './shape-model.ts';

/** Everything at z <= 0: the outward normal is +z, the surface passes through the origin. Has no mass. */
export interface HalfSpaceShape {
  readonly kind: 'half-space';
}
/** Everything outside an infinite circular cylinder about z. Has no mass. */
export interface BoreShape {
  readonly kind: 'bore';
  /** Radius of the hole, m, > 0. */
  readonly radius: number;
}
/** A shape that a ray enters and leaves at most once, or whose complement is (the bore). */
export type PrimitiveShape = ConvexShapeModel | HalfSpaceShape | BoreShape;

/** A shape and where it sits. */
export interface Placed<S> {
  readonly shape: S;
  /** Origin of the shape in the frame around it, m. */
  readonly position: readonly [number, number, number];
  /** Unit quaternion (x, y, z, w) rotating shape vectors into the frame around it. */
  readonly orientation: readonly [number, number, number, number];
}

/** What lies in every shape of `common` and in none of `without`. */
export interface BooleanShape {
  readonly kind: 'boolean';
  /** At least one. */
  readonly common: readonly Placed<PrimitiveShape>[];
  readonly without: readonly Placed<PrimitiveShape>[];
}
/** Every cell shape. */
export type CellShape = PrimitiveShape | BooleanShape;

/** One cell of a body, in the frame of the body. */
export interface CellModel extends Placed<CellShape> {
  readonly name: string;
  /**
   * Reaches into other cells of its body on purpose, where nothing can touch, like the ball of a stem in the ball of a head: the
   * shared volume is not refused. False when left out.
   */
  readonly embedded?: boolean;
}
