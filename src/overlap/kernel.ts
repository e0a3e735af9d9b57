/**
 * The metrics of the space that two placed cells share, by one method. `Gonthier 2007, chapter 4, A.3`.
 *
 * A kernel belongs to two cell shapes and is given their placements in the world; it writes one column. It keeps nothing from call
 * to call but scratch memory: equal placements give equal bits. A tape that a caller keeps for a pair of cells saves time and changes no
 * bit.
 */
import type { ClipTape } from './clip-tape.ts';
import type { Polytope } from './polytope.ts';
import {
  AREA_AT,
  CENTROID_AT,
  COLUMN_SIZE,
  ERROR_AT,
  GAP_AT,
  SECOND_AT,
  VECTOR_AREA_AT,
  VOLUME_AT,
} from './column-slots.ts';

export { COLUMN_SIZE };

/** A placement: rotation of the shape into the world, nine numbers row by row, then the origin of the shape in the world, m. */
export const PLACEMENT = 12;
/** Slot of the origin. */
export const ORIGIN = 9;

/** Slots of the column. The first eleven are those of OVERLAP in metrics.ts, in world axes. */
export const COLUMN = {
  /** V, m³; 0 apart. */
  volume: VOLUME_AT,
  /** A_c = |vector area|, m²: −∂V/∂s when cell i moves by s out of cell j along the vector area. */
  area: AREA_AT,
  /** Centroid p_c, world, m. */
  centroid: CENTROID_AT,
  /** Second moments about the centroid (xx, yy, zz, xy, xz, yz), world axes, m⁵. */
  second: SECOND_AT,
  /**
   * Vector area of the part of the surface of cell j inside cell i, outward of cell j, world, m²:
   * minus the gradient of V by the position of cell i. Its direction, from j to i, is the geometric
   * guess of the normal. Zero when one cell contains the other.
   */
  vectorArea: VECTOR_AREA_AT,
  /**
   * Signed gap, m. Overlapping: minus the depth along the vector area (for a polytope the extent of the overlap along it).
   * Apart: a lower bound of the distance, > 0, continuous, exact to first order near touch.
   */
  gap: GAP_AT,
  /** Estimate of the relative error of V, 0 for exact methods. */
  error: ERROR_AT,
} as const;

/** The polytopes of a clip: one is cut by the planes of the other. */
export interface ReplayedClip {
  readonly subject: Polytope;
  readonly cutter: Polytope;
  /** Whether body i is cut. */
  readonly cutsI: boolean;
  /** Corners that there may be at a time. */
  readonly slots: number;
}

/** Overlap of two cells. */
export interface OverlapKernel {
  /** Name of the method. */
  readonly method: OverlapMethod;
  /** Numbers of a tape that `compute` may use; absent where it uses none. */
  readonly tapeRoom?: number;
  /** What is clipped, where a tape may be replayed elsewhere (src/kernels/clip-replay.ts). */
  readonly replayed?: ReplayedClip;
  /** Writes the column for the two placements. Never NaN for finite placements. @param tape of the pair of cells @alloc none */
  compute(
    placementI: Float64Array,
    placementJ: Float64Array,
    column: Float64Array,
    tape?: ClipTape | null,
  ): void;
  /** Keeps a plane between the cells in planes[o] …, right after `compute` has found them apart. @alloc none */
  keepPlane?(planes: Float64Array, o: number): void;
  /** Writes what `keepPlane` separates at these placements into planes[o + CLEARANCE] (separating-plane.ts). @alloc none */
  measureClearance?(
    placementI: Float64Array,
    placementJ: Float64Array,
    planes: Float64Array,
    o: number,
  ): void;
}

/** Method of the overlap. `auto` takes the best one available for the pair of shapes. */
export type OverlapMethod = 'closed-form' | 'clipping' | 'rays' | 'voxels';
