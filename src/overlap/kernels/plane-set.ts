/** Convex cells with flat faces as planes: box, mesh, half-space, and what several of these have in common. */
import type { CellShape } from '../../shapes/cell-model.ts';
import { placementOf } from '../../shapes/placement.ts';
import { ORIGIN } from '../kernel.ts';
import { makePolytope } from '../polytope.ts';

/**
 * Planes n·p <= d of a cell in its own axes, four numbers each with unit n outwards; null when it has a curved face or a part
 * cut out. Allocates.
 */
export function planesOf(shape: CellShape): number[][] | null {
  if (shape.kind !== 'boolean') {
    const planes = makePolytope(shape)?.planes;
    if (planes === undefined) return null;
    return Array.from({ length: planes.length / 4 }, (_, k) => [...planes.slice(4 * k, 4 * k + 4)]);
  }
  if (shape.without.length > 0) return null;
  const out: number[][] = [];
  for (const part of shape.common) {
    const planes = planesOf(part.shape);
    if (planes === null) return null;
    const at = placementOf(part);
    for (const plane of planes) {
      const n = [0, 1, 2].map(
        (row) => at[3 * row] * plane[0] + at[3 * row + 1] * plane[1] + at[3 * row + 2] * plane[2],
      );
      const shift = n[0] * at[ORIGIN] + n[1] * at[ORIGIN + 1] + n[2] * at[ORIGIN + 2];
      out.push([...n, plane[3] + shift]);
    }
  }
  return out;
}
