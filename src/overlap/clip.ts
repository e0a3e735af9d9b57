/**
 * Overlap of two convex polytopes, or of one and a half-space, exact up to rounding: the one with more faces is cut by the planes of
 * the other, in the frame of the other; sums over the edges of what is left give the column. docs/theory/clipping.md.
 *
 * For the choice of a method: `makePolytope(shape)` gives null for a shape that is not one; of the two polytopes that
 * `new ClipKernel(i, j)` takes, one may be a half-space.
 */
import { range } from '../parameter-checks.ts';
import { ClippedCell, CUT } from './clip-cell.ts';
import { ClipGap } from './clip-gap.ts';
import { ClipMoments, SUM, SUM_SIZE } from './clip-moments.ts';
import { COLUMN, COLUMN_SIZE, ORIGIN, type OverlapKernel, PLACEMENT } from './kernel.ts';
import type { Polytope } from './polytope.ts';

/** A vector area below this part of V^(2/3) has no direction: the way between the centres is taken for the depth. */
const NO_DIRECTION = 1e-12;

/** With so many planes it pays to find a ball around what the first one left, and to ask the others for that alone. */
const MANY = 8;

/** Roundings of a coordinate, with a safety factor. */
const NOISE = 8 * Number.EPSILON;

/** Gap to a half-space that rounding leaves undecided, in parts of the radius. */
const LEAST_CLEARANCE = 1e-12;

/** Scratch of all kernels, as large as the largest needs: cells of a body meet in hundreds of pairs. Nothing is read before written. */
const CELL = new ClippedCell();
const MOMENTS = new ClipMoments(CELL);
const GAP = new ClipGap();

/** Overlap of two polytopes, or of one and a half-space. */
export class ClipKernel implements OverlapKernel {
  readonly method = 'clipping';
  /** The polytope that is cut, and the one whose planes cut. */
  readonly #subject: Polytope;
  readonly #cutter: Polytope;
  /** Whether body i is cut. */
  readonly #cutsI: boolean;
  /** Placement of the subject in the frame of the cutter. */
  readonly #pose: Float64Array = new Float64Array(PLACEMENT);
  readonly #sums: Float64Array = new Float64Array(SUM_SIZE);
  /** Planes of the cutter that come near the subject. */
  readonly #near: Int32Array;
  readonly #faces: number;
  /** Centre and radius of a ball around what the first cut left, later around what is left. */
  readonly #ball: Float64Array = new Float64Array(4);

  constructor(i: Polytope, j: Polytope) {
    const bounded = Number(i.bounded) + Number(j.bounded);
    range('bounded polytopes', bounded, bounded > 0, 'to be at least one of two');
    this.#cutsI = i.bounded && (!j.bounded || i.planes.length >= j.planes.length);
    this.#subject = this.#cutsI ? i : j;
    this.#cutter = this.#cutsI ? j : i;
    const planes = this.#cutter.planes.length / 4;
    this.#faces = this.#subject.planes.length / 4;
    CELL.reserve(this.#subject, planes);
    MOMENTS.reserve(this.#faces + planes);
    this.#near = new Int32Array(planes);
  }

  /** @alloc none */
  compute(placementI: Float64Array, placementJ: Float64Array, column: Float64Array): void {
    const subject = this.#cutsI ? placementI : placementJ;
    const cutter = this.#cutsI ? placementJ : placementI;
    const { bounded } = this.#cutter;
    this.#place(subject, cutter);
    if (bounded) {
      this.#measureBalls();
      if (GAP.balls[0] > 0) {
        this.#separate(subject, cutter, column);
        return;
      }
    }
    if (this.#clip()) {
      MOMENTS.compute(this.#sums, this.#faces, this.#faces + this.#near.length);
      if (this.#isSolid()) {
        this.#measureDepth();
        this.#write(cutter, column);
        return;
      }
    }
    if (bounded) this.#separate(subject, cutter, column);
    else this.#clearance(column);
  }

  #separate(subject: Float64Array, cutter: Float64Array, column: Float64Array): void {
    GAP.compute(this.#subject, this.#cutter, subject, cutter);
    clear(column, GAP.gap);
  }

  /**
   * Whether there is more than what rounding can make of a solid without volume: corners off by rounding of the size of the bodies, over
   * the largest area that what is left may have. Below that the centroid would be anywhere. True for a volume that is not a
   * number: a placement that is not one gives a column that is not one either.
   */
  #isSolid(): boolean {
    const ball = this.#ball;
    CELL.enclose(ball);
    const size = this.#subject.radius + (this.#cutter.bounded ? this.#cutter.radius : 0);
    return !(this.#sums[SUM.volume] <= NOISE * size * ball[3] * ball[3]);
  }

  /** Placement of the subject in the frame of the cutter. Origins are subtracted first: far from the world's no digits are lost. */
  #place(subject: Float64Array, cutter: Float64Array): void {
    const pose = this.#pose;
    const dx = subject[ORIGIN] - cutter[ORIGIN];
    const dy = subject[ORIGIN + 1] - cutter[ORIGIN + 1];
    const dz = subject[ORIGIN + 2] - cutter[ORIGIN + 2];
    for (let row = 0; row < 3; row++) {
      const x = cutter[row];
      const y = cutter[row + 3];
      const z = cutter[row + 6];
      pose[3 * row] = x * subject[0] + y * subject[3] + z * subject[6];
      pose[3 * row + 1] = x * subject[1] + y * subject[4] + z * subject[7];
      pose[3 * row + 2] = x * subject[2] + y * subject[5] + z * subject[8];
      pose[ORIGIN + row] = x * dx + y * dy + z * dz;
    }
  }

  #measureBalls(): void {
    const pose = this.#pose;
    const c = this.#subject.center;
    const center = this.#cutter.center;
    const x = pose[0] * c[0] + pose[1] * c[1] + pose[2] * c[2] + pose[9] - center[0];
    const y = pose[3] * c[0] + pose[4] * c[1] + pose[5] * c[2] + pose[10] - center[1];
    const z = pose[6] * c[0] + pose[7] * c[1] + pose[8] * c[2] + pose[11] - center[2];
    GAP.balls[0] = Math.sqrt(x * x + y * y + z * z) - this.#subject.radius - this.#cutter.radius;
  }

  /** Cuts the subject; false when nothing is left. The plane that reaches in farthest comes first: it leaves least to do. */
  #clip(): boolean {
    const pose = this.#pose;
    const c = this.#subject.center;
    const x = pose[0] * c[0] + pose[1] * c[1] + pose[2] * c[2] + pose[9];
    const y = pose[3] * c[0] + pose[4] * c[1] + pose[5] * c[2] + pose[10];
    const z = pose[6] * c[0] + pose[7] * c[1] + pose[8] * c[2] + pose[11];
    const { planes } = this.#cutter;
    const { radius } = this.#subject;
    const near = this.#near;
    let count = 0;
    let first = 0;
    let most = Number.NEGATIVE_INFINITY;
    for (let f = 0; f < near.length; f++) {
      const p = 4 * f;
      const s = planes[p] * x + planes[p + 1] * y + planes[p + 2] * z - planes[p + 3];
      if (s <= -radius) continue;
      if (s >= radius) return false;
      if (s > most) {
        most = s;
        first = count;
      }
      near[count++] = f;
    }
    const cell = CELL;
    cell.load(this.#subject, near.length, pose);
    if (count === 0) return true;
    if (cell.cut(planes, near[first], this.#faces + near[first]) === CUT.empty) return false;
    const ball = this.#ball;
    if (count >= MANY) cell.enclose(ball);
    for (let k = 0; k < count; k++) {
      if (k === first) continue;
      const p = 4 * near[k];
      if (count >= MANY) {
        const s =
          planes[p] * ball[0] + planes[p + 1] * ball[1] + planes[p + 2] * ball[2] - planes[p + 3];
        if (s <= -ball[3]) continue;
      }
      if (cell.cut(planes, near[k], this.#faces + near[k]) === CUT.empty) return false;
    }
    return true;
  }

  /** Extent along the vector area; where that has no direction, along the way from centre to centre, else along x. */
  #measureDepth(): void {
    const sums = this.#sums;
    const pose = this.#pose;
    let x = sums[SUM.seam];
    let y = sums[SUM.seam + 1];
    let z = sums[SUM.seam + 2];
    let length = Math.sqrt(x * x + y * y + z * z);
    const least = NO_DIRECTION * Math.cbrt(sums[SUM.volume] * sums[SUM.volume]);
    if (!(length > least)) {
      const c = this.#subject.center;
      const center = this.#cutter.center;
      x = pose[0] * c[0] + pose[1] * c[1] + pose[2] * c[2] + pose[9] - center[0];
      y = pose[3] * c[0] + pose[4] * c[1] + pose[5] * c[2] + pose[10] - center[1];
      z = pose[6] * c[0] + pose[7] * c[1] + pose[8] * c[2] + pose[11] - center[2];
      // a half-space has no centre but a normal
      if (!this.#cutter.bounded) x = y = 0;
      length = Math.sqrt(x * x + y * y + z * z);
      if (!(length > 0)) x = length = 1;
    }
    sums[SUM.axis] = x / length;
    sums[SUM.axis + 1] = y / length;
    sums[SUM.axis + 2] = z / length;
    MOMENTS.extent(sums);
  }

  /** Sums in the frame of the cutter to the column in the world. */
  #write(cutter: Float64Array, column: Float64Array): void {
    const sums = this.#sums;
    const xx = sums[SUM.second];
    const yy = sums[SUM.second + 1];
    const zz = sums[SUM.second + 2];
    const xy = sums[SUM.second + 3];
    const xz = sums[SUM.second + 4];
    const yz = sums[SUM.second + 5];
    // faces of the planes are the surface of the cutter; body j is the cutter or has all other faces
    const sign = this.#cutsI ? 1 : -1;
    const sx = sign * sums[SUM.seam];
    const sy = sign * sums[SUM.seam + 1];
    const sz = sign * sums[SUM.seam + 2];
    const cx = sums[SUM.centroid];
    const cy = sums[SUM.centroid + 1];
    const cz = sums[SUM.centroid + 2];
    const r00 = cutter[0];
    const r01 = cutter[1];
    const r02 = cutter[2];
    const r10 = cutter[3];
    const r11 = cutter[4];
    const r12 = cutter[5];
    const r20 = cutter[6];
    const r21 = cutter[7];
    const r22 = cutter[8];
    column[COLUMN.volume] = sums[SUM.volume];
    column[COLUMN.area] = Math.sqrt(sx * sx + sy * sy + sz * sz);
    column[COLUMN.centroid] = r00 * cx + r01 * cy + r02 * cz + cutter[ORIGIN];
    column[COLUMN.centroid + 1] = r10 * cx + r11 * cy + r12 * cz + cutter[ORIGIN + 1];
    column[COLUMN.centroid + 2] = r20 * cx + r21 * cy + r22 * cz + cutter[ORIGIN + 2];
    const ax = r00 * xx + r01 * xy + r02 * xz;
    const ay = r00 * xy + r01 * yy + r02 * yz;
    const az = r00 * xz + r01 * yz + r02 * zz;
    const bx = r10 * xx + r11 * xy + r12 * xz;
    const by = r10 * xy + r11 * yy + r12 * yz;
    const bz = r10 * xz + r11 * yz + r12 * zz;
    const dx = r20 * xx + r21 * xy + r22 * xz;
    const dy = r20 * xy + r21 * yy + r22 * yz;
    const dz = r20 * xz + r21 * yz + r22 * zz;
    column[COLUMN.second] = ax * r00 + ay * r01 + az * r02;
    column[COLUMN.second + 1] = bx * r10 + by * r11 + bz * r12;
    column[COLUMN.second + 2] = dx * r20 + dy * r21 + dz * r22;
    column[COLUMN.second + 3] = ax * r10 + ay * r11 + az * r12;
    column[COLUMN.second + 4] = ax * r20 + ay * r21 + az * r22;
    column[COLUMN.second + 5] = bx * r20 + by * r21 + bz * r22;
    column[COLUMN.vectorArea] = r00 * sx + r01 * sy + r02 * sz;
    column[COLUMN.vectorArea + 1] = r10 * sx + r11 * sy + r12 * sz;
    column[COLUMN.vectorArea + 2] = r20 * sx + r21 * sy + r22 * sz;
    column[COLUMN.gap] = -sums[SUM.extent];
    column[COLUMN.error] = 0;
  }

  /** Height of the subject above the half-space. */
  #clearance(column: Float64Array): void {
    const { corners } = this.#subject;
    const pose = this.#pose;
    const sums = this.#sums;
    let least = Number.POSITIVE_INFINITY;
    for (let v = 0; v < corners.length; v += 3) {
      const z = pose[6] * corners[v] + pose[7] * corners[v + 1] + pose[8] * corners[v + 2];
      if (z < least) least = z;
    }
    // touching or lost in rounding: the smallest gap there is
    sums[0] = Math.max(least + pose[11], LEAST_CLEARANCE * this.#subject.radius);
    clear(column, sums);
  }
}

/** No overlap: zeros, and the gap that stands in `gap[0]`. */
function clear(column: Float64Array, gap: Float64Array): void {
  for (let k = 0; k < COLUMN_SIZE; k++) column[k] = 0;
  column[COLUMN.gap] = gap[0];
}
