/**
 * Convex hull by insertion, farthest point first. A point outside the hull removes the faces
 * visible from it and is joined to their horizon. Visibility is decided exactly, so nearly coplanar
 * points do no harm. It allocates and is for construction.
 */

import { orient } from '../math/orient.ts';

type Point = readonly [number, number, number];

/** A convex polyhedron. */
export interface Hull {
  /** Corners, m. Points inside the hull or on its faces are left out. */
  readonly points: readonly Point[];
  /** Triangles as indices of corners, counter-clockwise from outside; none when all points lie in one plane. */
  readonly faces: readonly (readonly [number, number, number])[];
}

/** Distance from a face, relative to the extent, below which a point lies on it. */
const FLAT = 1e-10;

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

interface Face {
  readonly corners: readonly [number, number, number];
  readonly normal: Point;
  readonly offset: number;
}

function makeFace(points: readonly Point[], corners: readonly [number, number, number]): Face {
  const [a, b, c] = corners.map((index) => points[index]);
  const n = cross(minus(b, a), minus(c, a));
  const length = Math.sqrt(dot(n, n));
  const normal: Point = [n[0] / length, n[1] / length, n[2] / length];
  return { corners, normal, offset: dot(normal, a) };
}

/** Index of the point with the largest value; -1 when none exceeds `least`. */
function farthest(points: readonly Point[], least: number, value: (p: Point) => number): number {
  let best = -1;
  let most = least;
  points.forEach((point, index) => {
    const here = value(point);
    if (here > most) {
      most = here;
      best = index;
    }
  });
  return best;
}

function firstTetrahedron(points: readonly Point[], flat: number): number[] | null {
  const a = 0;
  const p = points[a];
  const square = flat * flat;
  const b = farthest(points, square, (x) => dot(minus(x, p), minus(x, p)));
  if (b < 0) return null;
  const along = minus(points[b], p);
  const c = farthest(points, square * dot(along, along), (x) => {
    const n = cross(along, minus(x, p));
    return dot(n, n);
  });
  if (c < 0) return null;
  const normal = cross(along, minus(points[c], p));
  const least = flat * Math.sqrt(dot(normal, normal));
  const d = farthest(points, least, (x) => Math.abs(dot(normal, minus(x, p))));
  if (d < 0) return null;
  return dot(normal, minus(points[d], p)) < 0 ? [a, b, c, d] : [a, c, b, d];
}

interface HullFace extends Face {
  /** Points outside this face by more than the tolerance, assigned to no other face. */
  outside: number[];
  alive: boolean;
}

/** Hull under construction: its faces, and the face along each directed edge. */
class Growing {
  readonly faces: HullFace[] = [];
  private readonly along = new Map<number, HullFace>();
  private readonly points: readonly Point[];
  private readonly flat: number;

  constructor(points: readonly Point[], flat: number) {
    this.points = points;
    this.flat = flat;
  }

  add(corners: readonly [number, number, number]): HullFace {
    const face: HullFace = { ...makeFace(this.points, corners), outside: [], alive: true };
    this.faces.push(face);
    for (let k = 0; k < 3; k++) this.along.set(this.key(corners[k], corners[(k + 1) % 3]), face);
    return face;
  }

  /** Assigns each point to the face of the list from which it lies farthest outside. */
  hand(points: Iterable<number>, faces: readonly HullFace[]): void {
    for (const index of points) {
      let best: HullFace | null = null;
      let most = this.flat;
      for (const face of faces) {
        const away = dot(face.normal, this.points[index]) - face.offset;
        // the normal of a sliver may be wrong: it takes only points that see it exactly
        if (!(away > most) || !this.sees(index, face)) continue;
        most = away;
        best = face;
      }
      best?.outside.push(index);
    }
  }

  /** Joins the farthest point of a face to the hull. */
  grow(face: HullFace): void {
    const away = (index: number): number => dot(face.normal, this.points[index]) - face.offset;
    const top = face.outside.reduce((a, b) => (away(b) > away(a) ? b : a));
    const seen = [face];
    face.alive = false;
    const horizon: (readonly [number, number])[] = [];
    for (const one of seen) {
      for (let k = 0; k < 3; k++) {
        const from = one.corners[k];
        const to = one.corners[(k + 1) % 3];
        const beside = this.along.get(this.key(to, from));
        if (beside === undefined || !beside.alive) continue;
        if (this.sees(top, beside)) {
          beside.alive = false;
          seen.push(beside);
        }
      }
    }
    for (const { corners } of seen) {
      for (let k = 0; k < 3; k++) {
        const edge = [corners[k], corners[(k + 1) % 3]] as const;
        if (this.along.get(this.key(edge[1], edge[0]))?.alive === true) horizon.push(edge);
      }
    }
    const made = horizon.map(([from, to]) => this.add([from, to, top]));
    const left = seen.flatMap((one) => one.outside).filter((index) => index !== top);
    this.hand(left, made);
  }

  /** Exact visibility: the visible faces are always connected and their border is one loop. */
  private sees(index: number, { corners: [a, b, c] }: Face): boolean {
    return orient(this.points[a], this.points[b], this.points[c], this.points[index]) > 0;
  }

  private key(from: number, to: number): number {
    return from * this.points.length + to;
  }
}

/** Hull of the points; without faces when they lie in one plane. */
export function convexHull(points: readonly Point[]): Hull {
  let extent = 0;
  for (const point of points) {
    const away = minus(point, points[0]);
    extent = Math.max(extent, Math.sqrt(dot(away, away)));
  }
  const flat = FLAT * extent;
  const first = points.length < 4 ? null : firstTetrahedron(points, flat);
  if (first === null) return { points, faces: [] };
  const [a, b, c, d] = first;
  const hull = new Growing(points, flat);
  const start = (
    [
      [a, b, c],
      [a, d, b],
      [b, d, c],
      [c, d, a],
    ] as const
  ).map((corners) => hull.add(corners));
  hull.hand(points.keys(), start);
  // the list grows during the loop
  for (const face of hull.faces) if (face.alive && face.outside.length > 0) hull.grow(face);
  const faces = hull.faces.filter((face) => face.alive);
  const used = [...new Set(faces.flatMap((face) => face.corners))].sort((x, y) => x - y);
  const place = new Map(used.map((index, at) => [index, at]));
  return {
    points: used.map((index) => points[index]),
    faces: faces.map(({ corners }) => {
      const [x, y, z] = corners.map((index) => place.get(index) ?? 0);
      return [x, y, z];
    }),
  };
}
