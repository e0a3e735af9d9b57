/**
 * Cylinder, frustum, cone or capsule in a bore: sections across the axis of the body (bore-section.ts), summed along it.
 *
 * The largest distance M(z) of the rim at z from the axis of the bore is a maximum of distances that are linear in z, so it is convex
 * on a cylinder and a frustum: what lies in the wall is at one end or at both, or everywhere. Newton's method on M² − R² from an end that lies in the wall
 * comes to the nearest z with M = R without passing it. There the sections end as (z − z_a)^{3/2}, which z = z_a + x² makes a polynomial
 * times an analytic function (rays-rule.ts). On a half ball z = z_c ± r sin χ, and M rises and falls once, with its top towards
 * the deepest point of the ball.
 *
 * Where the number of arcs in the wall changes the sum is divided (bore-ranges.ts).
 *
 * The end of a capsule whose part in the wall is all of its ball's is a ball (sphere-bore.ts). Where a body is driven into the wall to its axis, rays take over. The depth is that of the deepest
 * point, exact on either side of touch: the gap is R − max M.
 *
 * |dV|/V is 1e-9 and rounding ε R/h; 1e-6 next to where two regions of contact meet. docs/theory/round-bore.md
 * @test test/src/overlap/round-bore.test.ts
 */
import type { BoreShape } from '../../shapes/cell-model.ts';
import { COLUMN, COLUMN_SIZE, ORIGIN, type OverlapKernel, PLACEMENT } from '../kernel.ts';
import { RayKernel } from '../rays.ts';
import { writeSums } from './bore-column.ts';
import { placeBore } from './bore-frame.ts';
import { BallPart, ConePart, type BorePart } from './bore-parts.ts';
import { BoreRanges } from './bore-ranges.ts';
import { BORE, BORE_SUM, BoreSection } from './bore-section.ts';
import type { RoundShape } from './round-half-space.ts';
import { SphereBoreKernel } from './sphere.ts';
import { writeApart, writeWorld } from './world-column.ts';

/** Nodes of a range of sections. */
const NODES = 10;

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
  readonly #ranges = new BoreRanges(this.#section, NODES);
  readonly #rays: RayKernel;
  readonly #ball: SphereBoreKernel | null;
  /** Largest radius of a disc. */
  readonly #size: Float64Array;
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
    const ranges = this.#ranges;
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
    ranges.doubt[0] = 0;
    for (let k = 0; k < parts.length; k++) {
      parts[k].findRanges(section);
      ranges.add(parts[k], this.#size[0]);
    }
    if (ranges.doubt[0] === 1) {
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
