/**
 * Overlap of two convex polytopes, or of one and a half-space, exact up to rounding. The planes of
 * one polytope cut the other, which has more faces, in the frame of the first. Sums over the
 * remaining edges give the column. docs/theory/clipping.md.
 *
 * `makePolytope(shape)` gives null for a shape that is not a polytope. One of the two polytopes of
 * `new ClipKernel(i, j)` may be a half-space.
 */
import { range } from '../base/parameter-checks.ts';
import { ClippedCell, CUT, slotRoomOf } from './clip-cell.ts';
import { ClipGap } from './clip-gap.ts';
import { CLEAR_DIRECTION, NOISE } from './clip-limits.ts';
import { ClipMoments, SUM, SUM_SIZE } from './clip-moments.ts';
import type { ClipTape } from './clip-tape.ts';
import { ORIGIN, type OverlapKernel, PLACEMENT, type ReplayedClip } from './kernel.ts';
import { writeApart, writeWorld } from './kernels/world-column.ts';
import type { Polytope } from './polytope.ts';
import { SeparatingPlane } from './separating-plane.ts';
import { LIST_HEAD } from './tape-slots.ts';
import { cbrt } from '../math/elementary/power.ts';

/**
 * Vector area relative to V^(2/3) below which it has no direction. The depth is then measured along
 * the line of centres.
 */
const NO_DIRECTION = 1e-12;

/** Number of planes from which a ball around the remaining cell saves time: only planes that reach it are used. */
const MANY = 8;

/** Numbers of a tape for each corner and face of both polytopes: a box that cuts all corners off a box takes 15. */
const TAPE_PER_PART = 20;
/** Numbers of a tape at most, 8 kB. A clip that takes more is no tape. */
const LONGEST_TAPE = 2048;

/** Gap to a half-space that rounding cannot resolve, relative to the radius. */
const LEAST_CLEARANCE = 1e-12;

/**
 * Work space of all kernels, as large as the largest needs, because cells of a body meet in
 * hundreds of pairs. It is written before it is read.
 */
const CELL = new ClippedCell();
const MOMENTS = new ClipMoments(CELL);
const GAP = new ClipGap();

/** Overlap of two polytopes, or of one and a half-space. */
export class ClipKernel implements OverlapKernel {
  readonly method = 'clipping';
  /** What a kernel has to know for replays: the polytope to cut, the one whose planes cut, and whether body i is cut. */
  readonly replayed: ReplayedClip;
  readonly #subject: Polytope;
  readonly #cutter: Polytope;
  readonly #cutsI: boolean;
  /** Placement of the subject in the frame of the cutter. */
  readonly #pose: Float64Array = new Float64Array(PLACEMENT);
  /** Centre of the subject there. */
  readonly #middle: Float64Array = new Float64Array(3);
  readonly #sums: Float64Array = new Float64Array(SUM_SIZE);
  /** Planes of the cutter that come near the subject. */
  readonly #near: Int32Array;
  readonly #faces: number;
  /** Centre and radius of a ball around the remaining cell. */
  readonly #ball: Float64Array = new Float64Array(4);
  readonly #plane: SeparatingPlane;
  /** Numbers that a tape of these polytopes may need. */
  readonly tapeRoom: number;
  /** What is left of the last clip, as `MOMENTS` lists it: the list, and where it begins there. */
  #left: Int32Array = MOMENTS.list;
  #leftAt = 0;

  constructor(i: Polytope, j: Polytope) {
    const bounded = Number(i.bounded) + Number(j.bounded);
    range('bounded polytopes', bounded, bounded > 0, 'to be at least one of two');
    this.#cutsI = i.bounded && (!j.bounded || i.planes.length >= j.planes.length);
    this.#subject = this.#cutsI ? i : j;
    this.#cutter = this.#cutsI ? j : i;
    const planes = this.#cutter.planes.length / 4;
    this.replayed = {
      subject: this.#subject,
      cutter: this.#cutter,
      cutsI: this.#cutsI,
      slots: slotRoomOf(this.#subject, planes),
    };
    this.#faces = this.#subject.planes.length / 4;
    CELL.reserve(this.#subject, planes);
    MOMENTS.reserve(this.#faces + planes);
    this.#near = new Int32Array(planes);
    this.#plane = new SeparatingPlane(this.#subject, this.#cutter, this.#cutsI);
    const parts = this.#subject.corners.length / 3 + this.#faces + planes;
    this.tapeRoom = Math.min(TAPE_PER_PART * parts, LONGEST_TAPE);
  }

  /** @alloc none */
  compute(
    placementI: Float64Array,
    placementJ: Float64Array,
    column: Float64Array,
    tape: ClipTape | null = null,
  ): void {
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
    if (this.#clip(tape)) {
      MOMENTS.compute(this.#sums, this.#left, this.#leftAt);
      if (this.#isSolid()) {
        this.#measureDepth();
        this.#write(cutter, column);
        return;
      }
    }
    if (bounded) this.#separate(subject, cutter, column);
    else this.#clearance(column);
  }

  /** @alloc none */
  keepPlane(planes: Float64Array, o: number): void {
    this.#plane.keep(GAP.direction, planes, o);
  }

  /** @alloc none */
  measureClearance(
    placementI: Float64Array,
    placementJ: Float64Array,
    planes: Float64Array,
    o: number,
  ): void {
    this.#plane.measure(placementI, placementJ, planes, o);
  }

  #separate(subject: Float64Array, cutter: Float64Array, column: Float64Array): void {
    GAP.compute(this.#subject, this.#cutter, subject, cutter);
    this.#sums[SUM.gap] = GAP.gap[0];
    writeApart(this.#sums, column);
  }

  /**
   * Whether the volume exceeds the rounding of a solid without volume: error of corners times the
   * largest possible area. Below that the centroid is arbitrary. NaN counts as solid, so that a
   * placement with NaN gives a column of NaN.
   */
  #isSolid(): boolean {
    const ball = this.#ball;
    const { radius } = this.#subject;
    const size = radius + (this.#cutter.bounded ? this.#cutter.radius : 0);
    // what lies in a ball of the radius R lies in a box whose corners are √3 R from its middle
    if (this.#sums[SUM.volume] > 4 * NOISE * size * radius * radius) return true;
    CELL.enclose(this.#left, this.#leftAt + LIST_HEAD, this.#left[this.#leftAt], 1, ball);
    return !(this.#sums[SUM.volume] <= NOISE * size * ball[3] * ball[3]);
  }

  /**
   * Computes the placement of the subject in the frame of the cutter, and its centre there. Origins are subtracted first,
   * which keeps digits far from the world origin.
   */
  #place(subject: Float64Array, cutter: Float64Array): void {
    const pose = this.#pose;
    const dx = subject[ORIGIN] - cutter[ORIGIN];
    const dy = subject[ORIGIN + 1] - cutter[ORIGIN + 1];
    const dz = subject[ORIGIN + 2] - cutter[ORIGIN + 2];
    const a = subject[0];
    const b = subject[1];
    const c = subject[2];
    const d = subject[3];
    const e = subject[4];
    const f = subject[5];
    const g = subject[6];
    const h = subject[7];
    const i = subject[8];
    const own = this.#subject.center;
    const middle = this.#middle;
    // row by row: products with a column of the cutter's rotation
    let x = cutter[0];
    let y = cutter[3];
    let z = cutter[6];
    pose[0] = x * a + y * d + z * g;
    pose[1] = x * b + y * e + z * h;
    pose[2] = x * c + y * f + z * i;
    pose[9] = x * dx + y * dy + z * dz;
    middle[0] = pose[0] * own[0] + pose[1] * own[1] + pose[2] * own[2] + pose[9];
    x = cutter[1];
    y = cutter[4];
    z = cutter[7];
    pose[3] = x * a + y * d + z * g;
    pose[4] = x * b + y * e + z * h;
    pose[5] = x * c + y * f + z * i;
    pose[10] = x * dx + y * dy + z * dz;
    middle[1] = pose[3] * own[0] + pose[4] * own[1] + pose[5] * own[2] + pose[10];
    x = cutter[2];
    y = cutter[5];
    z = cutter[8];
    pose[6] = x * a + y * d + z * g;
    pose[7] = x * b + y * e + z * h;
    pose[8] = x * c + y * f + z * i;
    pose[11] = x * dx + y * dy + z * dz;
    middle[2] = pose[6] * own[0] + pose[7] * own[1] + pose[8] * own[2] + pose[11];
  }

  #measureBalls(): void {
    const middle = this.#middle;
    const { center } = this.#cutter;
    const x = middle[0] - center[0];
    const y = middle[1] - center[1];
    const z = middle[2] - center[2];
    GAP.balls[0] = Math.sqrt(x * x + y * y + z * z) - this.#subject.radius - this.#cutter.radius;
  }

  /** Cuts the subject and lists what is left. @returns false when nothing is */
  #clip(tape: ClipTape | null): boolean {
    const pose = this.#pose;
    const x = this.#middle[0];
    const y = this.#middle[1];
    const z = this.#middle[2];
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
    if (tape?.fits(this, near, count, first) === true) {
      CELL.place(this.#subject, pose);
      if (tape.replay(CELL, planes)) {
        this.#left = tape.list;
        this.#leftAt = tape.left;
        return true;
      }
    }
    const record = tape?.begin(this, near, count, first) === true ? tape : null;
    CELL.load(this.#subject, near.length, pose);
    if (count > 0 && !this.#cut(count, first, record)) return false;
    const { list } = MOMENTS;
    const end = MOMENTS.gather(this.#faces, this.#faces + near.length, list, 0);
    if (record !== null) record.end(count, list, end);
    this.#left = list;
    this.#leftAt = 0;
    return true;
  }

  /** Cuts by the near planes, the deepest first, because it leaves the least work. @returns false when nothing remains */
  #cut(count: number, first: number, record: ClipTape | null): boolean {
    const { planes } = this.#cutter;
    const near = this.#near;
    if (!this.#cutBy(near[first], record)) return false;
    const ball = this.#ball;
    const many = count >= MANY;
    if (many) {
      CELL.enclose(CELL.live, 0, CELL.liveCount, 4, ball);
      if (record !== null) record.addBall(CELL);
    }
    for (let k = 0; k < count; k++) {
      if (k === first) continue;
      const p = 4 * near[k];
      if (many) {
        const s =
          planes[p] * ball[0] + planes[p + 1] * ball[1] + planes[p + 2] * ball[2] - planes[p + 3];
        if (s <= -ball[3]) {
          if (record !== null) record.addClear(near[k]);
          continue;
        }
      }
      if (!this.#cutBy(near[k], record)) return false;
    }
    return true;
  }

  /** Cuts by one plane. @returns false when nothing remains */
  #cutBy(plane: number, record: ClipTape | null): boolean {
    const outcome = CELL.cut(this.#cutter.planes, plane, this.#faces + plane);
    if (outcome === CUT.empty) return false;
    if (record !== null) record.add(CELL, plane, outcome);
    return true;
  }

  /** Whether the vector area has one, by its length in sums[SUM.area]. Cubes decide all but the nearest cases, without a root. */
  #hasDirection(): boolean {
    const length = this.#sums[SUM.area];
    const square = this.#sums[SUM.volume] * this.#sums[SUM.volume];
    if (length * length * length > CLEAR_DIRECTION * square) return true;
    return length > NO_DIRECTION * cbrt(square);
  }

  /** Measures the extent along the vector area; without a direction, along the line of centres, else along x. */
  #measureDepth(): void {
    const sums = this.#sums;
    let x = sums[SUM.vectorArea];
    let y = sums[SUM.vectorArea + 1];
    let z = sums[SUM.vectorArea + 2];
    let length = Math.sqrt(x * x + y * y + z * z);
    sums[SUM.area] = length;
    if (!this.#hasDirection()) {
      const { center } = this.#cutter;
      x = this.#middle[0] - center[0];
      y = this.#middle[1] - center[1];
      z = this.#middle[2] - center[2];
      // a half-space has no centre but a normal
      if (!this.#cutter.bounded) x = y = 0;
      length = Math.sqrt(x * x + y * y + z * z);
      if (!(length > 0)) x = length = 1;
    }
    sums[SUM.axis] = x / length;
    sums[SUM.axis + 1] = y / length;
    sums[SUM.axis + 2] = z / length;
    MOMENTS.extent(sums, this.#left, this.#leftAt);
  }

  /** Sums in the frame of the cutter to the column in the world. */
  #write(cutter: Float64Array, column: Float64Array): void {
    const sums = this.#sums;
    // faces of the planes are the surface of the cutter; body j is the cutter or has all other faces
    const sign = this.#cutsI ? 1 : -1;
    const x = sign * sums[SUM.vectorArea];
    const y = sign * sums[SUM.vectorArea + 1];
    const z = sign * sums[SUM.vectorArea + 2];
    sums[SUM.vectorArea] = x;
    sums[SUM.vectorArea + 1] = y;
    sums[SUM.vectorArea + 2] = z;
    sums[SUM.area] = Math.sqrt(x * x + y * y + z * z);
    writeWorld(sums, cutter, column);
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
    // touching or lost in rounding: the smallest representable gap
    sums[SUM.gap] = Math.max(least + pose[11], LEAST_CLEARANCE * this.#subject.radius);
    writeApart(sums, column);
  }
}
