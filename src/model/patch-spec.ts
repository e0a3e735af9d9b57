/** The plain description of an elastic body as its contact sees it: points of a face, their compliance, modes. Everything is SI, body frame. */
import type { FacetedSurface } from '../shapes/facets.ts';

/** A face of an elastic body, reduced to points. The body is clamped: displacements are relative to what holds it. */
export interface PatchModel {
  /** Where the points are, m, three numbers each. */
  readonly points: readonly number[];
  /** Outward unit normals, three numbers each. */
  readonly normals: readonly number[];
  /** Area that each point stands for, m²; 0 where it is not known. */
  readonly areas: readonly number[];
  /** Displacements of the points under forces at rest, all modes included: symmetric, positive definite, row by row, m/N. */
  readonly compliance: readonly number[];
  /** Lowest modes in rising order; unit modal mass. */
  readonly modes: readonly PatchMode[];
  /** What the body is drawn as; contact takes the points alone. */
  readonly surface?: FacetedSurface;
}

/** A mode of the clamped body. */
export interface PatchMode {
  /** Natural frequency ω, rad/s. */
  readonly frequency: number;
  /** Ratio of damping ζ. */
  readonly damping: number;
  /** Displacement of the points, three numbers each, 1/√kg. */
  readonly shape: readonly number[];
  /** φᵀ M R: share in the motions of the body as a whole, three translations and three rotations about the origin, √kg and m √kg. */
  readonly participation: readonly number[];
}
