/**
 * A border of a face in the plane of its parameters: edges are walked, their points are brought to u and v, and each parameter that goes
 * round is carried on from point to point, so that a seam needs no case of its own. Where a parameter means nothing (a pole), the loop walks
 * along the line of the pole with the material on its left.
 */
import type { Triple } from '../../src/base/tuples.ts';
import type { Parameters, SurfaceSearch } from './nearest-parameter.ts';
import { shownLength, type WalkedEdge } from './step-loops.ts';

/** Most halvings of a piece of an edge. */
const MOST_HALVINGS = 5;
/** Most points of a loop before straight ones are left out. */
const MOST_POINTS = 20_000;
/** Part of a period that counts as nothing. */
const SAME = 1e-6;

/** A border whose last point is the first one, or that one by whole periods away. */
export interface ParameterLoop {
  readonly points: readonly Parameters[];
  /** Periods of u and of v from the first point to the last. */
  readonly turns: readonly [number, number];
}

/** How a loop is followed. */
export interface LoopWalk {
  readonly search: SurfaceSearch;
  /** Whether the material is on the left in the plane of u and v. */
  readonly left: boolean;
  /** Distance by which a straight piece of the loop may miss its edge, m. */
  readonly tolerance: number;
  /** The error for a loop that cannot be followed. */
  readonly refuse: (problem: string) => Error;
}

/** Follows a loop once round. */
export function parameterLoop(walk: LoopWalk, edges: readonly WalkedEdge[]): ParameterLoop {
  const { periods } = walk.search.surface;
  const path = new Path(walk);
  const [first] = edges;
  // a vertex may be a pole, the middle of an edge is none
  const middle = 0.5 * (first.from + first.to);
  path.follow({ ...first, from: middle });
  for (const edge of edges.slice(1)) path.follow(edge);
  path.follow({ ...first, to: middle });
  const { points } = path;
  const [begin, end] = [points[0], points[points.length - 1]];
  const turnsOf = (d: 0 | 1): number =>
    periods[d] > 0 ? Math.round((end[d] - begin[d]) / periods[d]) : 0;
  const turns = [turnsOf(0), turnsOf(1)] as const;
  points[points.length - 1] = [begin[0] + turns[0] * periods[0], begin[1] + turns[1] * periods[1]];
  return { points: withoutStraight(points, turns[0] === 0 && turns[1] === 0), turns };
}

/** Points of a loop as they come. */
class Path {
  readonly points: Parameters[] = [];
  private readonly walk: LoopWalk;
  /** Edge on which the last pole was reached. */
  private poleEdge = -1;
  /** The parameter that means nothing at the last point; null for none. */
  private pole: 0 | 1 | null = null;

  constructor(walk: LoopWalk) {
    this.walk = walk;
  }

  /** Adds the points of an edge, the first one only where there is none before. */
  follow(edge: WalkedEdge): void {
    const { curve, from, to } = edge;
    const count = Math.max(2, curve.pieces);
    let t = from;
    if (this.points.length > MOST_POINTS) {
      throw this.walk.refuse(`edges of more than ${MOST_POINTS} points`);
    }
    if (this.points.length === 0) this.add(edge, from);
    for (let k = 1; k <= count; k++) {
      const next = k === count ? to : from + (k / count) * (to - from);
      this.refine(edge, t, next, 0);
      t = next;
    }
  }

  /** Adds points up to `to`, with one between while the straight line is too far off. */
  private refine(edge: WalkedEdge, from: number, to: number, depth: number): void {
    const { search, tolerance } = this.walk;
    const a = this.points[this.points.length - 1];
    const half = 0.5 * (from + to);
    if (depth < MOST_HALVINGS && this.points.length < MOST_POINTS) {
      const end = this.near(search.parametersOf(edge.curve.point(to), a), a);
      const middle = this.near(search.parametersOf(edge.curve.point(half), a), a);
      const poles = this.pole !== null || search.poleAt(end) !== null;
      if (!poles && offset(search, a, end, middle) > tolerance) {
        this.refine(edge, from, half, depth + 1);
        this.refine(edge, half, to, depth + 1);
        return;
      }
    }
    this.add(edge, to);
  }

  private add(edge: WalkedEdge, t: number): void {
    const { points, walk } = this;
    const { search } = walk;
    const point: Triple = edge.curve.point(t);
    const last = points.at(-1) ?? null;
    const raw = search.parametersOf(point, last);
    const gap = search.gap(raw, point);
    if (!(gap <= search.allowed)) {
      throw walk.refuse(`edge #${edge.id}, which leaves it by ${shownLength(gap)}`);
    }
    const pole = search.poleAt(raw);
    let next = last === null ? raw : this.near(raw, last);
    if (last !== null && pole !== null) {
      // comes in along the parameter that it has
      next = pole === 0 ? [last[0], next[1]] : [next[0], last[1]];
      this.poleEdge = edge.id;
    } else if (last !== null && this.pole !== null) next = this.leavePole(edge, last, next);
    this.pole = pole;
    points.push(next);
  }

  /** Walks along the line of a pole to where the next point is. */
  private leavePole(edge: WalkedEdge, last: Parameters, next: Parameters): Parameters {
    const { points, walk } = this;
    const d = this.pole ?? 0;
    const { domain, periods } = walk.search.surface;
    const period = periods[d];
    let value = next[d];
    if (period > 0) {
      const other = d === 0 ? 1 : 0;
      const middle = 0.5 * (domain[2 * other] + domain[2 * other + 1]);
      const upper = Number.isFinite(middle)
        ? last[other] > middle
        : !Number.isFinite(domain[2 * other]);
      // with the material on the left the line of an upper pole is walked downward in u, upward in v
      const sense = (upper === (d === 0) ? -1 : 1) * (walk.left ? 1 : -1);
      let way = (sense * (value - last[d])) % period;
      if (way < 0) way += period;
      const nothing = way < SAME * period || way > period * (1 - SAME);
      // an edge that comes back on itself is a seam
      if (nothing) way = edge.id === this.poleEdge ? period : 0;
      value = last[d] + sense * way;
    }
    const moved: Parameters = d === 0 ? [value, last[1]] : [last[0], value];
    points.push(moved);
    return d === 0 ? [value, next[1]] : [next[0], value];
  }

  /** The same place of a surface that goes round, as near to another as whole periods allow. */
  private near(at: Parameters, last: Parameters): Parameters {
    const { periods } = this.walk.search.surface;
    const shifted = (d: 0 | 1): number =>
      periods[d] > 0 ? at[d] - periods[d] * Math.round((at[d] - last[d]) / periods[d]) : at[d];
    return [shifted(0), shifted(1)];
  }
}

/** Distance of a place from the straight line between two others, m, by the derivatives there. */
function offset(search: SurfaceSearch, a: Parameters, b: Parameters, at: Parameters): number {
  const out = search.evaluate(at);
  const vector = (u: number, v: number): Triple => [
    u * out[3] + v * out[6],
    u * out[4] + v * out[7],
    u * out[5] + v * out[8],
  ];
  const chord = vector(b[0] - a[0], b[1] - a[1]);
  const arm = vector(at[0] - a[0], at[1] - a[1]);
  const product = (x: Triple, y: Triple): number => x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  const square = product(chord, chord);
  const part = square > 0 ? product(arm, chord) / square : 0;
  const left: Triple = [
    arm[0] - part * chord[0],
    arm[1] - part * chord[1],
    arm[2] - part * chord[2],
  ];
  return Math.sqrt(product(left, left));
}

/** Part of the extent of a loop by which a point beside a straight line is on it. */
const STRAIGHT = 1e-9;

/** Leaves out points on the straight line between their neighbours; the first one only of a loop that comes back to it. */
function withoutStraight(points: readonly Parameters[], back: boolean): Parameters[] {
  const scale = ([0, 1] as const).map((d) => {
    const values = points.map((point) => point[d]);
    const low = values.reduce((a, b) => Math.min(a, b));
    const high = values.reduce((a, b) => Math.max(a, b));
    return 1 / (high - low || 1);
  });
  const straight = (a: Parameters, b: Parameters, c: Parameters): boolean => {
    const chord = [(c[0] - a[0]) * scale[0], (c[1] - a[1]) * scale[1]];
    const arm = [(b[0] - a[0]) * scale[0], (b[1] - a[1]) * scale[1]];
    const square = chord[0] * chord[0] + chord[1] * chord[1];
    const area = Math.abs(chord[0] * arm[1] - chord[1] * arm[0]);
    const onward = chord[0] * arm[0] + chord[1] * arm[1];
    // a point at which the line turns back is kept
    return area <= STRAIGHT * Math.sqrt(square) && onward >= 0 && onward <= square;
  };
  const kept: Parameters[] = [points[0]];
  for (let k = 1; k < points.length - 1; k++) {
    if (!straight(kept[kept.length - 1], points[k], points[k + 1])) kept.push(points[k]);
  }
  if (!back || kept.length < 3 || !straight(kept[kept.length - 1], kept[0], kept[1])) {
    return [...kept, points[points.length - 1]];
  }
  return [...kept.slice(1), kept[1]];
}
