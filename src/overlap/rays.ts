/**
 * Overlap of any two cells by rays: closed-form intervals along w, Gauss sums over v and u between break points (rays-slice.ts,
 * rays-events.ts). Derivation, orders and errors: docs/theory/ray-quadrature.md.
 *
 * In axes (u, v, w), over the intervals [a, b] of the lines, l = b − a, m = (a + b)/2:
 *
 *   V = ∫∫ Σ l,   ∫ w = ∫∫ Σ l m,   ∫ w² = ∫∫ Σ l (m² + l²/12),   others with u and v                                  (1)
 *   vector area of one cell's surface in the other = ∫∫ Σ n/|n_w| over the ends that this surface makes                 (2)
 *
 * plus the faces that no line crosses: upright ones by the jump of the length across them, those across u by the jump of the area of the
 * slice. The vector areas of both cells' surfaces add up to zero.
 */
import { range } from '../base/parameter-checks.ts';
import type { CellShape } from '../shapes/cell-model.ts';
import { makeRayTable } from '../shapes/ray-intervals.ts';
import { primitivesOf } from '../shapes/ray-primitive.ts';
import { PLANE } from '../shapes/ray-surfaces.ts';
import { COLUMN, COLUMN_SIZE, ORIGIN, type OverlapKernel } from './kernel.ts';
import { RayClearance, RayDepth } from './rays-depth.ts';
import { RayEvents } from './rays-events.ts';
import { carries, RayFrame, relate } from './rays-frame.ts';
import { EndRule } from './rays-rule.ts';
import { HIGH_V, LOW_V, RaySlice, SUM, SUM_SIZE, U, WEIGHT } from './rays-slice.ts';
import { RaySystem, SLACK } from './rays-system.ts';
import { RayTouch } from './rays-touch.ts';
import { cbrt } from '../math/elementary/power.ts';

/** Choices of the ray kernel. */
export interface RayOptions {
  /** Nodes between break points of a slice, 3 to 40; across the slices there are two more, for the estimate two fewer. @default 8 */
  readonly nodes?: number;
  /**
   * Relative error of V, by its estimate, at which to stop: the numbers of nodes 4, 8, 16, 32 are tried in turn, in place of one number. The
   * last is kept when none reaches it. From 1e-11 to 0.1.
   */
  readonly relativeError?: number;
}
/** Numbers of nodes that are tried in turn: the work goes with the square, so that the last takes most of it. */
const LADDER = [4, 8, 16, 32];
/** What an error may be asked for: above rounding, with the estimate of a few nodes still one. */
export const LEAST_RELATIVE_ERROR = 1e-11;
export const MOST_RELATIVE_ERROR = 0.1;
const NODES = 8;
const MORE = 2;
const FEWER = 2;
/** Polyhedra: third powers along w are of degree 3 in v, second moments of a slice of degree 4 in u. */
const FLAT_NODES = 2;
const FLAT_MORE = 1;
const FLAT_FEWER = 1;
/** The same where break points are searched for: the sums settle less evenly there. */
const SOUGHT_FEWER = 3;
const SOUGHT_SAFETY = 16;
/** Relative error by rounding alone. */
const ROUNDING = 1e-12;
/** The difference of two resolutions, with this in hand, bounds the error of the finer one. */
const SAFETY = 4;
/** Vector area relative to the unsigned area below which it is zero: one cell contains the other. */
const CLOSED = 1e-10;
/** Distance, relative to the range, at which both sides of a face across u are sampled. */
const ASIDE = 1e-9;

/** Refuses an error that cannot be asked for. @throws BerthError */
export function checkRelativeError(field: string, error: number): void {
  const least = LEAST_RELATIVE_ERROR;
  const most = MOST_RELATIVE_ERROR;
  range(field, error, error >= least && error <= most, `to be from ${least} to ${most}`);
}

/** Rules across the slices and along each, and those of the check. */
interface Resolution {
  readonly across: EndRule;
  readonly along: EndRule;
  readonly checkAcross: EndRule;
  readonly checkAlong: EndRule;
}

function resolution(nodes: number, more: number, fewer: number): Resolution {
  return {
    across: new EndRule(nodes + more),
    along: new EndRule(nodes),
    checkAcross: new EndRule(nodes + more - fewer),
    checkAlong: new EndRule(nodes - fewer),
  };
}

/** Ray quadrature of two cells. */
export class RayKernel implements OverlapKernel {
  readonly method = 'rays';
  /** Is cell i the one that carries the axes? */
  private readonly first: boolean;
  /** What is tried in turn. */
  private readonly resolutions: readonly Resolution[];
  /** Estimate at which to stop, and the last one. */
  private readonly bound: Float64Array;
  private readonly error: Float64Array = new Float64Array(1);
  private readonly system: RaySystem;
  private readonly touch: RayTouch;
  private readonly axes: RayFrame;
  private readonly slice: RaySlice;
  private readonly events: RayEvents;
  private readonly depth: RayDepth;
  private readonly clearance: RayClearance;
  /** Placement of the second cell in the first, and of either in (u, v, w). */
  private readonly frame: Float64Array = new Float64Array(12);
  private readonly own: Float64Array = new Float64Array(12);
  private readonly other: Float64Array = new Float64Array(12);
  private readonly sums: Float64Array = new Float64Array(SUM_SIZE);
  private readonly check: Float64Array = new Float64Array(SUM_SIZE);
  /** From (u, v, w) to the world. */
  private readonly world: Float64Array = new Float64Array(12);

  /** Two cells, at least one of them of finite size. @throws BerthError */
  constructor(shapeI: CellShape, shapeJ: CellShape, options: RayOptions = {}) {
    const count = options.nodes ?? NODES;
    const whole = Number.isInteger(count) && count >= 3 && count <= 40;
    range('nodes', count, whole, 'to be a whole number from 3 to 40');
    const error = options.relativeError;
    if (error !== undefined) checkRelativeError('relativeError', error);
    const i = primitivesOf(shapeI);
    const j = primitivesOf(shapeJ);
    this.first = carries(i, j);
    const parts = this.first ? ([i, j] as const) : ([j, i] as const);
    const table = makeRayTable(parts);
    this.touch = new RayTouch(table, this.frame);
    this.touch.requireBounded(shapeI.kind, shapeJ.kind);
    this.system = new RaySystem(table, this.touch.radius);
    const flat = table.surfaces.every(({ kind }) => kind === PLANE);
    const ladder = options.relativeError === undefined ? [count] : LADDER;
    this.resolutions = flat
      ? [resolution(FLAT_NODES, FLAT_MORE, FLAT_FEWER)]
      : ladder.map((nodes) =>
          resolution(
            nodes,
            MORE,
            this.system.searching ? Math.min(SOUGHT_FEWER, nodes - 1) : FEWER,
          ),
        );
    this.bound = Float64Array.of(options.relativeError ?? 1);
    this.axes = new RayFrame(parts, table, this.frame, this.touch.point);
    this.slice = new RaySlice(this.system, 0);
    this.depth = new RayDepth(table, this.system.coefficients);
    this.clearance = new RayClearance(table, this.frame);
    this.events = new RayEvents(this.system, this.slice, this.clearance.outside.length / 3);
  }

  compute(placementI: Float64Array, placementJ: Float64Array, column: Float64Array): void {
    for (let k = 0; k < COLUMN_SIZE; k++) column[k] = 0;
    const a = this.first ? placementI : placementJ;
    const b = this.first ? placementJ : placementI;
    relate(this.frame, a, b);
    this.touch.search();
    if (this.touch.gap[0] >= 0) {
      column[COLUMN.gap] = this.touch.gap[0];
      return;
    }
    this.clearance.search();
    this.place(a);
    this.seed();
    this.integrate();
    if (!(this.sums[SUM.volume] > 0)) {
      column[COLUMN.gap] = this.clearance.clearance[0];
      return;
    }
    this.write(column);
  }

  /** Axes and surfaces. */
  private place(a: Float64Array): void {
    const { axes, own, other, world, frame, system, slice, events } = this;
    axes.choose();
    const { rows } = axes;
    const { point } = this.touch;
    for (let i = 0; i < 3; i++) {
      const x = rows[3 * i];
      const y = rows[3 * i + 1];
      const z = rows[3 * i + 2];
      own[3 * i] = x;
      own[3 * i + 1] = y;
      own[3 * i + 2] = z;
      own[ORIGIN + i] = -(x * point[0] + y * point[1] + z * point[2]);
      for (let j = 0; j < 3; j++) {
        other[3 * i + j] = x * frame[j] + y * frame[3 + j] + z * frame[6 + j];
        world[3 * j + i] = a[3 * j] * x + a[3 * j + 1] * y + a[3 * j + 2] * z;
      }
      other[ORIGIN + i] =
        x * (frame[ORIGIN] - point[0]) +
        y * (frame[ORIGIN + 1] - point[1]) +
        z * (frame[ORIGIN + 2] - point[2]);
      world[ORIGIN + i] =
        a[3 * i] * point[0] + a[3 * i + 1] * point[1] + a[3 * i + 2] * point[2] + a[ORIGIN + i];
    }
    system.coefficients.place(0, own);
    system.coefficients.place(1, other);
    system.placeCircles();
    // slightly larger than the box, so that faces on it lie inside
    const more = 1e-6;
    const wide = more * (axes.high[0] - axes.low[0]);
    events.range[0] = axes.low[0] - wide;
    events.range[1] = axes.high[0] + wide;
    const broad = more * (axes.high[1] - axes.low[1]);
    slice.input[LOW_V] = axes.low[1] - broad;
    slice.input[HIGH_V] = axes.high[1] + broad;
  }

  /** Slices to be examined: those through points outside of holes, rising. The known point of the overlap may be in a hole. */
  private seed(): void {
    const { events, clearance, axes, touch } = this;
    const { rows } = axes;
    const { looks } = events;
    const { outside, outsideCount } = clearance;
    events.lookCount = outsideCount;
    for (let n = 0; n < outsideCount; n++) {
      let u = 0;
      for (let k = 0; k < 3; k++) u += rows[k] * (outside[3 * n + k] - touch.point[k]);
      let at = n;
      while (at > 0 && looks[at - 1] > u) {
        looks[at] = looks[at - 1];
        at--;
      }
      looks[at] = u;
    }
  }

  /** Computes both sums, with more nodes until the estimate is small enough. */
  private integrate(): void {
    this.events.find();
    for (let n = 0; n < this.resolutions.length; n++) {
      this.sumUp(this.resolutions[n]);
      this.estimate();
      if (this.sums[SUM.volume] > 0 && this.error[0] <= this.bound[0]) return;
    }
  }

  private sumUp({ across, along, checkAcross, checkAlong }: Resolution): void {
    const { events, slice, sums, check } = this;
    for (let k = 0; k < SUM_SIZE; k++) sums[k] = check[k] = 0;
    for (let k = 1; k < events.count; k++) {
      slice.input[U] = 0.5 * (events.events[k - 1] + events.events[k]);
      slice.find();
      if (!slice.any()) continue;
      this.panel(k, across, along, sums);
      this.panel(k, checkAcross, checkAlong, check);
    }
    this.addAcross(along);
  }

  /** Estimates the relative error of V by the number of nodes. */
  private estimate(): void {
    const { sums, check, system } = this;
    const safety = system.searching ? SOUGHT_SAFETY : SAFETY;
    this.error[0] = safety * Math.abs(1 - check[SUM.volume] / sums[SUM.volume]) + ROUNDING;
  }

  /** Adds the panel between two events. */
  private panel(k: number, across: EndRule, along: EndRule, sums: Float64Array): void {
    const { slice } = this;
    const { input } = slice;
    this.events.panel(k, across.ends);
    across.fill();
    for (let n = 0; n < across.count; n++) {
      input[U] = across.nodes[n];
      input[WEIGHT] = across.weights[n];
      slice.find();
      slice.integrate(along, sums, sums === this.sums);
    }
  }

  /** Faces of the owner across u: the jump of the area of the slice. */
  private addAcross(along: EndRule): void {
    const { system, slice, events, sums, check } = this;
    const { coefficients, table, plane } = system;
    const aside = ASIDE * (events.range[1] - events.range[0]);
    for (let s = 0; s < table.surfaces.length; s++) {
      if (table.cellOf[s] !== 0 || plane[s] === 0) continue;
      const { center, constant } = coefficients;
      // as in rays-slice.ts and rays-events.ts
      if (Math.abs(center[3 * s + 1]) > 1e-7 || Math.abs(center[3 * s + 2]) > 1e-7) continue;
      const u = -constant[s] / center[3 * s];
      if (!(u > events.range[0] && u < events.range[1])) continue;
      const before = sums[SUM.volume];
      const first = check[SUM.volume];
      for (let side = -1; side <= 1; side += 2) {
        slice.input[U] = u + side * aside;
        slice.input[WEIGHT] = -side;
        slice.find();
        slice.integrate(along, check, false);
      }
      const jump = check[SUM.volume] - first;
      check[SUM.volume] = first;
      sums[SUM.volume] = before;
      sums[SUM.area] += jump;
      sums[SUM.surface] += Math.abs(jump);
    }
  }

  /** Column from the sums. */
  private write(column: Float64Array): void {
    const { sums: s, world: m, depth, axes } = this;
    const volume = s[SUM.volume];
    const u = s[SUM.first] / volume;
    const v = s[SUM.first + 1] / volume;
    const w = s[SUM.first + 2] / volume;
    column[COLUMN.volume] = volume;
    for (let k = 0; k < 3; k++) {
      column[COLUMN.centroid + k] = m[3 * k] * u + m[3 * k + 1] * v + m[3 * k + 2] * w + m[9 + k];
    }
    const uu = s[SUM.second] - volume * u * u;
    const vv = s[SUM.second + 1] - volume * v * v;
    const ww = s[SUM.second + 2] - volume * w * w;
    const uv = s[SUM.second + 3] - volume * u * v;
    const uw = s[SUM.second + 4] - volume * u * w;
    const vw = s[SUM.second + 5] - volume * v * w;
    for (let k = 0; k < 6; k++) {
      const i = k < 3 ? 3 * k : k < 5 ? 0 : 3;
      const j = k < 3 ? 3 * k : k === 3 ? 3 : 6;
      column[COLUMN.second + k] =
        m[i] * (uu * m[j] + uv * m[j + 1] + uw * m[j + 2]) +
        m[i + 1] * (uv * m[j] + vv * m[j + 1] + vw * m[j + 2]) +
        m[i + 2] * (uw * m[j] + vw * m[j + 1] + ww * m[j + 2]);
    }
    const x = s[SUM.area];
    const y = s[SUM.area + 1];
    const z = s[SUM.area + 2];
    const size = Math.sqrt(x * x + y * y + z * z);
    const open = size > CLOSED * s[SUM.surface];
    const { line } = depth;
    line[0] = u;
    line[1] = v;
    line[2] = w;
    line[3] = open ? x / size : 0;
    line[4] = open ? y / size : 0;
    line[5] = open ? z / size : 1;
    depth.reach[0] = 0.5 * (axes.high[0] - axes.low[0]);
    depth.search();
    // an overlap too thin for the search lines gets its mean depth, because volume means contact
    column[COLUMN.gap] = -(depth.depth[0] > 0
      ? depth.depth[0]
      : open
        ? volume / size
        : cbrt(volume));
    column[COLUMN.error] = this.error[0];
    if (this.system.searching) {
      // crossings are known to the slack of the system, which is part of a thin overlap
      const mean = open ? volume / size : cbrt(volume);
      column[COLUMN.error] += (SAFETY * SLACK * this.touch.radius) / mean;
    }
    if (!open) return;
    // the owner's surface; the sum over both cells is zero
    const sign = this.first ? -1 : 1;
    column[COLUMN.area] = size;
    for (let k = 0; k < 3; k++) {
      column[COLUMN.vectorArea + k] = sign * (m[3 * k] * x + m[3 * k + 1] * y + m[3 * k + 2] * z);
    }
  }
}
