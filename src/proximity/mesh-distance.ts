/**
 * Signed distance of a point from a closed mesh, exact but for rounding: the nearest place on the nearest triangle, negative inside by the
 * pseudo-normal of the vertex, edge or face there. `Baerentzen & Aanaes 2005`. It is for construction: its making allocates, its query does not.
 *
 * Triangles lie in a binary tree of boxes, split at the median of their centroids along the longest axis, ties by their index.
 */
import { acos } from '../math/elementary/inverse-circular.ts';
import { doubleArea, type TriangleMesh } from '../shapes/triangle-mesh.ts';

/** Most triangles of a leaf. */
const LEAF = 4;
/** Pseudo-normals of a triangle: its face, the three edges from a corner to the next one, the three corners. */
const FACE = 0;
const EDGE = 1;
const CORNER = 4;
const FEATURES = 7;
const DEPTH = 64;

/** Slots of the result of a query. */
export const SIGNED = 0; //  signed distance
export const NEAREST = 1; // 3, nearest place on the surface
const RESULT = 4;

/** Queries of one mesh. */
export class MeshDistance {
  /** Slots of above. */
  readonly result: Float64Array = new Float64Array(RESULT);
  private readonly mesh: TriangleMesh;
  /** Seven pseudo-normals of each triangle, not of unit length. */
  private readonly normals: Float64Array;
  /** Low and high corner of the box of each node; left child at node + 1. */
  private readonly boxes: Float64Array;
  /** Right child, or −1 − first member of a leaf; members of a leaf. */
  private readonly rights: Int32Array;
  private readonly sizes: Int32Array;
  private readonly members: Int32Array;
  private readonly stack: Int32Array = new Int32Array(DEPTH);
  private readonly bounds: Float64Array = new Float64Array(DEPTH);
  /** [x, y, z of the nearest place, square of its distance] of the last triangle; feature of it. */
  private readonly near: Float64Array = new Float64Array(4);
  private feature = FACE;
  /** First edge that does not join two triangles in opposite senses, as vertex indices; null for none. */
  readonly crowded: readonly [number, number] | null;

  constructor(mesh: TriangleMesh) {
    this.mesh = mesh;
    const count = mesh.triangles.length / 3;
    const { normals, crowded } = pseudoNormals(mesh);
    this.normals = normals;
    this.crowded = crowded;
    const nodes = 2 * count;
    this.boxes = new Float64Array(6 * nodes);
    this.rights = new Int32Array(nodes);
    this.sizes = new Int32Array(nodes);
    this.members = Int32Array.from({ length: count }, (_, k) => k);
    this.build();
  }

  /**
   * result := distance of (x, y, z) = point[at..] and the nearest place. `within` is a distance that is known not to be below that of the
   * point, Infinity for none.
   * @alloc none
   */
  measure(point: Float64Array, at: number, within: number): void {
    const { boxes, rights, sizes, members, stack, bounds, near, result } = this;
    let best = within * within * (1 + 1e-12);
    let found = -1;
    let feature = FACE;
    let top = 0;
    stack[0] = 0;
    bounds[0] = 0;
    top = 1;
    while (top > 0) {
      top--;
      if (bounds[top] > best) continue;
      let node = stack[top];
      while (sizes[node] === 0) {
        const left = node + 1;
        const right = rights[node];
        const l = boxSquare(boxes, 6 * left, point, at);
        const r = boxSquare(boxes, 6 * right, point, at);
        const nearer = l <= r ? left : right;
        const farther = l <= r ? r : l;
        if (farther <= best) {
          stack[top] = l <= r ? right : left;
          bounds[top] = farther;
          top++;
        }
        node = nearer;
        if ((l <= r ? l : r) > best) break;
      }
      const first = rights[node];
      for (let m = 0; m < sizes[node]; m++) {
        const triangle = members[first + m];
        this.nearestOf(triangle, point, at);
        // a needle without area gives no number
        if (!(near[3] < best || (near[3] === best && found < 0))) continue;
        best = near[3];
        found = triangle;
        feature = this.feature;
        result[NEAREST] = near[0];
        result[NEAREST + 1] = near[1];
        result[NEAREST + 2] = near[2];
      }
    }
    const o = 3 * (FEATURES * found + feature);
    const side =
      (point[at] - result[NEAREST]) * this.normals[o] +
      (point[at + 1] - result[NEAREST + 1]) * this.normals[o + 1] +
      (point[at + 2] - result[NEAREST + 2]) * this.normals[o + 2];
    result[SIGNED] = side < 0 ? -Math.sqrt(best) : Math.sqrt(best);
  }

  /** Nearest place of a triangle by the region in which the point lies. `Ericson 2005, 5.1.5`. */
  private nearestOf(triangle: number, point: Float64Array, at: number): void {
    const { vertices: v, triangles } = this.mesh;
    const a = 3 * triangles[3 * triangle];
    const b = 3 * triangles[3 * triangle + 1];
    const c = 3 * triangles[3 * triangle + 2];
    const ux = v[b] - v[a];
    const uy = v[b + 1] - v[a + 1];
    const uz = v[b + 2] - v[a + 2];
    const wx = v[c] - v[a];
    const wy = v[c + 1] - v[a + 1];
    const wz = v[c + 2] - v[a + 2];
    const px = point[at] - v[a];
    const py = point[at + 1] - v[a + 1];
    const pz = point[at + 2] - v[a + 2];
    const uu = ux * ux + uy * uy + uz * uz;
    const uw = ux * wx + uy * wy + uz * wz;
    const ww = wx * wx + wy * wy + wz * wz;
    const up = ux * px + uy * py + uz * pz;
    const wp = wx * px + wy * py + wz * pz;
    let s = 0; // place a + s u + t w
    let t = 0;
    this.feature = FACE;
    // seen from b: (up − uu, wp − uw); from c: (up − uw, wp − ww)
    if (up <= 0 && wp <= 0) this.feature = CORNER;
    else if (up >= uu && wp - uw <= up - uu) {
      s = 1;
      this.feature = CORNER + 1;
    } else if (wp >= ww && up - uw <= wp - ww) {
      t = 1;
      this.feature = CORNER + 2;
    } else {
      const ofC = up * (wp - uw) - (up - uu) * wp;
      const ofB = (up - uw) * wp - up * (wp - ww);
      const ofA = (up - uu) * (wp - ww) - (up - uw) * (wp - uw);
      if (ofC <= 0 && up >= 0 && up <= uu) {
        s = up / uu;
        this.feature = EDGE;
      } else if (ofB <= 0 && wp >= 0 && wp <= ww) {
        t = wp / ww;
        this.feature = EDGE + 2;
      } else if (ofA <= 0 && wp - uw >= up - uu && up - uw >= wp - ww) {
        t = (wp - uw - (up - uu)) / (wp - uw - (up - uu) + (up - uw - (wp - ww)));
        s = 1 - t;
        this.feature = EDGE + 1;
      } else {
        const sum = ofA + ofB + ofC;
        s = ofB / sum;
        t = ofC / sum;
      }
    }
    const { near } = this;
    near[0] = v[a] + s * ux + t * wx;
    near[1] = v[a + 1] + s * uy + t * wy;
    near[2] = v[a + 2] + s * uz + t * wz;
    const dx = px - (s * ux + t * wx);
    const dy = py - (s * uy + t * wy);
    const dz = pz - (s * uz + t * wz);
    near[3] = dx * dx + dy * dy + dz * dz;
  }

  private build(): void {
    const { mesh, boxes, rights, sizes, members } = this;
    const count = members.length;
    const { vertices: v, triangles: t } = mesh;
    const centroids = new Float64Array(3 * count);
    for (let k = 0; k < count; k++)
      for (let a = 0; a < 3; a++)
        centroids[3 * k + a] =
          (v[3 * t[3 * k] + a] + v[3 * t[3 * k + 1] + a] + v[3 * t[3 * k + 2] + a]) / 3;
    let next = 0;
    const make = (from: number, to: number): number => {
      const node = next++;
      const o = 6 * node;
      for (let a = 0; a < 3; a++) {
        boxes[o + a] = Infinity;
        boxes[o + 3 + a] = -Infinity;
      }
      for (let m = from; m < to; m++) {
        for (let c = 0; c < 3; c++) {
          for (let a = 0; a < 3; a++) {
            const x = v[3 * t[3 * members[m] + c] + a];
            if (x < boxes[o + a]) boxes[o + a] = x;
            if (x > boxes[o + 3 + a]) boxes[o + 3 + a] = x;
          }
        }
      }
      if (to - from <= LEAF) {
        sizes[node] = to - from;
        rights[node] = from;
        return node;
      }
      const axis = longestAxis(centroids, members, from, to);
      members
        .subarray(from, to)
        .sort((p, q) => centroids[3 * p + axis] - centroids[3 * q + axis] || p - q);
      const middle = (from + to) >> 1;
      make(from, middle);
      rights[node] = make(middle, to);
      return node;
    };
    make(0, count);
  }
}

/** Axis along which the box of the centroids of members from..to is longest. */
function longestAxis(
  centroids: Float64Array,
  members: Int32Array,
  from: number,
  to: number,
): number {
  let axis = 0;
  let longest = -1;
  for (let a = 0; a < 3; a++) {
    let low = Infinity;
    let high = -Infinity;
    for (let m = from; m < to; m++) {
      const x = centroids[3 * members[m] + a];
      if (x < low) low = x;
      if (x > high) high = x;
    }
    if (high - low <= longest) continue;
    longest = high - low;
    axis = a;
  }
  return axis;
}

/** Square of the distance of a point from the box at boxes[o..]. */
function boxSquare(boxes: Float64Array, o: number, point: Float64Array, at: number): number {
  let square = 0;
  for (let a = 0; a < 3; a++) {
    const x = point[at + a];
    const below = boxes[o + a] - x;
    const above = x - boxes[o + 3 + a];
    if (below > 0) square += below * below;
    else if (above > 0) square += above * above;
  }
  return square;
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
