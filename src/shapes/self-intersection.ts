/**
 * Where a closed mesh goes through itself: an edge of one triangle through another one, or two triangles that lie on each other and face the same
 * way. Surfaces that only touch, such as two boxes with a common face, do not count. Signs are exact (exact-side.ts); triangles come from a tree
 * of boxes. It allocates and is for construction.
 *
 * An edge that meets the common edge of two triangles goes through where it changes the side of both in the same sense. One that meets a corner
 * is left to the other edges.
 */
import { sideOfLine, sideOfPlane } from './exact-side.ts';
import type { TriangleMesh } from './triangle-mesh.ts';
import { TriangleTree } from './triangle-tree.ts';

/** Two triangles that go through each other, and a place of both, in units of the mesh. */
export interface SelfIntersection {
  readonly triangles: readonly [number, number];
  readonly place: readonly [number, number, number];
  /** How many pairs of triangles do. */
  readonly count: number;
}

type Triple = readonly [number, number, number];

/** The first pair of triangles of a mesh that go through each other, by their index; null without one. */
export function selfIntersection(mesh: TriangleMesh): SelfIntersection | null {
  const cuts = new Cuts(mesh);
  let first: readonly [number, number] | null = null;
  let count = 0;
  eachNearPair(new TriangleTree(mesh), (s, t) => {
    if (!cuts.meet(s, t)) return;
    count++;
    const pair = s < t ? ([s, t] as const) : ([t, s] as const);
    const earlier =
      first === null || pair[0] < first[0] || (pair[0] === first[0] && pair[1] < first[1]);
    if (earlier) first = pair;
  });
  if (first === null) return null;
  return { triangles: first, place: cuts.placeOf(first), count };
}

/** Every two triangles whose boxes share a point. */
function eachNearPair(
  { mesh, boxes, rights, sizes, members }: TriangleTree,
  visit: (s: number, t: number) => void,
): void {
  const own = triangleBoxes(mesh);
  const extents = Float64Array.from(rights, (_, node) => {
    const o = 6 * node;
    return boxes[o + 3] - boxes[o] + (boxes[o + 4] - boxes[o + 1]) + (boxes[o + 5] - boxes[o + 2]);
  });
  const stack: number[] = [0, 0];
  for (;;) {
    const q = stack.pop();
    const p = stack.pop();
    if (p === undefined || q === undefined) return;
    if (p !== q && apart(boxes, 6 * p, 6 * q)) continue;
    if (sizes[p] > 0 && sizes[q] > 0) {
      for (let m = 0; m < sizes[p]; m++) {
        const s = members[rights[p] + m];
        for (let n = p === q ? m + 1 : 0; n < sizes[q]; n++) {
          const t = members[rights[q] + n];
          if (!apart(own, 6 * s, 6 * t)) visit(s, t);
        }
      }
    } else if (p === q) stack.push(p + 1, p + 1, rights[p], rights[p], p + 1, rights[p]);
    else if (sizes[q] > 0 || (sizes[p] === 0 && extents[p] >= extents[q]))
      stack.push(p + 1, q, rights[p], q);
    else stack.push(p, q + 1, p, rights[q]);
  }
}

/** Low and high corner of the box of each triangle. */
function triangleBoxes({ vertices, triangles }: TriangleMesh): Float64Array {
  const boxes = new Float64Array(2 * triangles.length);
  for (let k = 0; k < triangles.length / 3; k++) {
    for (let a = 0; a < 3; a++) {
      const x = vertices[3 * triangles[3 * k] + a];
      const y = vertices[3 * triangles[3 * k + 1] + a];
      const z = vertices[3 * triangles[3 * k + 2] + a];
      boxes[6 * k + a] = Math.min(x, y, z);
      boxes[6 * k + 3 + a] = Math.max(x, y, z);
    }
  }
  return boxes;
}

/** Whether the boxes at two places share no point. */
function apart(boxes: Float64Array, p: number, q: number): boolean {
  for (let a = 0; a < 3; a++) {
    if (boxes[p + a] > boxes[q + 3 + a] || boxes[q + a] > boxes[p + 3 + a]) return true;
  }
  return false;
}

/** Which triangles of a mesh go through each other. */
class Cuts {
  readonly #mesh: TriangleMesh;
  /** Corner across each edge from a vertex to the next one. */
  #across: Map<number, number> | null = null;

  constructor(mesh: TriangleMesh) {
    this.#mesh = mesh;
  }

  meet(s: number, t: number): boolean {
    const own = this.#mesh.triangles;
    let shared = 0;
    for (let m = 0; m < 3; m++)
      for (let n = 0; n < 3; n++) if (own[3 * s + m] === own[3 * t + n]) shared++;
    if (shared > 1) return false;
    const [p, q] = [this.#corners(s), this.#corners(t)];
    const ofP = this.#sides(p, q);
    if (oneSided(ofP)) return false;
    const ofQ = this.#sides(q, p);
    if (oneSided(ofQ)) return false;
    return this.#edgeThrough(p, q, ofP) || this.#edgeThrough(q, p, ofQ) || this.#liesOn(p, q, ofP);
  }

  /** A place near to where two triangles meet: the middle of where the edges of one go through the plane of the other. */
  placeOf([s, t]: readonly [number, number]): Triple {
    const [p, q] = [this.#corners(s), this.#corners(t)];
    const points = [...this.#piercings(p, q), ...this.#piercings(q, p)];
    const { vertices: v } = this.#mesh;
    const all =
      points.length > 0 ? points : [...p, ...q].map((at) => [v[at], v[at + 1], v[at + 2]]);
    const mean = (a: number): number => all.reduce((sum, x) => sum + x[a], 0) / all.length;
    return [mean(0), mean(1), mean(2)];
  }

  /** Offsets of the corners of a triangle. */
  #corners(k: number): Triple {
    const t = this.#mesh.triangles;
    return [3 * t[3 * k], 3 * t[3 * k + 1], 3 * t[3 * k + 2]];
  }

  /** On which side of the plane of q the corners of p are. */
  #sides(p: Triple, q: Triple): readonly number[] {
    return p.map((corner) => sideOfPlane(this.#mesh.vertices, ...q, corner));
  }

  #edgeThrough(p: Triple, q: Triple, sides: readonly number[]): boolean {
    return [0, 1, 2].some((k) => {
      const to = (k + 1) % 3;
      return sides[k] * sides[to] < 0 && this.#passes(p[k], p[to], q, sides[k]);
    });
  }

  /** Whether a segment with its ends on both sides of the plane of a triangle goes through it. */
  #passes(from: number, to: number, q: Triple, side: number): boolean {
    const v = this.#mesh.vertices;
    const turns = q.map((corner, k) => sideOfPlane(v, from, to, corner, q[(k + 1) % 3]));
    if (turns.some((turn) => turn > 0) && turns.some((turn) => turn < 0)) return false;
    const edge = turns.indexOf(0);
    if (edge < 0) return true;
    if (turns.lastIndexOf(0) !== edge) return false; // at a corner
    const [a, b] = [q[edge], q[(edge + 1) % 3]];
    const c = this.#cornerAcross(a, b);
    if (c === undefined) return false;
    return sideOfPlane(v, b, a, c, from) === side && sideOfPlane(v, b, a, c, to) === -side;
  }

  /** Third corner of the triangle on the other side of an edge. */
  #cornerAcross(a: number, b: number): number | undefined {
    const { triangles, vertices } = this.#mesh;
    if (this.#across === null) {
      this.#across = new Map();
      for (let k = 0; k < triangles.length / 3; k++) {
        const corners = this.#corners(k);
        corners.forEach((corner, n) => {
          const key = corner * vertices.length + corners[(n + 1) % 3];
          this.#across?.set(key, corners[(n + 2) % 3]);
        });
      }
    }
    return this.#across.get(b * vertices.length + a);
  }

  /** Whether two triangles of one plane that face the same way share more than a border. */
  #liesOn(p: Triple, q: Triple, sides: readonly number[]): boolean {
    const v = this.#mesh.vertices;
    if (sides.some((side) => side !== 0)) return false;
    for (const axes of AXES) {
      const turn = sideOfLine(v, axes, ...p);
      if (turn === 0) continue;
      if (sideOfLine(v, axes, ...q) !== turn) return false;
      const parts = (one: Triple, other: Triple): boolean =>
        one.some((corner, k) =>
          other.every((far) => sideOfLine(v, axes, corner, one[(k + 1) % 3], far) !== turn),
        );
      return !parts(p, q) && !parts(q, p);
    }
    return false;
  }

  /** Where edges of one triangle go through the plane of another one, about. */
  #piercings(p: Triple, q: Triple): number[][] {
    const v = this.#mesh.vertices;
    const sides = this.#sides(p, q);
    const height = (at: number): number => {
      const [a, b, c] = q;
      const edge = (to: number): number[] => [0, 1, 2].map((k) => v[to + k] - v[a + k]);
      const [x, y, z] = [edge(b), edge(c), edge(at)];
      return (
        z[0] * (x[1] * y[2] - x[2] * y[1]) +
        z[1] * (x[2] * y[0] - x[0] * y[2]) +
        z[2] * (x[0] * y[1] - x[1] * y[0])
      );
    };
    return [0, 1, 2].flatMap((k) => {
      const next = (k + 1) % 3;
      const [from, to] = [p[k], p[next]];
      if (sides[k] * sides[next] >= 0 || !this.#passes(from, to, q, sides[k])) return [];
      const [h, g] = [height(from), height(to)];
      const part = h === g ? 0.5 : h / (h - g);
      return [[0, 1, 2].map((a) => v[from + a] + part * (v[to + a] - v[from + a]))];
    });
  }
}

/** Whether all corners are strictly on one side. */
const oneSided = (sides: readonly number[]): boolean =>
  sides.every((side) => side > 0) || sides.every((side) => side < 0);

const AXES: readonly (readonly [number, number])[] = [
  [0, 1],
  [1, 2],
  [2, 0],
];
