/**
 * A mesh with fewer triangles for a drawing: corners in one cell of a grid become one, and triangles that fall together vanish. `Rossignac &
 * Borrel 1993`. No corner moves farther than the diagonal of a cell; the result need not be closed.
 */
import { meshBox, type TriangleMesh } from '../../src/shapes/triangle-mesh.ts';

/** Grids that are tried: each has this part of the cells of the one before along an edge. */
const COARSER = 0.8;

/** @param most triangles that are allowed, from 112: those between the eight corners of one cell. A mesh with no more is returned as it is */
export function coarseMesh(mesh: TriangleMesh, most: number): TriangleMesh {
  let cells = Math.ceil(Math.sqrt(most));
  let coarse = mesh;
  while (coarse.triangles.length > 3 * most && cells > 0) {
    coarse = clustered(mesh, cells);
    cells = Math.floor(COARSER * cells);
  }
  return coarse;
}

/** Corners of each cell of a grid, `cells` along the longest edge of the box, as their mean. */
function clustered({ vertices, triangles }: TriangleMesh, cells: number): TriangleMesh {
  const { center, extent } = meshBox({ vertices, triangles });
  const clusters = new Map<number, number>();
  const of = new Uint32Array(vertices.length / 3);
  const sums: number[] = [];
  const counts: number[] = [];
  for (let v = 0; v < of.length; v++) {
    let key = 0;
    for (let a = 0; a < 3; a++) {
      const along = (vertices[3 * v + a] - center[a]) / extent + 0.5;
      key = key * (cells + 1) + Math.floor(along * cells);
    }
    const cluster = clusters.get(key) ?? clusters.size;
    clusters.set(key, cluster);
    of[v] = cluster;
    counts[cluster] = (counts[cluster] ?? 0) + 1;
    for (let a = 0; a < 3; a++)
      sums[3 * cluster + a] = (sums[3 * cluster + a] ?? 0) + vertices[3 * v + a];
  }
  const kept = new Map<string, readonly number[]>();
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [of[triangles[t]], of[triangles[t + 1]], of[triangles[t + 2]]];
    if (a === b || b === c || c === a) continue;
    const turned = a < b && a < c ? [a, b, c] : b < c ? [b, c, a] : [c, a, b];
    kept.set(turned.join(), turned);
  }
  return {
    vertices: Float64Array.from(sums, (sum, k) => sum / counts[Math.floor(k / 3)]),
    triangles: Uint32Array.from([...kept.values()].flat()),
  };
}
