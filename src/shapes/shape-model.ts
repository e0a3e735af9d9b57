/**
 * Plain descriptions of convex shapes, in metres, each in its own frame. Cylinder, frustum and
 * capsule lie along z. Shapes and their reference dimensions follow Modia3D
 * (docs/theory/convex-pair.md).
 */

/** Ball about the origin. */
export interface SphereShape {
  readonly kind: 'sphere';
  /** Radius, m, > 0. */
  readonly radius: number;
}
/** Ellipsoid about the origin, axes along x, y, z. */
export interface EllipsoidShape {
  readonly kind: 'ellipsoid';
  /** Full axis lengths, m, > 0. */
  readonly size: readonly [number, number, number];
}
/** Box about the origin. */
export interface BoxShape {
  readonly kind: 'box';
  /** Edge lengths along x, y, z, m, > 0. */
  readonly size: readonly [number, number, number];
}
/** Circular cylinder about the origin, axis z. */
export interface CylinderShape {
  readonly kind: 'cylinder';
  /** Radius, m, > 0. */
  readonly radius: number;
  /** Length along z, m, > 0. */
  readonly length: number;
}
/** Circular cone or frustum on the plane z = 0, top at z = length. */
export interface FrustumShape {
  readonly kind: 'frustum';
  /** Radius of the base, m, > 0. */
  readonly radius: number;
  /** Radius of the top, m, >= 0 and below that of the base; 0 is a cone. */
  readonly topRadius: number;
  /** Height, m, > 0. */
  readonly length: number;
}
/** Cylinder with a half-sphere on each end, about the origin, axis z. */
export interface CapsuleShape {
  readonly kind: 'capsule';
  /** Radius, m, > 0. */
  readonly radius: number;
  /** Length of the cylindrical part, m, > 0; the whole capsule is 2 R longer. */
  readonly length: number;
}
/** Box with a half-cylinder on each end in x, about the origin. */
export interface BeamShape {
  readonly kind: 'beam';
  /** Length of the box along x, m, > 0; the whole beam is one width longer. */
  readonly length: number;
  /** Width along y and diameter of the ends, m, > 0. */
  readonly width: number;
  /** Thickness along z, m, > 0. */
  readonly thickness: number;
}
/** Convex hull of points. */
export interface MeshShape {
  readonly kind: 'mesh';
  /** Points, m; at least four that do not lie in one plane. */
  readonly vertices: readonly (readonly [number, number, number])[];
}
/** Every convex shape. */
export type ConvexShapeModel =
  | SphereShape
  | EllipsoidShape
  | BoxShape
  | CylinderShape
  | FrustumShape
  | CapsuleShape
  | BeamShape
  | MeshShape;

/** A shape on a body. */
export interface PlacedShape {
  readonly shape: ConvexShapeModel;
  /** Origin of the shape in the frame of the body, m. */
  readonly position: readonly [number, number, number];
  /** Unit quaternion (x, y, z, w) rotating shape vectors into the body. */
  readonly orientation: readonly [number, number, number, number];
  /**
   * Radius that rounds edges and vertices of box, cylinder, frustum and beam, m, >= 0. Default 1
   * mm, at most a tenth of the smallest dimension. The outer dimensions stay.
   */
  readonly smoothing?: number;
  /** Radius of the equivalent Hertz sphere, m, > 0. It replaces that of the table. */
  readonly contactRadius?: number;
}
