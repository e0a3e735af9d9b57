/** What an elastic body is drawn as: its surface, or a tile for each point of its face where there is none. For set-up. */
import { tangentBasis } from '../../math/vec3.ts';
import type { PatchModel } from '../../model/patch-spec.ts';
import type { FacetedSurface } from '../../shapes/facets.ts';

/** Side of a tile whose area is not known, over the longest side of the face. */
const UNKNOWN = 0.1;

/** @param longest side of the face, m */
export function patchSurface(patch: PatchModel, longest: number): FacetedSurface {
  if (patch.surface !== undefined) return patch.surface;
  const { points, normals, areas } = patch;
  const basis = new Float64Array(6);
  const vertices: number[] = [];
  const polygons: number[][] = [];
  for (const [p, area] of areas.entries()) {
    tangentBasis(basis, Float64Array.from(normals), 3 * p);
    const half = 0.5 * (area > 0 ? Math.sqrt(area) : UNKNOWN * Math.min(longest, 1));
    for (const [u, v] of [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ]) {
      for (let a = 0; a < 3; a++) {
        vertices.push(points[3 * p + a] + half * (u * basis[a] + v * basis[3 + a]));
      }
    }
    // the tile is seen from either side
    polygons.push(
      [0, 1, 2, 3].map((k) => 4 * p + k),
      [3, 2, 1, 0].map((k) => 4 * p + k),
    );
  }
  return { vertices, polygons };
}
