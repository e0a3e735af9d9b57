/** What two placed cells share, once: for checks and mass properties at construction. Allocates. */
import type { CellShape, Placed } from '../shapes/cell-model.ts';
import { placementOf } from '../shapes/placement.ts';
import { ClipKernel } from './clip.ts';
import { COLUMN_SIZE } from './kernel.ts';
import { makePolytope } from './polytope.ts';
import { RayKernel } from './rays.ts';

/** The column of two placed cells in their common frame, by clipping where both have flat faces, by rays otherwise. */
export function sharedColumn(i: Placed<CellShape>, j: Placed<CellShape>): Float64Array {
  const first = makePolytope(i.shape);
  const second = makePolytope(j.shape);
  const kernel =
    first === null || second === null
      ? new RayKernel(i.shape, j.shape)
      : new ClipKernel(first, second);
  const column = new Float64Array(COLUMN_SIZE);
  kernel.compute(placementOf(i), placementOf(j), column);
  return column;
}
