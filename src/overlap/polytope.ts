/**
 * A convex polytope made ready for clipping: corners, face planes, face loops and the table of edges in flat arrays, with a ball
 * around it. Built once, at load. A half-space is the polytope with one plane and no corners.
 */
import { convexHull } from '../shapes/convex-hull.ts';
import type { CellShape } from '../shapes/cell-model.ts';

type Point = readonly [number, number, number];

/** Everything is in the frame of the shape, m. */
export interface Polytope {
  /** False for the half-space, which has no corners, edges or loops. */
  readonly bounded: boolean;
  /** Corners, three numbers each. */
  readonly corners: Float64Array;
  /** Faces as n and d, four numbers each: outward unit normal, and n·p <= d inside. */
  readonly planes: Float64Array;
  /** Corners of all faces, each counter-clockwise from outside. */
  readonly loops: Int32Array;
  /** Where the loop of a face starts in `loops`; one more number than faces. */
  readonly loopStart: Int32Array;
  /** Edges as (from, to, left face, right face): each once, the left face runs along it in this sense. */
  readonly edges: Int32Array;
  /** Centre of the box around the corners. */
  readonly center: Float64Array;
  /** Radius of the ball about `center` that holds all corners; infinite for the half-space. */
  readonly radius: number;
  /** Largest distance of a corner from the origin; infinite for the half-space. */
  readonly reach: number;
  /** Corners of the box around the corners. */
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** Triangles of a hull belong to one face when their corners are off its plane by no more than this part of the extent. */
const COPLANAR = 1e-9;

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Vector area of a loop, from its first corner. */
function vectorArea(points: readonly Point[], loop: readonly number[]): Point {
  let sum: Point = [0, 0, 0];
  const a = points[loop[0]];
  for (let k = 1; k + 1 < loop.length; k++) {
    const n = cross(minus(points[loop[k]], a), minus(points[loop[k + 1]], a));
    sum = [sum[0] + 0.5 * n[0], sum[1] + 0.5 * n[1], sum[2] + 0.5 * n[2]];
  }
  return sum;
}

/** Unit normal and offset of a loop: through the mean of its corners. */
function planeOf(points: readonly Point[], loop: readonly number[]): number[] {
  const area = vectorArea(points, loop);
  const length = Math.sqrt(dot(area, area));
  // a face without area has no plane; this one contains everything and never cuts
  if (!(length > 0)) return [0, 0, 0, 0];
  const n: Point = [area[0] / length, area[1] / length, area[2] / length];
  return [...n, loop.reduce((sum, v) => sum + dot(n, points[v]), 0) / loop.length];
}

/** Largest side of the box around points. */
function extentOf(points: readonly Point[]): number {
  let extent = 0;
  for (let k = 0; k < 3; k++) {
    const values = points.map((p) => p[k]);
    extent = Math.max(extent, Math.max(...values) - Math.min(...values));
  }
  return extent;
}

/** Loop of the directed sides, or null when they are not one closed run. */
function chain(sides: readonly (readonly [number, number])[]): number[] | null {
  const next = new Map(sides);
  if (sides.length === 0 || next.size !== sides.length) return null;
  const loop = [sides[0][0]];
  for (let at = next.get(loop[0]); at !== loop[0]; at = next.get(at)) {
    if (at === undefined || loop.length > sides.length) return null;
    loop.push(at);
  }
  return loop.length === sides.length ? loop : null;
}

/**
 * Faces of a triangulated convex surface: neighbours in one plane are joined, from the largest triangle down, as the plane of a
 * sliver is not sure.
 */
function joinCoplanar(points: readonly Point[], triangles: readonly Point[]): number[][] {
  const extent = extentOf(points);
  const flat = COPLANAR * extent;
  const owner = new Map<string, number>();
  triangles.forEach((t, index) => {
    for (let k = 0; k < 3; k++) owner.set(`${t[k]},${t[(k + 1) % 3]}`, index);
  });
  const areas = triangles.map((t) => vectorArea(points, t));
  const size = areas.map((area) => dot(area, area));
  const order = triangles.map((_, index) => index).sort((a, b) => size[b] - size[a] || a - b);
  const group = new Int32Array(triangles.length).fill(-1);
  const loops: number[][] = [];
  for (const seed of order) {
    if (group[seed] >= 0) continue;
    const [nx, ny, nz, d] = planeOf(points, triangles[seed]);
    const members = [seed];
    group[seed] = seed;
    const sides: [number, number][] = [];
    for (const member of members) {
      const t = triangles[member];
      for (let k = 0; k < 3; k++) {
        const twin = owner.get(`${t[(k + 1) % 3]},${t[k]}`) ?? -1;
        const joins =
          twin >= 0 &&
          group[twin] < 0 &&
          // not around the rim of a plate thinner than this
          dot(areas[twin], [nx, ny, nz]) >= -flat * extent &&
          triangles[twin].every((v) => Math.abs(dot([nx, ny, nz], points[v]) - d) <= flat);
        if (joins) {
          group[twin] = seed;
          members.push(twin);
        }
      }
    }
    for (const member of members) {
      const t = triangles[member];
      for (let k = 0; k < 3; k++) {
        const twin = owner.get(`${t[(k + 1) % 3]},${t[k]}`) ?? -1;
        if (twin < 0 || group[twin] !== seed) sides.push([t[k], t[(k + 1) % 3]]);
      }
    }
    const loop = chain(sides);
    // a loop with a hole or a waist is no face: the triangles stay
    if (loop === null) for (const member of members) loops.push([...triangles[member]]);
    else loops.push(loop);
  }
  return loops;
}

/** Polytope from corners and the loops of its faces, which must close; corners without a face are left out. */
function fromLoops(all: readonly Point[], allLoops: readonly (readonly number[])[]): Polytope {
  const used = [...new Set(allLoops.flat())].sort((a, b) => a - b);
  const place = new Map(used.map((index, at) => [index, at]));
  const points = used.map((index) => all[index]);
  const loops = allLoops.map((loop) => loop.map((v) => place.get(v) ?? 0));
  const left = new Map<string, number>();
  loops.forEach((loop, face) => {
    loop.forEach((v, k) => left.set(`${v},${loop[(k + 1) % loop.length]}`, face));
  });
  const edges: number[] = [];
  for (const [side, face] of left) {
    const [from, to] = side.split(',').map(Number);
    if (from < to) edges.push(from, to, face, left.get(`${to},${from}`) ?? face);
  }
  const low = [0, 1, 2].map((k) => Math.min(...points.map((p) => p[k])));
  const high = [0, 1, 2].map((k) => Math.max(...points.map((p) => p[k])));
  const center: Point = [
    0.5 * (low[0] + high[0]),
    0.5 * (low[1] + high[1]),
    0.5 * (low[2] + high[2]),
  ];
  const squares = points.map((p) => dot(minus(p, center), minus(p, center)));
  const loopStart = [0];
  for (const loop of loops) loopStart.push(loopStart[loopStart.length - 1] + loop.length);
  return {
    bounded: true,
    corners: Float64Array.from(points.flat()),
    planes: Float64Array.from(loops.flatMap((loop) => planeOf(points, loop))),
    loops: Int32Array.from(loops.flat()),
    loopStart: Int32Array.from(loopStart),
    edges: Int32Array.from(edges),
    center: Float64Array.from(center),
    radius: Math.sqrt(Math.max(...squares)),
    reach: Math.sqrt(Math.max(...points.map((p) => dot(p, p)))),
    low: Float64Array.from(low),
    high: Float64Array.from(high),
  };
}

/** Faces of a box: bit k of a corner gives its side along axis k. */
const BOX_LOOPS = [
  [1, 3, 7, 5],
  [0, 4, 6, 2],
  [2, 6, 7, 3],
  [0, 1, 5, 4],
  [4, 5, 7, 6],
  [0, 2, 3, 1],
] as const;

function boxPolytope(size: Point): Polytope {
  const points = Array.from(
    { length: 8 },
    (_, v): Point => [
      (v & 1 ? 0.5 : -0.5) * size[0],
      (v & 2 ? 0.5 : -0.5) * size[1],
      (v & 4 ? 0.5 : -0.5) * size[2],
    ],
  );
  return fromLoops(points, BOX_LOOPS);
}

function halfSpacePolytope(): Polytope {
  const infinite = Number.POSITIVE_INFINITY;
  return {
    bounded: false,
    corners: new Float64Array(0),
    planes: Float64Array.of(0, 0, 1, 0),
    loops: new Int32Array(0),
    loopStart: Int32Array.of(0, 0),
    edges: new Int32Array(0),
    center: new Float64Array(3),
    radius: infinite,
    reach: infinite,
    low: Float64Array.of(-infinite, -infinite, -infinite),
    high: Float64Array.of(infinite, infinite, 0),
  };
}

/** The polytope of a shape with flat faces: box, mesh (hull of its points), half-space. Null for any other. */
export function makePolytope(shape: CellShape): Polytope | null {
  switch (shape.kind) {
    case 'box':
      return boxPolytope(shape.size);
    case 'mesh': {
      const hull = convexHull(shape.vertices);
      if (hull.faces.length === 0) return null;
      return fromLoops(hull.points, joinCoplanar(hull.points, hull.faces));
    }
    case 'half-space':
      return halfSpacePolytope();
    default:
      return null;
  }
}
