/** What the decomposition asks of a library of solids; lengths in units of the solid. */
import type { TriangleMesh } from './triangle-mesh.ts';

/** A plane: unit normal n and offset d, points x with n·x = d. */
export interface Plane {
  readonly normal: readonly [number, number, number];
  readonly offset: number;
}

/** A solid with planar faces, in one or several pieces. */
export interface Solid {
  readonly volume: number;
  /** Its closed, outward surface. */
  readonly mesh: TriangleMesh;
  /** Its convex hull: volume, and the surface. */
  readonly hull: { readonly volume: number; readonly mesh: TriangleMesh };
  /** Its pieces that do not hang together, itself when it is one. */
  pieces(): readonly Solid[];
  /** The parts with n·x > d and n·x < d; null where there is none. Up to 1e-6 beside the plane may be lost. */
  split(plane: Plane): readonly [Solid | null, Solid | null];
  /** Gives its memory back; it is not used afterwards. */
  dispose(): void;
}
