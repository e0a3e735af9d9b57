/**
 * Cylinder, frustum, cone or capsule in a bore: sections across the axis of the body (bore-section.ts), summed along it.
 *
 * The largest distance M(z) of the rim at z from the axis of the bore is a maximum of distances that are linear in z, so it is convex
 * on a cylinder and a frustum: what lies in the wall is at one end or at both, or everywhere. Newton's method on M² − R² from an end that lies in the wall
 * comes to the nearest z with M = R without passing it. There the sections end as (z − z_a)^{3/2}, which z = z_a + x² makes a polynomial
 * times an analytic function (rays-rule.ts). On a half ball z = z_c ± r sin χ, and M rises and falls once, with its top towards
 * the deepest point of the ball.
 *
 * Where the number of arcs in the wall changes the sum is divided (bore-pieces.ts).
 *
 * The end of a capsule whose part in the wall is all of its ball's is a ball (sphere-bore.ts). Sections need the axis inside the bore, by
 * γ >= LEAST_INSIDE r². Where a body is driven into the wall to its axis, rays take over. The depth is that of the deepest
 * point, exact on either side of touch: the gap is R − max M.
 *
 * |dV|/V is 1e-9 and rounding ε R/h; 1e-6 next to where two regions of contact meet. docs/theory/round-bore.md
 * @test test/src/overlap/round-bore.test.ts
 */
import type { BoreShape } from '../../shapes/cell-model.ts';
import { COLUMN, COLUMN_SIZE, ORIGIN, type OverlapKernel, PLACEMENT } from '../kernel.ts';
import { EndRule } from '../rays-rule.ts';
import { RayKernel } from '../rays.ts';
import { writeSums } from './bore-column.ts';
import { placeBore } from './bore-frame.ts';
import { BallPart, ConePart, type BorePart } from './bore-parts.ts';
import { BorePieces } from './bore-pieces.ts';
import { BORE, BORE_SUM, BoreSection, DISC } from './bore-section.ts';
import type { RoundShape } from './round-half-space.ts';
import { SphereBoreKernel } from './sphere.ts';
import { writeApart, writeWorld } from './world-column.ts';

/** Nodes of a range of sections. */
const NODES = 10;
/** Part of r² by which the axis is inside the bore at least: the way along a ray has a root of γ. */
const LEAST_INSIDE = 0.1;

function partsOf(shape: RoundShape): BorePart[] {
  const half = 0.5 * shape.length;
  switch (shape.kind) {
    case 'cylinder':
      return [new ConePart(-half, half, shape.radius, shape.radius)];
    case 'frustum':
      return [new ConePart(0, shape.length, shape.radius, shape.topRadius)];
    case 'capsule':
      return [
        new ConePart(-half, half, shape.radius, shape.radius),
        new BallPart(half, shape.radius, 1),
        new BallPart(-half, shape.radius, -1),
      ];
  }
}

/** Whether a shape and a bore have this kernel: the ends of a capsule are balls that fit. */
export function fitsBore(shape: RoundShape, bore: BoreShape): boolean {
  return shape.kind !== 'capsule' || shape.radius < bore.radius;
}

/** Round body i and bore j. */
export class RoundBoreKernel implements OverlapKernel {
  readonly method = 'closed-form';
  readonly #parts: readonly BorePart[];
  readonly #section = new BoreSection();
  readonly #pieces = new BorePieces();
  readonly #rule = new EndRule(NODES);
  readonly #rays: RayKernel;
  readonly #ball: SphereBoreKernel | null;
  /** Largest radius of a disc. */
  readonly #size: Float64Array;
  /** [1 where a section had its axis too near the wall]. */
  readonly #doubt = new Int32Array(1);
  /** Axes t, n, a in the world, origin of the body. */
  readonly #frame = new Float64Array(PLACEMENT);
  readonly #local = new Float64Array(COLUMN_SIZE);
  readonly #end = new Float64Array(COLUMN_SIZE);
  readonly #endPlace = new Float64Array(PLACEMENT);

  constructor(shape: RoundShape, bore: BoreShape) {
    this.#parts = partsOf(shape);
    this.#section.pose[BORE.radius] = bore.radius;
    this.#size = Float64Array.of(shape.radius);
    this.#rays = new RayKernel(shape, bore);
    this.#ball =
      shape.kind === 'capsule'
        ? new SphereBoreKernel({ kind: 'sphere', radius: shape.radius }, bore)
        : null;
  }

  compute(placementI: Float64Array, placementJ: Float64Array, column: Float64Array): void {
    const section = this.#section;
    const local = this.#local;
    const parts = this.#parts;
    placeBore(placementI, placementJ, this.#frame, section.pose);
    local[COLUMN.gap] = Infinity;
    for (let k = 0; k < parts.length; k++) {
      parts[k].measure(section);
      const gap = parts[k].gap[0];
      // the deepest point is what moments are taken from
      if (!(gap >= local[COLUMN.gap])) {
        local[COLUMN.gap] = gap;
        parts[k].refer(section);
      }
    }
    if (local[COLUMN.gap] >= 0) {
      writeApart(local, column);
      return;
    }
    section.clear();
    this.#doubt[0] = 0;
    for (let k = 0; k < parts.length; k++) this.#addPart(parts[k]);
    if (this.#doubt[0] === 1) {
      this.#rays.compute(placementI, placementJ, column);
      if (column[COLUMN.volume] > 0) column[COLUMN.gap] = local[COLUMN.gap];
      return;
    }
    this.#write(column);
    for (let k = 0; k < parts.length; k++) {
      if (parts[k].isBall[0] === 1) this.#joinBall(parts[k], placementI, placementJ, column);
    }
    column[COLUMN.gap] = local[COLUMN.gap];
  }

  /** Adds the sections of a part that are in the wall. */
  #addPart(part: BorePart): void {
    part.findRanges(this.#section);
    const thick = this.#size[0] > this.#section.pose[BORE.radius] * this.#section.pose[BORE.cosine];
    const { ranges, count } = part;
    const divided = this.#pieces;
    const { range, pieces } = divided;
    for (let n = 0; n < count[0]; n++) {
      for (let k = 0; k < 4; k++) range[k] = ranges[4 * n + k];
      if (thick) divided.divide(this.#section, part);
      else divided.keep();
      for (let m = 0; m < divided.count[0]; m++) {
        this.#addRange(
          part,
          pieces[4 * m],
          pieces[4 * m + 1],
          pieces[4 * m + 2],
          pieces[4 * m + 3],
        );
      }
    }
  }

  /** Adds the sections from `from` to `to`, with roots of the integrand at or beyond the ends. */
  #addRange(part: BorePart, from: number, to: number, rootFrom: number, rootTo: number): void {
    const rule = this.#rule;
    const section = this.#section;
    const disc = section.disc;
    rule.ends[0] = from;
    rule.ends[1] = to;
    rule.ends[2] = rootFrom;
    rule.ends[3] = rootTo;
    rule.fill();
    for (let n = 0; n < rule.count; n++) {
      part.place(section, rule.nodes[n]);
      section.locate();
      if (disc[DISC.excess] <= 0) continue;
      const r = disc[DISC.radius];
      if (disc[DISC.inside] < LEAST_INSIDE * r * r) this.#doubt[0] = 1;
      section.findArcs();
      section.add(rule.weights[n] * Math.abs(disc[DISC.heightRate]));
    }
  }

  /** Column of the sums. */
  #write(column: Float64Array): void {
    const { sums, reference } = this.#section;
    const local = this.#local;
    if (!(sums[BORE_SUM.volume] > 0)) {
      writeApart(local, column);
      return;
    }
    writeSums(sums, reference, local);
    writeWorld(local, this.#frame, column);
  }

  /** Adds the ball at the end of a capsule to the column. */
  #joinBall(part: BorePart, i: Float64Array, j: Float64Array, column: Float64Array): void {
    const place = this.#endPlace;
    const end = this.#end;
    for (let k = 0; k < 9; k++) place[k] = i[k];
    for (let k = 0; k < 3; k++) place[ORIGIN + k] = i[ORIGIN + k] + part.center[0] * i[3 * k + 2];
    if (this.#ball === null) return;
    this.#ball.compute(place, j, end);
    const one = column[COLUMN.volume];
    const other = end[COLUMN.volume];
    const both = one + other;
    if (!(other > 0)) return;
    const c = COLUMN.centroid;
    const s = COLUMN.second;
    // about the common centroid: the distance of both, weighted by V_1 V_2/V
    const weight = (one * other) / both;
    const x = end[c] - column[c];
    const y = end[c + 1] - column[c + 1];
    const z = end[c + 2] - column[c + 2];
    column[s] += end[s] + weight * x * x;
    column[s + 1] += end[s + 1] + weight * y * y;
    column[s + 2] += end[s + 2] + weight * z * z;
    column[s + 3] += end[s + 3] + weight * x * y;
    column[s + 4] += end[s + 4] + weight * x * z;
    column[s + 5] += end[s + 5] + weight * y * z;
    const share = other / both;
    column[c] += share * x;
    column[c + 1] += share * y;
    column[c + 2] += share * z;
    column[COLUMN.volume] = both;
    const a = COLUMN.vectorArea;
    for (let k = 0; k < 3; k++) column[a + k] += end[a + k];
    column[COLUMN.area] = Math.sqrt(
      column[a] * column[a] + column[a + 1] * column[a + 1] + column[a + 2] * column[a + 2],
    );
  }
}
