/** Interface of the decomposition to a library of solids. Lengths are in units of the solid. */
import type { TriangleMesh } from './triangle-mesh.ts';

/** A plane: unit normal n and offset d, points x with n·x = d. */
export interface Plane {
  readonly normal: readonly [number, number, number];
  readonly offset: number;
}

/** A solid with planar faces, in one or several pieces. */
export interface Solid {
  readonly volume: number;
  /** Closed, outward surface. */
  readonly mesh: TriangleMesh;
  /** Convex hull: volume and surface. */
  readonly hull: { readonly volume: number; readonly mesh: TriangleMesh };
  /** Unconnected pieces; the solid itself when it is one. */
  pieces(): readonly Solid[];
  /** The parts with n·x > d and n·x < d; null for an empty part. Up to 1e-6 beside the plane may be lost. */
  split(plane: Plane): readonly [Solid | null, Solid | null];
  /** Releases the memory of the solid, which must not be used afterwards. */
  dispose(): void;
}
