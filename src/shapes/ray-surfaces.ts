/**
 * Surfaces of a primitive as quadrics, q(p) <= 0 inside, in the frame of its cell:
 *
 *   plane     q = n·p − d
 *   round     q = |x|² − (a·x)² − κ² (a·x)² + 2 g (a·x) − r²,   x = p − centre, a the axis (a = 0: ball; κ = 0: cylinder)
 *   ellipsoid q = xᵀ M x − r²
 *
 * A cone of the radius r − κ z has g = r κ; only its nappe with r − κ z >= 0 counts. A primitive is
 * a union of pieces, each the intersection of its surfaces. Box and ball have one piece, capsule
 * and beam three (two ends and a middle between two seams). The union is convex, so its
 * intersection with a line is the hull of those of the pieces.
 */
import { PRIMITIVE, type RayPrimitive } from './ray-primitive.ts';

/** Kinds of surfaces. */
export const PLANE = 0;
export const ROUND = 1;
export const CONE = 2;
export const ELLIPSOID = 3;

/** One surface, frame of the cell. */
export interface RaySurface {
  readonly kind: number;
  /** Centre, or n of a plane. */
  readonly center: readonly [number, number, number];
  /** Axis of unit length; zero for a ball. */
  readonly axis: readonly [number, number, number];
  /** κ. */
  readonly slope: number;
  /** r, or d of a plane, m. */
  readonly radius: number;
  /** M, xx, yy, zz, xy, xz, yz. */
  readonly matrix: readonly number[];
}

/** Surfaces of one primitive, its pieces and its edges. */
export interface RayFaces {
  readonly surfaces: readonly RaySurface[];
  /** Indices of surfaces. */
  readonly pieces: readonly (readonly number[])[];
  /** Pairs of surfaces that meet in an edge or seam. */
  readonly edges: readonly (readonly [number, number])[];
}

type Vector = readonly [number, number, number];
const NONE: Vector = [0, 0, 0];
const X: Vector = [1, 0, 0];
const Y: Vector = [0, 1, 0];
const Z: Vector = [0, 0, 1];
const back = ([x, y, z]: Vector): Vector => [-x, -y, -z];

function plane(n: Vector, d: number): RaySurface {
  return { kind: PLANE, center: n, axis: NONE, slope: 0, radius: d, matrix: [] };
}
function round(center: Vector, axis: Vector, radius: number): RaySurface {
  return { kind: ROUND, center, axis, slope: 0, radius, matrix: [] };
}

/** All pairs of an element of the first and one of the second list. */
function pairs(one: readonly number[], other: readonly number[]): [number, number][] {
  return one.flatMap((a) => other.map((b): [number, number] => [a, b]));
}

function localFaces(primitive: RayPrimitive): RayFaces {
  const s = primitive.sizes;
  switch (primitive.kind) {
    case PRIMITIVE.sphere:
      return { surfaces: [round(NONE, NONE, s[0])], pieces: [[0]], edges: [] };
    case PRIMITIVE.ellipsoid: {
      const matrix = [0, 1, 2].map((k) => (s[3] * s[3]) / (s[k] * s[k]));
      const surface: RaySurface = {
        kind: ELLIPSOID,
        center: NONE,
        axis: NONE,
        slope: 0,
        radius: s[3],
        matrix: [...matrix, 0, 0, 0],
      };
      return { surfaces: [surface], pieces: [[0]], edges: [] };
    }
    case PRIMITIVE.box:
      return {
        surfaces: [X, Y, Z].flatMap((n, k) => [plane(n, s[k]), plane(back(n), s[k])]),
        pieces: [[0, 1, 2, 3, 4, 5]],
        edges: [...pairs([0, 1], [2, 3]), ...pairs([0, 1], [4, 5]), ...pairs([2, 3], [4, 5])],
      };
    case PRIMITIVE.infiniteCylinder:
      return { surfaces: [round(NONE, Z, s[0])], pieces: [[0]], edges: [] };
    case PRIMITIVE.cylinder:
      return {
        surfaces: [round(NONE, Z, s[0]), plane(Z, s[1]), plane(back(Z), s[1])],
        pieces: [[0, 1, 2]],
        edges: pairs([0], [1, 2]),
      };
    case PRIMITIVE.frustum:
      return {
        surfaces: [
          { kind: CONE, center: NONE, axis: Z, slope: s[3], radius: s[0], matrix: [] },
          plane(Z, s[2]),
          plane(back(Z), 0),
        ],
        pieces: [[0, 1, 2]],
        edges: pairs([0], [1, 2]),
      };
    case PRIMITIVE.capsule:
      return {
        surfaces: [
          round(NONE, Z, s[0]),
          plane(Z, s[1]),
          plane(back(Z), s[1]),
          round([0, 0, s[1]], NONE, s[0]),
          round([0, 0, -s[1]], NONE, s[0]),
        ],
        pieces: [[0, 1, 2], [3], [4]],
        edges: [
          [0, 1],
          [0, 2],
        ],
      };
    case PRIMITIVE.beam:
      return {
        surfaces: [
          plane(X, s[0]),
          plane(back(X), s[0]),
          plane(Y, s[1]),
          plane(back(Y), s[1]),
          plane(Z, s[2]),
          plane(back(Z), s[2]),
          round([s[0], 0, 0], Z, s[1]),
          round([-s[0], 0, 0], Z, s[1]),
        ],
        pieces: [
          [0, 1, 2, 3, 4, 5],
          [6, 4, 5],
          [7, 4, 5],
        ],
        edges: [...pairs([0, 1], [2, 3]), ...pairs([2, 3, 6, 7], [4, 5]), [0, 6], [1, 7]],
      };
    case PRIMITIVE.mesh: {
      const f = primitive.faces;
      const surfaces: RaySurface[] = [];
      for (let k = 0; k < f.length; k += 4) {
        surfaces.push(plane([f[k], f[k + 1], f[k + 2]], f[k + 3]));
      }
      const all = surfaces.map((_, index) => index);
      return { surfaces, pieces: [all], edges: meshEdges(primitive, surfaces) };
    }
    default:
      return { surfaces: [plane(Z, 0)], pieces: [[0]], edges: [] };
  }
}

/** Pairs of faces that have two corners in common. */
function meshEdges(primitive: RayPrimitive, surfaces: readonly RaySurface[]): [number, number][] {
  const { points } = primitive.hull;
  const extent = Math.max(...points.flat().map(Math.abs));
  const corners = surfaces.map(({ center, radius }) =>
    points.flatMap((p, index) => {
      const away = center[0] * p[0] + center[1] * p[1] + center[2] * p[2] - radius;
      return Math.abs(away) < 1e-9 * extent ? [index] : [];
    }),
  );
  const out: [number, number][] = [];
  for (let a = 0; a < surfaces.length; a++) {
    for (let b = a + 1; b < surfaces.length; b++) {
      if (corners[a].filter((corner) => corners[b].includes(corner)).length > 1) out.push([a, b]);
    }
  }
  return out;
}

/** Surfaces of a primitive in the frame of its cell. Allocates. */
export function facesOf(primitive: RayPrimitive): RayFaces {
  const t = primitive.placement;
  const turn = ([x, y, z]: Vector): Vector => [
    t[0] * x + t[1] * y + t[2] * z,
    t[3] * x + t[4] * y + t[5] * z,
    t[6] * x + t[7] * y + t[8] * z,
  ];
  const { surfaces, pieces, edges } = localFaces(primitive);
  const placed = surfaces.map((surface): RaySurface => {
    const center = turn(surface.center);
    if (surface.kind === PLANE) {
      const shift = center[0] * t[9] + center[1] * t[10] + center[2] * t[11];
      return { ...surface, center, radius: surface.radius + shift };
    }
    const m = surface.matrix;
    const matrix =
      m.length === 0
        ? m
        : [
            [0, 0],
            [1, 1],
            [2, 2],
            [0, 1],
            [0, 2],
            [1, 2],
          ].map(([i, j]) => [0, 1, 2].reduce((n, k) => n + m[k] * t[3 * i + k] * t[3 * j + k], 0));
    return {
      ...surface,
      center: [center[0] + t[9], center[1] + t[10], center[2] + t[11]],
      axis: turn(surface.axis),
      matrix,
    };
  });
  return { surfaces: placed, pieces, edges };
}
