/**
 * Parameters of points that lie on a curve or on a surface: closed forms of line, circle and the surfaces about an axis; for all others
 * steps of Gauss and Newton, which converge quadratically where the distance is 0.
 */
import type { Triple } from '../../src/base/tuples.ts';
import { atan2 } from '../../src/math/elementary/inverse-circular.ts';
import { rotationOf } from '../../src/math/quaternion.ts';
import { cos, sin } from '../../src/math/elementary/circular.ts';
import { unrotate3 } from '../../src/math/vec3.ts';
import { makeCurve, makeSurface } from '../../src/shapes/surfaces/make-surface.ts';
import {
  type Curve,
  CURVE_SLOTS,
  type Surface,
  SURFACE_SLOTS,
} from '../../src/shapes/surfaces/surface.ts';
import type {
  CurveSpec,
  SurfaceShape,
  SurfaceSpec,
} from '../../src/shapes/surfaces/surface-spec.ts';
import { along, cross, dot, length, minus } from './triples.ts';

/** Places along a parameter from which a search begins. */
const STARTS = 24;
/** Most places of one search along a spline of many spans. */
const MOST_STARTS = 400;
/** Most searches of one face that begin on the grid again, which costs thousands of places each. */
const MOST_RESTARTS = 200;
/** Most steps of a search; four suffice from a good start. */
const MOST_STEPS = 30;
/** Part of a parameter's range by which a last step may move it. */
const SMALLEST_STEP = 1e-15;
/** Length of a derivative over the extent of the surface below which its parameter means nothing: a pole. */
const POLE = 1e-8;

/** u and v. */
export type Parameters = readonly [number, number];

/** A curve with its search. */
export class CurveSearch {
  readonly curve: Curve;
  readonly spec: CurveSpec;
  private readonly at: Float64Array = new Float64Array(1);
  private readonly out: Float64Array = new Float64Array(CURVE_SLOTS);

  constructor(spec: CurveSpec) {
    this.spec = spec;
    this.curve = makeCurve(spec);
  }

  /** The point at a parameter, m. */
  point(t: number): Triple {
    const { at, out } = this;
    at[0] = t;
    this.curve.evaluate(at, 0, out);
    return [out[0], out[1], out[2]];
  }

  /** Pieces into which the curve is cut so that each bends little: one of a line. */
  get pieces(): number {
    const { spec } = this;
    if (spec.kind === 'line') return 1;
    return spec.kind === 'circle' ? 8 : Math.min(MOST_STARTS, Math.max(8, 2 * spec.points.length));
  }

  /** The parameter of the nearest point. */
  parameterOf(point: Triple): number {
    const { spec } = this;
    if (spec.kind === 'line') {
      const d = spec.direction;
      return dot(minus(point, spec.point), d) / dot(d, d);
    }
    if (spec.kind === 'circle') {
      const arm = minus(point, spec.center);
      return atan2(dot(arm, cross(spec.axis, spec.reference)), dot(arm, spec.reference));
    }
    return this.search(point);
  }

  private search(point: Triple): number {
    const { at, out, curve } = this;
    const [low, high] = curve.domain;
    const distance = (t: number): number => length(minus(this.point(t), point));
    const count = this.pieces * 2;
    let best = low;
    for (let k = 1; k <= count; k++) {
      const t = low + (k / count) * (high - low);
      if (distance(t) < distance(best)) best = t;
    }
    for (let step = 0; step < MOST_STEPS; step++) {
      at[0] = best;
      curve.evaluate(at, 0, out);
      const tangent: Triple = [out[3], out[4], out[5]];
      const square = dot(tangent, tangent);
      if (!(square > 0)) break;
      const gap = minus(point, [out[0], out[1], out[2]]);
      const next = Math.min(high, Math.max(low, best + dot(gap, tangent) / square));
      if (!(distance(next) < distance(best))) break;
      best = next;
    }
    return best;
  }
}

/** A surface with its search. */
export class SurfaceSearch {
  readonly surface: Surface;
  private readonly spec: SurfaceSpec;
  /** Extent of what is searched for, m: bounds parameters without an end. */
  private readonly extent: number;
  private readonly center: Triple;
  /** Largest distance of a point that is on the surface, m. */
  readonly allowed: number;
  private restarts = 0;
  private readonly rotation: Float64Array = new Float64Array(9);
  private readonly at: Float64Array = new Float64Array(2);
  private readonly out: Float64Array = new Float64Array(SURFACE_SLOTS);

  /**
   * @param center,extent a ball around all points that are searched for, m
   * @param allowed distance of such a point from the surface, m: a search that ends farther off begins again
   */
  constructor(spec: SurfaceSpec, center: Triple, extent: number, allowed: number) {
    this.spec = spec;
    this.surface = makeSurface(spec);
    this.center = center;
    this.extent = extent;
    this.allowed = allowed;
    rotationOf(this.rotation, Float64Array.from(spec.orientation ?? [0, 0, 0, 1]), 0);
  }

  /** S and its derivatives; they hold until the next call. */
  evaluate([u, v]: Parameters): Float64Array {
    this.at[0] = u;
    this.at[1] = v;
    this.surface.evaluate(this.at, this.out);
    return this.out;
  }

  /** Distance of a point from the surface at parameters, m. */
  gap(at: Parameters, point: Triple): number {
    const out = this.evaluate(at);
    return length(minus([out[0], out[1], out[2]], point));
  }

  /** The parameter that means nothing at a place: 0 for u, 1 for v; null where both count. */
  poleAt(at: Parameters): 0 | 1 | null {
    const out = this.evaluate(at);
    const [u, v] = [3, 6].map((o) => length([out[o], out[o + 1], out[o + 2]]));
    const { domain, periods } = this.surface;
    // a parameter without an end is a length
    const width = [0, 1].map((d) => periods[d] || domain[2 * d + 1] - domain[2 * d]);
    const small = POLE * this.extent;
    if (Number.isFinite(width[0]) && u * width[0] < small) return 0;
    return Number.isFinite(width[1]) && v * width[1] < small ? 1 : null;
  }

  /** Parameters of the nearest point; `near` is where the search begins. */
  parametersOf(point: Triple, near: Parameters | null): Parameters {
    const closed = closedForm(this.spec.shape, this.local(point));
    if (closed !== null) return closed;
    const from = near ?? this.start(point);
    const found = this.search(point, from);
    if (near === null || this.gap(found, point) <= this.allowed) return found;
    if (++this.restarts > MOST_RESTARTS) return found;
    const again = this.search(point, this.start(point));
    return this.gap(again, point) < this.gap(found, point) ? again : found;
  }

  private local(point: Triple): Triple {
    const arm = Float64Array.from(minus(point, this.spec.position ?? [0, 0, 0]));
    unrotate3(arm, 0, this.rotation, arm, 0);
    return [arm[0], arm[1], arm[2]];
  }

  /** The best place of a grid over the domain. */
  private start(point: Triple): Parameters {
    const [u, v] = [this.places(0), this.places(1)];
    let best: Parameters = [u[0], v[0]];
    let least = Infinity;
    for (const a of u) {
      for (const b of v) {
        const gap = this.gap([a, b], point);
        if (!(gap < least)) continue;
        least = gap;
        best = [a, b];
      }
    }
    return best;
  }

  /** Places of one parameter from which a search may begin. */
  private places(direction: 0 | 1): number[] {
    const { domain } = this.surface;
    const low = domain[2 * direction];
    const high = domain[2 * direction + 1];
    if (Number.isFinite(low) && Number.isFinite(high)) {
      const count = this.startsOf(direction);
      return Array.from({ length: count + 1 }, (_, k) => low + (k / count) * (high - low));
    }
    // a straight line: its parameter is a length over that of its derivative
    const out = this.evaluate([0, 0]);
    const slope: Triple = [0, 1, 2].map((a) => out[3 + 3 * direction + a]) as unknown as Triple;
    const size = length(slope) || 1;
    const reach = (length(minus(this.center, [out[0], out[1], out[2]])) + this.extent) / size;
    return Array.from({ length: STARTS + 1 }, (_, k) => (2 * (k / STARTS) - 1) * reach);
  }

  private startsOf(direction: 0 | 1): number {
    const { shape } = this.spec;
    if (shape.kind !== 'nurbs') return 2 * STARTS;
    const points = direction === 0 ? shape.points.length : shape.points[0].length;
    return Math.min(MOST_STARTS / 4, Math.max(STARTS, 2 * points));
  }

  private search(point: Triple, from: Parameters): Parameters {
    let best = from;
    let gap = this.gap(best, point);
    for (let step = 0; step < MOST_STEPS; step++) {
      const next = this.step(best, point);
      const reached = this.gap(next, point);
      if (!(reached < gap)) break;
      const [moved, size] = [0, 1].reduce(
        ([m, s], d) => [m + Math.abs(next[d] - best[d]), s + Math.abs(best[d])],
        [0, 0],
      );
      best = next;
      gap = reached;
      if (moved <= SMALLEST_STEP * size) break;
    }
    return best;
  }

  /** (JᵀJ + ε) Δ = Jᵀ (P − S), kept within the domain. */
  private step(at: Parameters, point: Triple): Parameters {
    const out = this.evaluate(at);
    const gap = minus(point, [out[0], out[1], out[2]]);
    const su: Triple = [out[3], out[4], out[5]];
    const sv: Triple = [out[6], out[7], out[8]];
    const uu = dot(su, su);
    const vv = dot(sv, sv);
    const uv = dot(su, sv);
    const a = dot(su, gap);
    const b = dot(sv, gap);
    // parallel derivatives leave one of them to move
    const determinant = uu * vv - uv * uv;
    const [du, dv] =
      determinant > 1e-20 * uu * vv
        ? [(vv * a - uv * b) / determinant, (uu * b - uv * a) / determinant]
        : uu > vv
          ? [a / uu, 0]
          : [0, vv > 0 ? b / vv : 0];
    return [this.kept(0, at[0] + du), this.kept(1, at[1] + dv)];
  }

  private kept(direction: 0 | 1, value: number): number {
    const { domain, periods } = this.surface;
    if (periods[direction] > 0) return value;
    return Math.min(domain[2 * direction + 1], Math.max(domain[2 * direction], value));
  }
}

/** Parameters of the nearest point in the frame of the shape; null for a shape that has no closed form. */
function closedForm(shape: SurfaceShape, [x, y, z]: Triple): Parameters | null {
  const radial = Math.sqrt(x * x + y * y);
  switch (shape.kind) {
    case 'plane':
      return [x, y];
    case 'cylinder':
      return [atan2(y, x), z];
    case 'cone': {
      const slope = sin(shape.halfAngle) / cos(shape.halfAngle);
      const v = (z + slope * (radial - shape.radius)) / (1 + slope * slope);
      return [atan2(y, x), v];
    }
    case 'sphere':
      return [atan2(y, x), atan2(z, radial)];
    case 'torus':
      return [atan2(y, x), atan2(z, radial - shape.majorRadius)];
    default:
      return null;
  }
}

/** A ball around points. */
export function ballOf(
  low: Triple,
  high: Triple,
): { readonly center: Triple; readonly extent: number } {
  const diagonal = minus(high, low);
  return { center: along(low, 0.5, diagonal), extent: length(diagonal) };
}
