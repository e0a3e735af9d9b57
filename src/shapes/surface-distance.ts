/**
 * How far two surfaces of triangles are apart: a bound of the largest distance of a point of one from the other, both ways.
 *
 * The nearest triangle K of the middle of a triangle T is convex, and so is the distance from it. It is therefore largest at a corner of T:
 *
 *   d(middle, surface) <= sup over T of d(x, surface) <= max over corners v of T of d(v, K)                             (1)
 *
 * Where both sides are far apart T is divided into four. Triangles are in a tree of boxes, divided at the median along the longest side.
 * It allocates and is for construction.
 */
import { distanceToTriangle } from './triangle-distance.ts';
import type { TriangleMesh } from './triangle-mesh.ts';

/** Triangles of a leaf of the tree. */
const LEAF = 4;
/** Room between both sides of (1) that is left as it is, relative to the largest distance found. */
const ROOM = 0.05;
/** Divisions of a triangle at most. */
const DIVISIONS = 7;

interface Node {
  readonly low: readonly number[];
  readonly high: readonly number[];
  /** Triangles of a leaf. */
  readonly triangles: Uint32Array | null;
  readonly children: readonly Node[];
}

/** A surface that is asked for the triangle nearest to a point. */
class Surface {
  readonly #mesh: TriangleMesh;
  readonly #root: Node;
  #best = 0;
  #nearest = 0;

  constructor(mesh: TriangleMesh) {
    this.#mesh = mesh;
    const all = Uint32Array.from({ length: mesh.triangles.length / 3 }, (_, k) => k);
    this.#root = this.#build(all);
  }

  /** Index and distance of the triangle nearest to a point. */
  nearest(point: readonly number[]): { readonly triangle: number; readonly distance: number } {
    this.#best = Infinity;
    this.#visit(this.#root, point);
    return { triangle: this.#nearest, distance: this.#best };
  }

  /** Distance of a point from a triangle. */
  from(point: readonly number[], triangle: number): number {
    return distanceToTriangle(this.#mesh, triangle, point);
  }

  #build(triangles: Uint32Array): Node {
    const { vertices, triangles: corners } = this.#mesh;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (const triangle of triangles) {
      for (let k = 0; k < 9; k++) {
        const value = vertices[3 * corners[3 * triangle + Math.floor(k / 3)] + (k % 3)];
        low[k % 3] = Math.min(low[k % 3], value);
        high[k % 3] = Math.max(high[k % 3], value);
      }
    }
    if (triangles.length <= LEAF) return { low, high, triangles, children: [] };
    const sides = [0, 1, 2].map((axis) => high[axis] - low[axis]);
    const axis = sides.indexOf(Math.max(...sides));
    const middle = (triangle: number): number =>
      [0, 1, 2].reduce((sum, k) => sum + vertices[3 * corners[3 * triangle + k] + axis], 0);
    // by index among equals, so that the order is one
    const sorted = triangles.slice().sort((a, b) => middle(a) - middle(b) || a - b);
    const half = sorted.length >> 1;
    const children = [this.#build(sorted.slice(0, half)), this.#build(sorted.slice(half))];
    return { low, high, triangles: null, children };
  }

  #visit(node: Node, point: readonly number[]): void {
    if (node.triangles !== null) {
      for (const triangle of node.triangles) {
        const distance = this.from(point, triangle);
        if (!(distance < this.#best)) continue;
        this.#best = distance;
        this.#nearest = triangle;
      }
      return;
    }
    const [a, b] = node.children;
    const [da, db] = [toBox(a, point), toBox(b, point)];
    const [near, far] = da <= db ? [a, b] : [b, a];
    if (Math.min(da, db) < this.#best) this.#visit(near, point);
    if (Math.max(da, db) < this.#best) this.#visit(far, point);
  }
}

function toBox({ low, high }: Node, point: readonly number[]): number {
  let square = 0;
  for (let axis = 0; axis < 3; axis++) {
    const away = Math.max(low[axis] - point[axis], point[axis] - high[axis], 0);
    square += away * away;
  }
  return Math.sqrt(square);
}

type Corners = readonly (readonly number[])[];

function between(a: readonly number[], b: readonly number[]): number[] {
  return a.map((value, k) => 0.5 * (value + b[k]));
}

/** Bound of the distance of all points of `from` from `to`: at most `enough`, or 5 % above the largest that was found. */
function reach(from: TriangleMesh, to: Surface, enough: number): number {
  let found = 0;
  let bound = 0;
  let last = 0;
  const farthest = (corners: Corners, triangle: number): number =>
    Math.max(...corners.map((corner) => to.from(corner, triangle)));
  const examine = (corners: Corners, divisions: number): void => {
    // more than enough: how much more is not asked
    if (enough > 0 && found > enough) return;
    // (1) holds for any triangle K, so that of the neighbour will do
    const near = farthest(corners, last);
    if (near <= Math.max(bound, enough)) {
      if (near > bound) bound = near;
      return;
    }
    const middle = [0, 1, 2].map((k) => (corners[0][k] + corners[1][k] + corners[2][k]) / 3);
    const { triangle, distance } = to.nearest(middle);
    if (distance > found) found = distance;
    last = triangle;
    const most = farthest(corners, triangle);
    if (most <= Math.max(bound, enough, (1 + ROOM) * found) || divisions === 0) {
      if (most > bound) bound = most;
      return;
    }
    const [a, b, c] = corners;
    const [ab, bc, ca] = [between(a, b), between(b, c), between(c, a)];
    const parts = [
      [a, ab, ca],
      [ab, b, bc],
      [ca, bc, c],
      [ab, bc, ca],
    ];
    for (const part of parts) examine(part, divisions - 1);
  };
  const { vertices, triangles } = from;
  for (let k = 0; k < triangles.length; k += 3) {
    const corners = [0, 1, 2].map((n) => {
      const at = 3 * triangles[k + n];
      return [vertices[at], vertices[at + 1], vertices[at + 2]];
    });
    examine(corners, DIVISIONS);
  }
  return Math.max(bound, found);
}

/**
 * Bound of the distance of two surfaces, both ways: no point of one is farther from the other. In the units of the meshes.
 * @param enough where only a distance up to this counts: what is more is some number above it
 */
export function surfaceDistance(a: TriangleMesh, b: TriangleMesh, enough = 0): number {
  const first = reach(b, new Surface(a), enough);
  return enough > 0 && first > enough ? first : Math.max(first, reach(a, new Surface(b), enough));
}
