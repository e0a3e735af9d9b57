/**
 * Two bodies of a contact on their paths: when they first touch within a step, whatever kind of pair measures them. Conservative advancement:
 * with a lower bound g of their distance at the part s of the step, they cannot touch before s + g/μ,
 *
 *   μ = |d_i − d_j| + ½ (β_i + β_j) + θ_i ρ_i + θ_j ρ_j                      m per step (d, β, θ: body-path.ts)
 *
 * ρ is how far the shapes of a body reach from its origin; of a body without an end, the distance of its origin from the farthest point that the
 * other one gets to. g is the gap of the pair, exact for every pair of points; for cells the gap of the overlap kernel, a lower bound that is
 * exact near touch; for facets see proximity/swept-facets.ts.
 */
import type { CellPlacements } from '../cellular/cell-placements.ts';
import { cellDistance } from '../cellular/broad-phase.ts';
import type { OverlapKernel } from '../../overlap/kernel.ts';
import { COLUMN, COLUMN_SIZE } from '../../overlap/kernel.ts';
import { BEND, BodyPath, TURN } from '../../proximity/body-path.ts';
import type { FacetQuery } from '../../proximity/facet-query.ts';
import {
  SweptFacets,
  TOUCH,
  TOUCH_NORMAL,
  TOUCH_PART,
  TOUCH_POINT,
} from '../../proximity/swept-facets.ts';
import { type ContactPair, GAP, KINEMATICS, POINT } from '../pair.ts';

export type { BodyPath };
export { TOUCH_PART, TOUCH_POINT };

/** Gap that is a touch, over the reach of the smaller body. */
const TOUCHING = 1e-6;
/** Motion over the sum of the least thicknesses that is free, and that takes a body from touch to the middle of the other. */
const FREE_PART = 0.25;
const MIDDLE_PART = 0.5;
/** The same of the standoff of facets. */
const FREE_STANDOFF = 0.5;
/** Motion over that reach after which it shows whether bodies come apart. */
const LEAVING = 1e-5;
/** Most measurements of a first touch; what is not decided by then counts as a touch. */
const MOST_MEASUREMENTS = 256;

/** Slots of `size`. */
export const REACH_I = 0; // ρ, m; infinite without an end
export const REACH_J = 1;
export const FREE = 2; //    motion by which they cannot pass each other, m; infinite where they never can
export const MIDDLE = 3; //  motion from touch at which one is beyond the middle of the other, m; infinite where that is not known
const SHELL = 4; //          distance at which they touch, m
const SIZE = 5;

/** Slots of `motion`. */
export const MOVED = 0; //   μ, m
export const BETWEEN = 1; // lower bound of the distance at the start by the spheres of both; −∞ without an end
const MOTION = 2;

/** The bodies of a contact on their way. */
export abstract class MovingPair {
  readonly pathI: BodyPath = new BodyPath();
  readonly pathJ: BodyPath = new BodyPath();
  /** Slots TOUCH_… of swept-facets.ts: part of the step and point; the normal is that of facets only. */
  readonly touch: Float64Array = new Float64Array(TOUCH);
  readonly size: Float64Array = new Float64Array(SIZE);
  readonly motion: Float64Array = new Float64Array(MOTION);
  protected readonly part: Float64Array = new Float64Array(1);

  constructor(reaches: readonly [number, number], free: number, middle: number, shell: number) {
    this.size.set([...reaches, free, middle, shell]);
  }

  /** μ of both paths and what is between the bodies at their start. @alloc none */
  measureMotion(): void {
    const { pathI, pathJ, size, motion, part } = this;
    const bends = 0.5 * (pathI.rates[BEND] + pathJ.rates[BEND]);
    part[0] = 0;
    pathI.place(part);
    pathJ.place(part);
    let travel = 0;
    let away = 0;
    for (let a = 0; a < 3; a++) {
      const d = pathI.travel[a] - pathJ.travel[a];
      const x = pathI.state[a] - pathJ.state[a];
      travel += d * d;
      away += x * x;
    }
    const moved = Math.sqrt(travel) + bends;
    const apart = Math.sqrt(away);
    const i = size[REACH_I];
    const j = size[REACH_J];
    const ownI = i < Infinity ? i : apart + moved + j;
    const ownJ = j < Infinity ? j : apart + moved + i;
    motion[MOVED] = moved + pathI.rates[TURN] * ownI + pathJ.rates[TURN] * ownJ;
    motion[BETWEEN] = apart - i - j - size[SHELL];
  }

  /** Whether the bodies touch on their way; when and where first, into `touch`. `measureMotion` came before. @alloc none */
  abstract findTouch(): boolean;

  /** Whether bodies that touch at the start of their way come apart from there. `findTouch` came before. @alloc none */
  abstract leaves(): boolean;

  /** Whether they are apart at the end of their way. @alloc none */
  abstract endsApart(): boolean;
}

/** Those that have a gap at every pose. */
abstract class MovingGap extends MovingPair {
  /** [lower bound of the distance at the present places, m] */
  protected readonly gap: Float64Array = new Float64Array(1);

  /** @param widths - sum of the least thicknesses of both bodies, m */
  constructor(reaches: readonly [number, number], widths: number) {
    super(reaches, FREE_PART * widths, widths > 0 ? MIDDLE_PART * widths : Infinity, 0);
  }

  /** Puts both bodies at part[0] of the step and writes `gap`. */
  protected abstract measure(): void;

  /** Writes the point of the touch at the places of the last `measure`. */
  protected abstract writePoint(): void;

  override findTouch(): boolean {
    const { part, motion, size, gap, touch } = this;
    const touching = TOUCHING * Math.min(size[REACH_I], size[REACH_J]);
    part[0] = 0;
    for (let n = 1; ; n++) {
      this.measure();
      if (gap[0] <= touching || n === MOST_MEASUREMENTS) {
        touch[TOUCH_PART] = part[0];
        this.writePoint();
        return true;
      }
      part[0] += gap[0] / motion[MOVED];
      if (!(part[0] < 1)) return false;
    }
  }

  override leaves(): boolean {
    const { part, gap, motion, size } = this;
    part[0] = 0;
    this.measure();
    const before = gap[0];
    const way = LEAVING * Math.min(size[REACH_I], size[REACH_J]);
    part[0] = way < motion[MOVED] ? way / motion[MOVED] : 1;
    this.measure();
    return gap[0] > before;
  }

  override endsApart(): boolean {
    this.part[0] = 1;
    this.measure();
    return this.gap[0] > 0;
  }
}

/** A pair that measures one gap. */
export class MovingPoint extends MovingGap {
  private readonly pair: ContactPair;
  private readonly kinematics: Float64Array = new Float64Array(KINEMATICS);

  constructor(pair: ContactPair, reaches: readonly [number, number], widths: number) {
    super(reaches, widths);
    this.pair = pair;
  }

  protected override measure(): void {
    this.pathI.place(this.part);
    this.pathJ.place(this.part);
    this.pair.compute(this.pathI, this.pathJ, this.kinematics);
    this.gap[0] = this.kinematics[GAP];
  }

  protected override writePoint(): void {
    for (let a = 0; a < 3; a++) this.touch[TOUCH_POINT + a] = this.kinematics[POINT + a];
  }
}

/** Two bodies of cells. */
export class MovingCells extends MovingGap {
  private readonly i: CellPlacements;
  private readonly j: CellPlacements;
  private readonly kernels: readonly OverlapKernel[];
  private readonly column: Float64Array = new Float64Array(COLUMN_SIZE);
  /** Boxes of the nearest cells: the middle of what is between them is the point. */
  private nearI = 0;
  private nearJ = 0;

  constructor(
    i: CellPlacements,
    j: CellPlacements,
    kernels: readonly OverlapKernel[],
    reaches: readonly [number, number],
    widths: number,
  ) {
    super(reaches, widths);
    this.i = i;
    this.j = j;
    this.kernels = kernels;
  }

  protected override measure(): void {
    const { i, j, kernels, column, gap } = this;
    this.pathI.place(this.part);
    this.pathJ.place(this.part);
    i.follow(this.pathI);
    j.follow(this.pathJ);
    i.placeAll();
    j.placeAll();
    const count = j.cells.length;
    gap[0] = Infinity;
    for (let a = 0; a < i.cells.length; a++) {
      for (let b = 0; b < count; b++) {
        const apart = cellDistance(i, a, j, b);
        if (apart >= gap[0]) continue;
        kernels[a * count + b].compute(i.at(a), j.at(b), column);
        const own =
          column[COLUMN.volume] > 0 ? column[COLUMN.gap] : Math.max(column[COLUMN.gap], apart, 0);
        if (own >= gap[0]) continue;
        gap[0] = own;
        this.nearI = a;
        this.nearJ = b;
      }
    }
  }

  protected override writePoint(): void {
    const { i, j, touch } = this;
    const p = i.box(this.nearI);
    const q = j.box(this.nearJ);
    for (let a = 0; a < 3; a++) {
      const low = Math.max(i.boxes[p + a], j.boxes[q + a]);
      const high = Math.min(i.boxes[p + 3 + a], j.boxes[q + 3 + a]);
      touch[TOUCH_POINT + a] = 0.5 * (low + high);
    }
  }
}

/** Two bodies of facets. */
export class MovingFacets extends MovingPair {
  private readonly swept: SweptFacets;
  private readonly standoff: Float64Array;

  constructor({ treeA, treeB }: FacetQuery, standoff: Float64Array) {
    const [d] = standoff;
    super([treeA.reaches[0], treeB.reaches[0]], FREE_STANDOFF * d, Infinity, d);
    this.swept = new SweptFacets(treeA, treeB, this.pathI, this.pathJ);
    this.standoff = standoff;
  }

  override findTouch(): boolean {
    const touches = this.swept.findTouch(this.standoff);
    for (let a = 0; a < TOUCH; a++) this.touch[a] = this.swept.touch[a];
    return touches;
  }

  override leaves(): boolean {
    const { touch, pathI, pathJ, part } = this;
    part[0] = 0;
    pathI.place(part);
    pathJ.place(part);
    let rate = 0;
    for (let a = 0; a < 3; a++) {
      const b = (a + 1) % 3;
      const c = (a + 2) % 3;
      const i =
        pathI.velocity[a] +
        pathI.spin[b] * (touch[TOUCH_POINT + c] - pathI.state[c]) -
        pathI.spin[c] * (touch[TOUCH_POINT + b] - pathI.state[b]);
      const j =
        pathJ.velocity[a] +
        pathJ.spin[b] * (touch[TOUCH_POINT + c] - pathJ.state[c]) -
        pathJ.spin[c] * (touch[TOUCH_POINT + b] - pathJ.state[b]);
      rate += touch[TOUCH_NORMAL + a] * (i - j);
    }
    return rate > 0;
  }

  override endsApart(): boolean {
    this.part[0] = 1;
    return !this.swept.isWithin(this.standoff, this.part);
  }
}
