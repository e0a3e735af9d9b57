/**
 * What of a surface a face has: the borders in the plane of the parameters, made into closed polygons. A border that goes once round a
 * surface without coming back is closed by the one that goes round the other way, or by the pole on the side of the material.
 */
import type { SurfaceSpec, SurfaceTrim } from '../../src/shapes/surfaces/surface-spec.ts';
import type { Triple } from '../../src/base/tuples.ts';
import { ballOf, type Parameters, SurfaceSearch } from './nearest-parameter.ts';
import { parameterLoop, type ParameterLoop } from './parameter-loop.ts';
import type { StepLoop } from './step-loops.ts';
import type { Attributes } from './step-record.ts';
import { boxOf } from './triples.ts';

/** Part of its extent by which a face's polygons may miss its edges. */
const CHORD = 2e-4;
/** Part of its extent by which an edge of a face may lie off its surface. */
const OFF = 1e-3;
/** Part of a range that counts as nothing. */
const SAME = 1e-9;

/** Cuts a surface at the borders of a face. @throws BerthError for borders off the surface, and those that enclose nothing */
export function trimOf(
  surface: SurfaceSpec,
  loops: readonly StepLoop[],
  left: boolean,
  uncertainty: number,
  face: Attributes,
): SurfaceTrim {
  const bounded = loops.filter(({ edges }) => edges.length > 0);
  const { center, extent } = ballAround(bounded);
  const allowed = Math.max(10 * uncertainty, OFF * extent);
  const search = new SurfaceSearch(surface, center, extent, allowed);
  const refuse = (problem: string): Error => face.error('bounds', 'on its surface', problem);
  const tolerance = Math.max(uncertainty, CHORD * extent);
  const traced = bounded.map(({ edges }) =>
    parameterLoop({ search, left, tolerance, refuse }, edges),
  );
  return new Trimming(search, left, face).trim(traced);
}

function ballAround(loops: readonly StepLoop[]): { center: Triple; extent: number } {
  const points = loops.flatMap(({ edges }) =>
    edges.flatMap(({ curve, from, to }) =>
      [0, 0.25, 0.5, 0.75, 1].map((part) => curve.point(from + part * (to - from))),
    ),
  );
  if (points.length === 0) return { center: [0, 0, 0], extent: 1 };
  const { low, high } = boxOf(points);
  return ballOf(low, high);
}

class Trimming {
  private readonly search: SurfaceSearch;
  private readonly left: boolean;
  private readonly face: Attributes;

  constructor(search: SurfaceSearch, left: boolean, face: Attributes) {
    this.search = search;
    this.left = left;
    this.face = face;
  }

  trim(loops: readonly ParameterLoop[]): SurfaceTrim {
    if (loops.length === 0) return this.whole();
    const around = loops.filter(({ turns }) => turns[0] !== 0 || turns[1] !== 0);
    const polygons = loops
      .filter((loop) => !around.includes(loop))
      .map(({ points }) => points.slice(0, -1));
    if (around.length > 0) polygons.unshift(this.closed(around));
    return this.inRange(polygons);
  }

  /** A face without edges: all of a surface that has ends. */
  private whole(): SurfaceTrim {
    if (this.search.surface.domain.every(Number.isFinite)) return {};
    throw this.face.error('bounds', 'with edges', 'none on a surface without an end');
  }

  private refuse(problem: string): Error {
    return this.face.error('bounds', 'to enclose a part of the surface', problem);
  }

  /** The polygon of borders that go round. */
  private closed(around: readonly ParameterLoop[]): Parameters[] {
    const d = around[0].turns[0] !== 0 ? 0 : 1;
    const other = d === 0 ? 1 : 0;
    const simple = around.every(({ turns }) => Math.abs(turns[d]) === 1 && turns[other] === 0);
    if (!simple || around.length > 2) {
      throw this.refuse(`${around.length} loops that go round it`);
    }
    // where the material lies: above in the other parameter, or below
    const sideOf = ({ turns }: ParameterLoop): number =>
      turns[d] * (this.left ? 1 : -1) * (d === 0 ? 1 : -1);
    if (around.length === 1) return this.closedByPole(around[0], d, sideOf(around[0]));
    const [lower, upper] = sideOf(around[0]) > 0 ? around : [around[1], around[0]];
    if (sideOf(lower) <= 0 || sideOf(upper) >= 0) {
      throw this.refuse('two loops that go round it the same way');
    }
    return this.between(lower, upper, d);
  }

  private closedByPole({ points }: ParameterLoop, d: 0 | 1, side: number): Parameters[] {
    const other = d === 0 ? 1 : 0;
    const end = this.search.surface.domain[2 * other + (side > 0 ? 1 : 0)];
    const place = (value: number): Parameters => (d === 0 ? [value, end] : [end, value]);
    const [first, last] = [points[0], points[points.length - 1]];
    if (!Number.isFinite(end) || this.search.poleAt(place(first[d])) !== d) {
      throw this.refuse('one loop that goes round it');
    }
    return [...points, place(last[d]), place(first[d])];
  }

  /** From one border up to the next one, cut open where the lower one begins. */
  private between(lower: ParameterLoop, upper: ParameterLoop, d: 0 | 1): Parameters[] {
    const other = d === 0 ? 1 : 0;
    const { periods } = this.search.surface;
    const period = periods[d];
    const low = lower.points;
    const cut = low[low.length - 1][d];
    const back = cutAt(upper, cut, d, period);
    // the next one up, where that parameter goes round as well
    const mean = (points: readonly Parameters[]): number =>
      points.reduce((sum, point) => sum + point[other], 0) / points.length;
    const apart = mean(back) - mean(low);
    const lift = periods[other] > 0 ? -periods[other] * Math.floor(apart / periods[other]) : 0;
    const lifted = back.map(
      (p): Parameters => (d === 0 ? [p[0], p[1] + lift] : [p[0] + lift, p[1]]),
    );
    return [...low, ...lifted];
  }

  /** Rectangle around the polygons, holes within it, and no polygon where it is the rectangle. */
  private inRange(polygons: readonly Parameters[][]): SurfaceTrim {
    const areas = polygons.map((polygon) => Math.abs(areaOf(polygon)));
    const outer = polygons[areas.indexOf(Math.max(...areas))];
    const range = [rangeOf(outer, 0), rangeOf(outer, 1)] as const;
    const moves = range.map((ends, d) => this.intoDomain(ends, d as 0 | 1));
    const [u, v] = range.map((ends, d) => this.snapped(ends, moves[d], d as 0 | 1));
    if (!(u[1] > u[0] && v[1] > v[0])) throw this.refuse('loops without an area');
    const loops = polygons.map((polygon) => {
      const shift = [u, v].map((ends, d) => this.shiftInto(polygon, ends, d as 0 | 1));
      const points = polygon.map(
        (point): Parameters => [within(point[0] + shift[0], u), within(point[1] + shift[1], v)],
      );
      return [...points, points[0]];
    });
    const all = areaOf(loops[0]);
    const box = (u[1] - u[0]) * (v[1] - v[0]);
    const alone = loops.length === 1 && Math.abs(Math.abs(all) - box) <= SAME * box;
    return alone ? { u: this.fromStart(u, 0), v: this.fromStart(v, 1) } : { u, v, loops };
  }

  /** A range of a whole period begins where the domain does. */
  private fromStart(ends: Parameters, d: 0 | 1): Parameters {
    const { domain, periods } = this.search.surface;
    const whole = periods[d] > 0 && ends[1] - ends[0] === periods[d];
    return whole ? [domain[2 * d], domain[2 * d + 1]] : ends;
  }

  /** Whole periods that bring the begin of a range into the domain. */
  private intoDomain(ends: Parameters, d: 0 | 1): number {
    const { domain, periods } = this.search.surface;
    const period = periods[d];
    return period > 0 ? -period * Math.floor((ends[0] - domain[2 * d]) / period + SAME) : 0;
  }

  /** A range at its place, its ends on those of the domain and its width a period where they all but are. */
  private snapped(ends: Parameters, move: number, d: 0 | 1): Parameters {
    const { domain, periods } = this.search.surface;
    const [first, last] = [domain[2 * d], domain[2 * d + 1]];
    const same = SAME * (periods[d] || (Number.isFinite(last - first) ? last - first : 0));
    const near = (value: number): number =>
      Math.abs(value - first) <= same ? first : Math.abs(value - last) <= same ? last : value;
    const [low, high] = [near(ends[0] + move), near(ends[1] + move)];
    const whole = periods[d] > 0 && high - low >= periods[d] - same;
    return whole ? [low, low + periods[d]] : [low, high];
  }

  /** Whole periods that bring a polygon into a range. */
  private shiftInto(polygon: readonly Parameters[], ends: Parameters, d: 0 | 1): number {
    const period = this.search.surface.periods[d];
    if (period === 0) return 0;
    const [low, high] = rangeOf(polygon, d);
    const middle = 0.5 * (low + high) - 0.5 * (ends[0] + ends[1]);
    return -period * Math.round(middle / period);
  }
}

/** Points of a border that goes round, from where d has a value on for one period. */
function cutAt(loop: ParameterLoop, value: number, d: 0 | 1, period: number): Parameters[] {
  const step = loop.turns[d] * period;
  const once = loop.points;
  const moved = (point: Parameters, by: number): Parameters =>
    d === 0 ? [point[0] + by, point[1]] : [point[0], point[1] + by];
  const begin = once[0][d];
  // the walk from `begin` on by `step` goes through the value that is whole periods away from it
  const shift = Math.sign(step) * period * Math.floor((Math.sign(step) * (value - begin)) / period);
  const twice = [...once, ...once.slice(1).map((point) => moved(point, step))].map((point) =>
    moved(point, shift),
  );
  const passes = (k: number, at: number): boolean =>
    (twice[k][d] - at) * (twice[k + 1][d] - at) <= 0 && twice[k][d] !== twice[k + 1][d];
  const cross = (k: number, at: number): Parameters => {
    const [a, b] = [twice[k], twice[k + 1]];
    const part = (at - a[d]) / (b[d] - a[d]);
    return d === 0 ? [at, a[1] + part * (b[1] - a[1])] : [a[0] + part * (b[0] - a[0]), at];
  };
  const indices = Array.from({ length: twice.length - 1 }, (_, k) => k);
  const from = indices.find((k) => passes(k, value)) ?? 0;
  const to = indices.findLast((k) => passes(k, value + step)) ?? twice.length - 2;
  return [cross(from, value), ...twice.slice(from + 1, to + 1), cross(to, value + step)];
}

/** Twice the area of a polygon would be its sum of cross products; positive for one that goes round to the left. */
function areaOf(polygon: readonly Parameters[]): number {
  const sum = polygon.reduce((total, a, k) => {
    const b = polygon[(k + 1) % polygon.length];
    return total + a[0] * b[1] - a[1] * b[0];
  }, 0);
  return 0.5 * sum;
}

const rangeOf = (polygon: readonly Parameters[], d: 0 | 1): Parameters => {
  const values = polygon.map((point) => point[d]);
  return [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
};

const within = (value: number, [low, high]: Parameters): number =>
  Math.min(high, Math.max(low, value));
