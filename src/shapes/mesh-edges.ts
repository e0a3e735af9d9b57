/** Edges of a mesh and the triangles at them. It allocates and is for construction. */
import type { TriangleMesh } from './triangle-mesh.ts';

/** An edge and its triangles. */
export interface EdgeUse {
  /** Vertex with the smaller index. */
  readonly from: number;
  readonly to: number;
  /** Triangles, and whether they run from `from` to `to`. */
  readonly uses: { readonly triangle: number; readonly forward: boolean }[];
}

/** All edges, in the order of the triangles. */
export function edgeUses(mesh: TriangleMesh): EdgeUse[] {
  const { triangles } = mesh;
  const count = mesh.vertices.length / 3;
  const edges = new Map<number, EdgeUse>();
  for (let k = 0; k < triangles.length; k++) {
    const a = triangles[k];
    const b = triangles[k % 3 === 2 ? k - 2 : k + 1];
    const from = Math.min(a, b);
    const to = Math.max(a, b);
    const key = from * count + to; // below 2^53 for any number of vertices that fits in memory
    const use = { triangle: Math.floor(k / 3), forward: a < b };
    const edge = edges.get(key);
    if (edge === undefined) edges.set(key, { from, to, uses: [use] });
    else edge.uses.push(use);
  }
  return [...edges.values()];
}

/** Edges with an odd number of triangles, where the surface has a border or a fin. */
export function open(edges: readonly EdgeUse[]): EdgeUse[] {
  return edges.filter(({ uses }) => uses.length % 2 === 1);
}
