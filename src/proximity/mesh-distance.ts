/**
 * Signed distance of a point from a closed mesh, exact but for rounding: the nearest place on the nearest triangle, negative inside by the
 * pseudo-normal of the vertex, edge or face there. `Baerentzen & Aanaes 2005`. Its making allocates, its queries do not.
 */
import { acos } from '../math/elementary/inverse-circular.ts';
import { doubleArea, type TriangleMesh } from '../shapes/triangle-mesh.ts';
import { CORNER, EDGE, FACE, SQUARE, TriangleTree } from '../shapes/triangle-tree.ts';

/** Pseudo-normals of a triangle: its face, the three edges from a corner to the next one, the three corners. */
const FEATURES = 7;

/** Slots of the result of a query. */
export const SIGNED = 0; //  signed distance
export const NEAREST = 1; // 3, nearest place on the surface
const RESULT = 4;
/** Part of the size of the mesh by which a bound is wider than the distance that it is of: far above rounding, also of a place at a corner. */
const SLACK = 1e-12;

/** Queries of one mesh. */
export class MeshDistance {
  /** Slots of above. */
  readonly result: Float64Array = new Float64Array(RESULT);
  /** First edge that does not join two triangles in opposite senses, as vertex indices; null for none. */
  readonly crowded: readonly [number, number] | null;
  private readonly tree: TriangleTree;
  /** Seven pseudo-normals of each triangle, not of unit length. */
  private readonly normals: Float64Array;
  /** [SLACK, m] */
  private readonly slack: Float64Array = new Float64Array(1);

  constructor(mesh: TriangleMesh) {
    const { normals, crowded } = pseudoNormals(mesh);
    this.normals = normals;
    this.crowded = crowded;
    this.tree = new TriangleTree(mesh);
    for (const x of mesh.vertices) this.slack[0] = Math.max(this.slack[0], SLACK * Math.abs(x));
  }

  /**
   * result := distance of (x, y, z) = point[at..] and the nearest place. `within` is a distance that is known not to be below that of the
   * point, Infinity for none.
   * @alloc none
   */
  measure(point: Float64Array, at: number, within: number): void {
    this.tree.findNearest(point, at, within);
    this.write(point, at);
  }

  /** The same, with the triangle of the last query for a bound: what it finds does not depend on that. @alloc none */
  measureNext(point: Float64Array, at: number): void {
    const { tree } = this;
    tree.measure(Math.max(0, tree.triangle), point, at);
    tree.within[0] = Math.sqrt(tree.place[SQUARE]) + this.slack[0];
    // a needle without area gives no number
    if (!(tree.within[0] >= 0)) tree.within[0] = Infinity;
    tree.findWithin(point, at);
    this.write(point, at);
  }

  private write(point: Float64Array, at: number): void {
    const { tree, result, normals } = this;
    const { nearest } = tree;
    const o = 3 * (FEATURES * tree.triangle + tree.feature);
    let side = 0;
    for (let a = 0; a < 3; a++) {
      result[NEAREST + a] = nearest[a];
      side += (point[at + a] - nearest[a]) * normals[o + a];
    }
    const distance = Math.sqrt(nearest[SQUARE]);
    result[SIGNED] = side < 0 ? -distance : distance;
  }

  /** Whether the place of the last query is within a face. */
  get isOnFace(): boolean {
    return this.tree.feature === FACE;
  }

  /** out := the unit pseudo-normal of the last query. @alloc none */
  writeNormal(out: Float64Array): void {
    const { normals, tree } = this;
    const o = 3 * (FEATURES * tree.triangle + tree.feature);
    const x = normals[o];
    const y = normals[o + 1];
    const z = normals[o + 2];
    const size = Math.sqrt(x * x + y * y + z * z);
    out[0] = x / size;
    out[1] = y / size;
    out[2] = z / size;
  }
}

/** Seven pseudo-normals of each triangle, and the first edge that has not two triangles. */
function pseudoNormals(mesh: TriangleMesh): {
  normals: Float64Array;
  crowded: readonly [number, number] | null;
} {
  const { vertices: v, triangles: t } = mesh;
  const count = t.length / 3;
  const vertexCount = v.length / 3;
  const normals = new Float64Array(3 * FEATURES * count);
  const ofVertex = new Float64Array(v.length);
  const ofEdge = new Map<number, { readonly sum: [number, number, number]; uses: number }>();
  const edge = (from: number, to: number): number =>
    Math.min(from, to) * vertexCount + Math.max(from, to);
  const each = (visit: (k: number, c: number, at: number, next: number) => void): void => {
    for (let k = 0; k < count; k++)
      for (let c = 0; c < 3; c++) visit(k, c, t[3 * k + c], t[3 * k + ((c + 1) % 3)]);
  };
  for (let k = 0; k < count; k++) {
    const n = doubleArea(mesh, k);
    const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (let a = 0; a < 3; a++) normals[3 * FEATURES * k + a] = length > 0 ? n[a] / length : 0;
  }
  each((k, c, at, next) => {
    const o = 3 * FEATURES * k;
    const key = edge(at, next);
    const use = ofEdge.get(key) ?? { sum: [0, 0, 0], uses: 0 };
    ofEdge.set(key, use);
    use.uses++;
    const angle = angleOf(v, t[3 * k + ((c + 2) % 3)], at, next);
    for (let a = 0; a < 3; a++) {
      use.sum[a] += normals[o + a];
      ofVertex[3 * at + a] += angle * normals[o + a];
    }
  });
  let crowded: readonly [number, number] | null = null;
  each((k, c, at, next) => {
    const o = 3 * FEATURES * k;
    const use = ofEdge.get(edge(at, next));
    if (use === undefined) return;
    if (use.uses !== 2) crowded ??= [at, next];
    for (let a = 0; a < 3; a++) {
      normals[o + 3 * (EDGE + c) + a] = use.sum[a];
      normals[o + 3 * (CORNER + c) + a] = ofVertex[3 * at + a];
    }
  });
  return { normals, crowded };
}

/** Angle at vertex `at` between those before and after it, rad; 0 for an edge of no length. */
function angleOf(v: Float64Array, before: number, at: number, after: number): number {
  let dot = 0;
  let p = 0;
  let q = 0;
  for (let a = 0; a < 3; a++) {
    const x = v[3 * before + a] - v[3 * at + a];
    const y = v[3 * after + a] - v[3 * at + a];
    dot += x * y;
    p += x * x;
    q += y * y;
  }
  if (!(p > 0 && q > 0)) return 0;
  return acos(Math.max(-1, Math.min(1, dot / Math.sqrt(p * q))));
}
