/**
 * The triangles of a surface in a binary tree of boxes, split at the median of their centroids along the longest axis, ties by their index, and
 * the place of the surface nearest to a point. It is for construction: its making allocates, its query does not.
 */
import type { TriangleMesh } from './triangle-mesh.ts';

/** Most triangles of a leaf. */
const LEAF = 4;
/** Where on a triangle a place is: the face, an edge from a corner to the next one, or a corner. */
export const FACE = 0;
export const EDGE = 1;
export const CORNER = 4;
const DEPTH = 64;

/** Slots of a place. */
export const SQUARE = 3; // square of the distance; before it x, y, z

/** A tree of the triangles of a mesh. */
export class TriangleTree {
  readonly mesh: TriangleMesh;
  /** Low and high corner of the box of each node; left child at node + 1. */
  readonly boxes: Float64Array;
  /** Right child, or first member of a leaf; number of members, 0 for no leaf; members of leaves. */
  readonly rights: Int32Array;
  readonly sizes: Int32Array;
  readonly members: Int32Array;
  /** What the last `findNearest` found: the triangle, −1 for none within the bound, where on it, and [x, y, z, square of the distance]. */
  triangle = -1;
  feature: number = FACE;
  readonly nearest: Float64Array = new Float64Array(4);
  /** The same of the last `measure`, for its triangle. */
  measured: number = FACE;
  readonly place: Float64Array = new Float64Array(4);
  /** [bound of the next `findWithin`] */
  readonly within: Float64Array = new Float64Array(1);
  private readonly stack: Int32Array = new Int32Array(DEPTH);
  private readonly bounds: Float64Array = new Float64Array(DEPTH);

  constructor(mesh: TriangleMesh) {
    this.mesh = mesh;
    const count = mesh.triangles.length / 3;
    const nodes = 2 * count;
    this.boxes = new Float64Array(6 * nodes);
    this.rights = new Int32Array(nodes);
    this.sizes = new Int32Array(nodes);
    this.members = Int32Array.from({ length: count }, (_, k) => k);
    this.build();
  }

  /**
   * The place nearest to (x, y, z) = point[at..]. `within` is a distance that is known not to be below that of the point, Infinity for none.
   * @alloc none
   */
  findNearest(point: Float64Array, at: number, within: number): void {
    this.within[0] = within;
    this.findWithin(point, at);
  }

  /** The same with the distance in `within`. @alloc none */
  findWithin(point: Float64Array, at: number): void {
    const { boxes, rights, sizes, members, stack, bounds, place, nearest } = this;
    let best = this.within[0] * this.within[0] * (1 + 1e-12);
    let found = -1;
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
        this.measure(triangle, point, at);
        // a needle without area gives no number
        if (!(place[SQUARE] < best || (place[SQUARE] === best && found < 0))) continue;
        best = place[SQUARE];
        found = triangle;
        this.feature = this.measured;
        for (let a = 0; a < 4; a++) nearest[a] = place[a];
      }
    }
    this.triangle = found;
  }

  /** Place of a triangle nearest to a point, by the region in which the point lies. `Ericson 2005, 5.1.5`. @alloc none */
  measure(triangle: number, point: Float64Array, at: number): void {
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
    this.measured = FACE;
    // seen from b: (up − uu, wp − uw); from c: (up − uw, wp − ww)
    if (up <= 0 && wp <= 0) this.measured = CORNER;
    else if (up >= uu && wp - uw <= up - uu) {
      s = 1;
      this.measured = CORNER + 1;
    } else if (wp >= ww && up - uw <= wp - ww) {
      t = 1;
      this.measured = CORNER + 2;
    } else {
      const ofC = up * (wp - uw) - (up - uu) * wp;
      const ofB = (up - uw) * wp - up * (wp - ww);
      const ofA = (up - uu) * (wp - ww) - (up - uw) * (wp - uw);
      if (ofC <= 0 && up >= 0 && up <= uu) {
        s = up / uu;
        this.measured = EDGE;
      } else if (ofB <= 0 && wp >= 0 && wp <= ww) {
        t = wp / ww;
        this.measured = EDGE + 2;
      } else if (ofA <= 0 && wp - uw >= up - uu && up - uw >= wp - ww) {
        t = (wp - uw - (up - uu)) / (wp - uw - (up - uu) + (up - uw - (wp - ww)));
        s = 1 - t;
        this.measured = EDGE + 1;
      } else {
        const sum = ofA + ofB + ofC;
        s = ofB / sum;
        t = ofC / sum;
      }
    }
    const { place } = this;
    place[0] = v[a] + s * ux + t * wx;
    place[1] = v[a + 1] + s * uy + t * wy;
    place[2] = v[a + 2] + s * uz + t * wz;
    const dx = px - (s * ux + t * wx);
    const dy = py - (s * uy + t * wy);
    const dz = pz - (s * uz + t * wz);
    place[SQUARE] = dx * dx + dy * dy + dz * dz;
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
