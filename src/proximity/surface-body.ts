/**
 * A side of a contact of surfaces as features: faces, the segments of their borders as edges, and the ends of those as vertices. A ball is
 * one vertex with a radius. Feature numbers count faces first, then edges, then vertices; vertex k is where edge k begins. It allocates
 * and is for construction.
 */
import { makeSurface } from '../shapes/surfaces/make-surface.ts';
import type { Surface } from '../shapes/surfaces/surface.ts';
import { SURFACE_SLOTS } from '../shapes/surfaces/surface.ts';
import type { SurfaceSide } from '../shapes/surfaces/surface-spec.ts';
import { TrimRegion } from '../shapes/surfaces/trim-region.ts';

/** Kinds of features: the number of their parameters. */
export const VERTEX = 0;
export const EDGE = 1;
export const FACE = 2;

/** Part of the extent below which an edge has no length: the pole of a sphere, the tip of a cone. */
const COLLAPSED = 1e-9;

/** A face as it is searched. */
export interface Face {
  readonly surface: Surface;
  readonly region: TrimRegion;
  /** Its edges are first … first + region.border.length − 1. */
  readonly first: number;
}

/** The features of one body. */
export class SurfaceBody {
  readonly faces: readonly Face[];
  /** [radius of the ball, m; 0 of faces] */
  readonly radius: Float64Array;
  readonly center: Float64Array;
  readonly edgeCount: number;
  /** Face of each edge, and the edges that meet it at its beginning and its end. */
  readonly faceOfEdge: Int32Array;
  readonly before: Int32Array;
  readonly after: Int32Array;
  /** u, v where an edge begins and where it ends. */
  readonly ends: Float64Array;
  /** 1 for an edge without length. */
  readonly collapsed: Uint8Array;
  /** 1 for a vertex at which the face has an angle above 180°. */
  readonly reflex: Uint8Array;

  constructor(side: SurfaceSide) {
    this.radius = Float64Array.of(side.kind === 'ball' ? side.radius : 0);
    this.center = Float64Array.from(side.kind === 'ball' ? side.center : [0, 0, 0]);
    let first = 0;
    this.faces = (side.kind === 'ball' ? [] : side.faces).map((spec) => {
      const surface = makeSurface(spec);
      const region = new TrimRegion(surface, spec.trim);
      const face = { surface, region, first };
      first += region.border.length;
      return face;
    });
    const count = first;
    this.edgeCount = count;
    this.faceOfEdge = new Int32Array(count);
    this.before = new Int32Array(count);
    this.after = new Int32Array(count);
    this.ends = new Float64Array(4 * count);
    this.collapsed = new Uint8Array(count);
    this.reflex = new Uint8Array(count);
    this.faces.forEach((face, f) => {
      face.region.border.forEach(({ a, b, before, after }, k) => {
        const e = face.first + k;
        this.faceOfEdge[e] = f;
        this.before[e] = face.first + before;
        this.after[e] = face.first + after;
        this.ends.set([...a, ...b], 4 * e);
        const from = face.region.border[before].a;
        const turn = (a[0] - from[0]) * (b[1] - a[1]) - (a[1] - from[1]) * (b[0] - a[0]);
        this.reflex[e] = before !== k && turn < 0 ? 1 : 0;
        this.collapsed[e] = lengthOf(face.surface, a, b) <= COLLAPSED ? 1 : 0;
      });
    });
  }

  /** VERTEX, EDGE or FACE. @alloc none */
  kindOf(feature: number): number {
    const faces = this.faces.length;
    if (feature < faces) return FACE;
    return feature < faces + this.edgeCount ? EDGE : VERTEX;
  }
}

/** Length of a chain through an edge, over the distance that its parameters would make where derivatives are largest. */
function lengthOf(
  surface: Surface,
  a: readonly [number, number],
  b: readonly [number, number],
): number {
  const points = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const out = new Float64Array(SURFACE_SLOTS);
    const at = Float64Array.of(a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]));
    surface.evaluate(at, out);
    return out;
  });
  let length = 0;
  for (let k = 1; k < points.length; k++) {
    const [x, y, z] = [0, 1, 2].map((c) => points[k][c] - points[k - 1][c]);
    length += Math.sqrt(x * x + y * y + z * z);
  }
  return length;
}
