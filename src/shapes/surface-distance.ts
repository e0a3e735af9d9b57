/**
 * How far two surfaces of triangles are apart: a bound of the largest distance of a point of one from the other, both ways.
 *
 * The nearest triangle K of the middle of a triangle T is convex, and so is the distance from it. It is therefore largest at a corner of T:
 *
 *   d(middle, surface) <= sup over T of d(x, surface) <= max over corners v of T of d(v, K)                             (1)
 *
 * Where both sides are far apart T is divided into four. It allocates and is for construction.
 */
import type { TriangleMesh } from './triangle-mesh.ts';
import { SQUARE, TriangleTree } from './triangle-tree.ts';

/** Room between both sides of (1) that is left as it is, relative to the largest distance found. */
const ROOM = 0.05;
/** Divisions of a triangle at most. */
const DIVISIONS = 7;
/** Numbers of a level of divisions: the corners of four parts, and the middle of one. */
const LEVEL = 39;
const MIDDLE = 36;

/** How far the surfaces of others are from one. */
export class SurfaceDistance {
  readonly #tree: TriangleTree;

  constructor(mesh: TriangleMesh) {
    this.#tree = new TriangleTree(mesh);
  }

  /**
   * Bound of the distance of both surfaces, both ways: no point of one is farther from the other. In the units of the meshes.
   * @param enough where only a distance up to this counts: what is more is some number above it
   */
  boundTo(other: TriangleMesh, enough = 0): number {
    const first = new Reach(this.#tree, enough).of(other);
    if (enough > 0 && first > enough) return first;
    return Math.max(first, new Reach(new TriangleTree(other), enough).of(this.#tree.mesh));
  }
}

/** Bound of the distance of all points of a surface from that of a tree: at most `enough`, or 5 % above the largest that was found. */
class Reach {
  readonly #tree: TriangleTree;
  readonly #enough: number;
  readonly #points: Float64Array = new Float64Array(LEVEL * (DIVISIONS + 2));
  #found = 0;
  #bound = 0;
  #last = 0;

  constructor(tree: TriangleTree, enough: number) {
    this.#tree = tree;
    this.#enough = enough;
  }

  of({ vertices, triangles }: TriangleMesh): number {
    const points = this.#points;
    for (let k = 0; k < triangles.length; k += 3) {
      // more than enough: how much more is not asked
      if (this.#enough > 0 && this.#found > this.#enough) break;
      for (let n = 0; n < 9; n++)
        points[n] = vertices[3 * triangles[k + Math.floor(n / 3)] + (n % 3)];
      this.#examine(0, 0);
    }
    return Math.max(this.#bound, this.#found);
  }

  /** Largest distance of the three corners at a place from a triangle; Infinity where that gives no number. */
  #farthest(at: number, triangle: number): number {
    const tree = this.#tree;
    let most = 0;
    for (let c = 0; c < 9; c += 3) {
      tree.measure(triangle, this.#points, at + c);
      const square = tree.place[SQUARE];
      if (!(square <= most)) most = square >= 0 ? square : Infinity;
    }
    return Math.sqrt(most);
  }

  /** The part whose corners are at a place, on a level of divisions. */
  #examine(at: number, level: number): void {
    const points = this.#points;
    const enough = this.#enough;
    if (enough > 0 && this.#found > enough) return;
    // (1) holds for any triangle K, so that of the neighbour will do
    const near = this.#farthest(at, this.#last);
    if (near <= Math.max(this.#bound, enough)) {
      if (near > this.#bound) this.#bound = near;
      return;
    }
    const next = LEVEL * (level + 1);
    const middle = next + MIDDLE;
    for (let a = 0; a < 3; a++)
      points[middle + a] = (points[at + a] + points[at + 3 + a] + points[at + 6 + a]) / 3;
    // the middle is no farther from that triangle than the farthest corner
    this.#tree.findNearest(points, middle, near * (1 + 1e-9));
    const triangle = this.#tree.triangle;
    const distance = triangle < 0 ? near : Math.sqrt(this.#tree.nearest[SQUARE]);
    if (distance > this.#found) this.#found = distance;
    if (triangle >= 0) this.#last = triangle;
    const most = this.#farthest(at, this.#last);
    const least = Math.max(this.#bound, enough, (1 + ROOM) * this.#found);
    if (most <= least || level === DIVISIONS) {
      if (most > this.#bound) this.#bound = most;
      return;
    }
    this.#divide(at, next);
    for (let part = 0; part < 4; part++) this.#examine(next + 9 * part, level + 1);
  }

  /** Corners of the four parts (a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca). */
  #divide(at: number, to: number): void {
    const points = this.#points;
    for (let a = 0; a < 3; a++) {
      const [p, q, r] = [points[at + a], points[at + 3 + a], points[at + 6 + a]];
      const [pq, qr, rp] = [0.5 * (p + q), 0.5 * (q + r), 0.5 * (r + p)];
      const corners = [p, pq, rp, pq, q, qr, rp, qr, r, pq, qr, rp];
      for (let n = 0; n < 12; n++) points[to + 3 * n + a] = corners[n];
    }
  }
}
