/**
 * A signed distance field of a closed surface: coefficients of a spline on the nodes of a grid, kept near the surface only. Lengths are in
 * units of its mesh; `scale` makes metres of them. docs/theory/sampled.md.
 *
 * Node (i, j, k) lies at origin + cell (i, j, k). A block has 8³ nodes of its own and one more on every side, so that a value takes one
 * block alone. Blocks that are not there lie farther than `band` from the surface; the distance of their middle is known.
 */

/** The field. */
export interface DistanceField {
  /** Place of node (0, 0, 0). */
  readonly origin: readonly [number, number, number];
  /** Distance of two nodes, > 0. */
  readonly cell: number;
  /** Blocks along x, y, z. */
  readonly counts: readonly [number, number, number];
  /** Depth and height up to which the field is known, > 0. */
  readonly band: number;
  /** Number of a block among those that are kept, −1 for one that is not; x runs fastest. */
  readonly blocks: Int32Array;
  /** Signed distance of the middle of each block of `blocks`, in cells, negative inside. */
  readonly middles: Float32Array;
  /** Coefficients of the blocks that are kept, in cells, x fastest. */
  readonly values: Float32Array;
  /** Largest difference from the distance of the mesh that was found. */
  readonly error: number;
  /** Metres in one unit. */
  readonly scale: number;
}
