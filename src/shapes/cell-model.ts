/**
 * Plain descriptions of cells, the parts of a body in the volumetric contact model. `Gonthier 2007,
 * A.3, A.4`.
 *
 * A cell is a convex shape, a half-space, a bore, or an intersection and difference of these. A
 * body is the union of its cells. Cells must not overlap, because shared volume would count twice.
 */
import type { ConvexShapeModel } from './shape-model.ts';

/** The half-space z <= 0: its outward normal is +z, its surface passes through the origin. It has no mass. */
export interface HalfSpaceShape {
  readonly kind: 'half-space';
}
/** The outside of an infinite circular cylinder about z. It has no mass. */
export interface BoreShape {
  readonly kind: 'bore';
  /** Radius of the hole, m, > 0. */
  readonly radius: number;
}
/** A shape that a line enters and leaves at most once, or the complement of one (the bore). */
export type PrimitiveShape = ConvexShapeModel | HalfSpaceShape | BoreShape;

/** A shape and its pose. */
export interface Placed<S> {
  readonly shape: S;
  /** Origin of the shape in the parent frame, m. */
  readonly position: readonly [number, number, number];
  /** Unit quaternion (x, y, z, w) from the shape frame to the parent frame. */
  readonly orientation: readonly [number, number, number, number];
}

/** Intersection of all shapes of `common` less all shapes of `without`. */
export interface BooleanShape {
  readonly kind: 'boolean';
  /** Shapes to intersect; at least one. */
  readonly common: readonly Placed<PrimitiveShape>[];
  readonly without: readonly Placed<PrimitiveShape>[];
}
/** Every cell shape. */
export type CellShape = PrimitiveShape | BooleanShape;

/** One cell of a body, in the frame of the body. */
export interface CellModel extends Placed<CellShape> {
  readonly name: string;
  /**
   * Whether the cell may share volume with other cells of its body where no contact is possible,
   * such as the joint of two stems. Default false.
   */
  readonly embedded?: boolean;
}
