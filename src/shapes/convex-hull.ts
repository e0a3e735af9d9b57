/**
 * Convex hull of a few hundred points by insertion: a point outside removes the faces that it sees and is joined to their
 * horizon. Allocates; for construction.
 */

type Point = readonly [number, number, number];

/** A convex polyhedron. */
export interface Hull {
  /** Corners, m; points inside the hull or on its faces are left out. */
  readonly points: readonly Point[];
  /** Triangles as indices of corners, counter-clockwise seen from outside; none when all points lie in one plane. */
  readonly faces: readonly (readonly [number, number, number])[];
}

/** A point closer to a face than this part of the extent lies on it. */
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
  let faces = (
    [
      [a, b, c],
      [a, d, b],
      [b, d, c],
      [c, d, a],
    ] as const
  ).map((corners) => makeFace(points, corners));
  points.forEach((point, index) => {
    const seen = faces.filter((face) => dot(face.normal, point) - face.offset > flat);
    if (seen.length === 0) return;
    const edges = new Map<string, readonly [number, number]>();
    for (const { corners } of seen) {
      for (let k = 0; k < 3; k++) {
        const from = corners[k];
        const to = corners[(k + 1) % 3];
        if (!edges.delete(`${to},${from}`)) edges.set(`${from},${to}`, [from, to]);
      }
    }
    faces = faces.filter((face) => !seen.includes(face));
    for (const [from, to] of edges.values()) faces.push(makeFace(points, [from, to, index]));
  });
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

/** Length of the shortest edge between faces that do not lie in one plane, m. */
export function shortestEdge(hull: Hull): number {
  const normals = new Map<string, Point>();
  let shortest = Number.POSITIVE_INFINITY;
  const faces = hull.faces.map((corners) => makeFace(hull.points, corners));
  for (const { corners, normal } of faces) {
    for (let k = 0; k < 3; k++) normals.set(`${corners[k]},${corners[(k + 1) % 3]}`, normal);
  }
  for (const { corners, normal } of faces) {
    for (let k = 0; k < 3; k++) {
      const from = corners[k];
      const to = corners[(k + 1) % 3];
      const bend = cross(normal, normals.get(`${to},${from}`) ?? [0, 0, 0]);
      if (dot(bend, bend) <= FLAT) continue;
      const edge = minus(hull.points[to], hull.points[from]);
      shortest = Math.min(shortest, Math.sqrt(dot(edge, edge)));
    }
  }
  return shortest;
}
