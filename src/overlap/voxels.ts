/**
 * Overlap of any two cells by an octree of voxels: the slow reference. `Gonthier 2007, A.3`.
 *
 * The start box is the intersection of the bounding boxes, in world axes. F(p) = max(f of the common primitives, −f of the removed ones)
 * has |∇F| <= 1 and is negative on the overlap only. A voxel whose centre has |F| above half its diagonal is in or out; any other
 * is split by eight down to the size limit. Of a mixed leaf the samples³ points of a grid are counted. The vector area is the sum
 * over neighbouring points of a mixed leaf and its sides, of which one is in cell j and one is not, with the middle between them in
 * cell i.
 *
 * The work is O(surface/voxel²). A face in line with the grid puts all leaves off by the same half step of the samples, so the
 * estimate is the volume of the mixed leaves over 2 samples. Elsewhere errors cancel and far less is left.
 */
import { positive, range } from '../base/parameter-checks.ts';
import type { CellShape } from '../shapes/cell-model.ts';
import { makeRayTable } from '../shapes/ray-intervals.ts';
import { primitivesOf, type RayPrimitive } from '../shapes/ray-primitive.ts';
import { COLUMN, COLUMN_SIZE, ORIGIN, type OverlapKernel } from './kernel.ts';
import { relate } from './rays-frame.ts';
import { RayClearance } from './rays-depth.ts';
import { RayTouch } from './rays-touch.ts';

/** Choices of the voxel kernel. */
export interface VoxelOptions {
  /** Longest side of a mixed leaf, m; the published default. @default 0.001 */
  readonly size?: number;
  /** Points along each side of a mixed leaf, 1 to 16. @default 3 */
  readonly samples?: number;
}
const SIZE = 1e-3;
const SAMPLES = 3;
/** Halvings of the start box at most. */
const LEVELS = 20;

/** Sums. */
const VOLUME = 0;
const FIRST = 1;
const SECOND = 4;
const AREA = 10;
const MIXED = 13;
const SUMS = 14;

/** Octree voxels of two cells. */
export class VoxelKernel implements OverlapKernel {
  readonly method = 'voxels';
  private readonly size: Float64Array;
  private readonly samples: number;
  private readonly primitives: RayPrimitive[];
  /** Cell of each, and 1 or −1 for a removed one. */
  private readonly cells: Int32Array;
  private readonly signs: Int32Array;
  private readonly touch: RayTouch;
  private readonly clearance: RayClearance;
  private readonly frame: Float64Array = new Float64Array(12);
  private readonly placements: [Float64Array, Float64Array] = [
    new Float64Array(12),
    new Float64Array(12),
  ];
  /** Centre and half sides of the voxels to come, with the level. */
  private readonly stack: Float64Array = new Float64Array(7 * (8 * LEVELS + 8));
  private readonly point: Float64Array = new Float64Array(3);
  private readonly local: Float64Array = new Float64Array(3);
  private readonly part: Float64Array = new Float64Array(4);
  /** F of both cells, of cell i, of cell j. */
  private readonly value: Float64Array = new Float64Array(3);
  private readonly sums: Float64Array = new Float64Array(SUMS);
  /** Direction, and least and greatest extent along it. */
  private readonly extent: Float64Array = new Float64Array(5);
  private readonly box: Float64Array = new Float64Array(6);
  private readonly direction: Float64Array = new Float64Array(3);
  private readonly support: Float64Array = new Float64Array(3);
  /** Place of the point in its leaf. */
  private readonly index: Int32Array = new Int32Array(3);

  /** Two cells, at least one of them of finite size. @throws BerthError */
  constructor(shapeI: CellShape, shapeJ: CellShape, options: VoxelOptions = {}) {
    const size = options.size ?? SIZE;
    const samples = options.samples ?? SAMPLES;
    positive('size', size);
    const whole = Number.isInteger(samples) && samples >= 1 && samples <= 16;
    range('samples', samples, whole, 'to be a whole number from 1 to 16');
    this.size = Float64Array.of(size);
    this.samples = samples;
    const table = makeRayTable([primitivesOf(shapeI), primitivesOf(shapeJ)]);
    this.primitives = table.primitives.map(({ primitive }) => primitive);
    this.cells = Int32Array.from(table.primitives.map(({ cell }) => cell));
    this.signs = Int32Array.from(table.primitives.map(({ removed }) => (removed ? -1 : 1)));
    this.touch = new RayTouch(table, this.frame);
    this.touch.requireBounded(shapeI.kind, shapeJ.kind);
    this.clearance = new RayClearance(table, this.frame);
  }

  compute(placementI: Float64Array, placementJ: Float64Array, column: Float64Array): void {
    const { sums, touch, placements, extent, box } = this;
    for (let k = 0; k < COLUMN_SIZE; k++) column[k] = 0;
    for (let k = 0; k < 12; k++) {
      placements[0][k] = placementI[k];
      placements[1][k] = placementJ[k];
    }
    relate(this.frame, placementI, placementJ);
    touch.search();
    if (touch.gap[0] >= 0) {
      column[COLUMN.gap] = touch.gap[0];
      return;
    }
    this.findBox();
    for (let k = 0; k < SUMS; k++) sums[k] = 0;
    this.descend(false);
    const volume = sums[VOLUME];
    if (!(volume > 0)) {
      this.clearance.search();
      column[COLUMN.gap] = this.clearance.clearance[0];
      return;
    }
    column[COLUMN.volume] = volume;
    for (let k = 0; k < 3; k++) {
      // sums are taken from the middle of the box
      const mid = sums[FIRST + k] / volume;
      column[COLUMN.centroid + k] = 0.5 * (box[k] + box[3 + k]) + mid;
    }
    for (let k = 0; k < 6; k++) {
      const i = k < 3 ? k : k < 5 ? 0 : 1;
      const j = k < 3 ? k : k === 3 ? 1 : 2;
      column[COLUMN.second + k] = sums[SECOND + k] - (sums[FIRST + i] * sums[FIRST + j]) / volume;
    }
    let square = 0;
    for (let k = 0; k < 3; k++) {
      column[COLUMN.vectorArea + k] = sums[AREA + k];
      square += sums[AREA + k] * sums[AREA + k];
    }
    const area = Math.sqrt(square);
    column[COLUMN.area] = area;
    for (let k = 0; k < 3; k++) extent[k] = area > 0 ? sums[AREA + k] / area : k === 2 ? 1 : 0;
    extent[3] = Number.POSITIVE_INFINITY;
    extent[4] = Number.NEGATIVE_INFINITY;
    this.descend(true);
    column[COLUMN.gap] = extent[3] - extent[4];
    column[COLUMN.error] = sums[MIXED] / (2 * this.samples * volume);
  }

  /** Intersection of the bounding boxes, world axes. */
  private findBox(): void {
    const { box, direction: d, support: p, placements } = this;
    for (let k = 0; k < 3; k++) {
      box[k] = Number.NEGATIVE_INFINITY;
      box[3 + k] = Number.POSITIVE_INFINITY;
    }
    for (let n = 0; n < this.primitives.length; n++) {
      const one = this.primitives[n];
      if (!one.bounded || this.signs[n] < 0) continue;
      const t = placements[this.cells[n]];
      for (let k = 0; k < 3; k++) {
        for (let sign = -1; sign <= 1; sign += 2) {
          d[0] = sign * t[3 * k];
          d[1] = sign * t[3 * k + 1];
          d[2] = sign * t[3 * k + 2];
          one.support(d, p);
          const at = t[3 * k] * p[0] + t[3 * k + 1] * p[1] + t[3 * k + 2] * p[2] + t[ORIGIN + k];
          if (sign < 0 && at > box[k]) box[k] = at;
          if (sign > 0 && at < box[3 + k]) box[3 + k] = at;
        }
      }
    }
  }

  /** F at the point, of both cells and of each. */
  private evaluate(): void {
    const { point, local, part, value, placements } = this;
    value[0] = value[1] = value[2] = Number.NEGATIVE_INFINITY;
    for (let n = 0; n < this.primitives.length; n++) {
      const cell = this.cells[n];
      const t = placements[cell];
      const x = point[0] - t[9];
      const y = point[1] - t[10];
      const z = point[2] - t[11];
      local[0] = t[0] * x + t[3] * y + t[6] * z;
      local[1] = t[1] * x + t[4] * y + t[7] * z;
      local[2] = t[2] * x + t[5] * y + t[8] * z;
      this.primitives[n].distance(local, part);
      const f = this.signs[n] * part[0];
      if (f > value[0]) value[0] = f;
      if (f > value[1 + cell]) value[1 + cell] = f;
    }
  }

  /** Goes through the octree: sums, or the extent along a direction. */
  private descend(extentOnly: boolean): void {
    const { stack, box, point, value } = this;
    for (let k = 0; k < 3; k++) {
      stack[k] = 0.5 * (box[k] + box[3 + k]);
      // a little more, so that a face on the box has an outside
      stack[3 + k] = (0.5 + 1e-9) * (box[3 + k] - box[k]);
    }
    stack[6] = 0;
    let count = 1;
    while (count > 0) {
      const o = 7 * --count;
      const x = stack[o];
      const y = stack[o + 1];
      const z = stack[o + 2];
      const hx = stack[o + 3];
      const hy = stack[o + 4];
      const hz = stack[o + 5];
      const level = stack[o + 6];
      point[0] = x;
      point[1] = y;
      point[2] = z;
      this.evaluate();
      const diagonal = Math.sqrt(hx * hx + hy * hy + hz * hz);
      if (value[0] >= diagonal) continue;
      const longest = 2 * (hx > hy ? (hx > hz ? hx : hz) : hy > hz ? hy : hz);
      const inside = value[0] <= -diagonal;
      if (inside || longest <= this.size[0] || level >= LEVELS) {
        this.leaf(o, inside, extentOnly);
        continue;
      }
      for (let k = 7; k >= 0; k--) {
        const p = 7 * count++;
        stack[p] = x + ((k & 1) - 0.5) * hx;
        stack[p + 1] = y + (((k >> 1) & 1) - 0.5) * hy;
        stack[p + 2] = z + ((k >> 2) - 0.5) * hz;
        stack[p + 3] = 0.5 * hx;
        stack[p + 4] = 0.5 * hy;
        stack[p + 5] = 0.5 * hz;
        stack[p + 6] = level + 1;
      }
    }
  }

  /** Adds the leaf at stack[o]. */
  private leaf(o: number, inside: boolean, extentOnly: boolean): void {
    const { stack, point, value, sums, direction: d, index } = this;
    const count = inside ? 1 : this.samples;
    const x = stack[o];
    const y = stack[o + 1];
    const z = stack[o + 2];
    d[0] = stack[o + 3] / count;
    d[1] = stack[o + 4] / count;
    d[2] = stack[o + 5] / count;
    if (!inside && !extentOnly) sums[MIXED] += 8 * d[0] * d[1] * d[2] * count * count * count;
    for (let i = 0; i < count; i++) {
      for (let j = 0; j < count; j++) {
        for (let k = 0; k < count; k++) {
          point[0] = x + (2 * i + 1 - count) * d[0];
          point[1] = y + (2 * j + 1 - count) * d[1];
          point[2] = z + (2 * k + 1 - count) * d[2];
          index[0] = i;
          index[1] = j;
          index[2] = k;
          this.evaluate();
          const within = value[2] < 0;
          if (value[0] < 0) {
            if (extentOnly) this.stretch();
            else this.add();
          }
          if (!inside && !extentOnly) this.addArea(within);
        }
      }
    }
  }

  private stretch(): void {
    const { extent, point, direction: d } = this;
    const at = extent[0] * point[0] + extent[1] * point[1] + extent[2] * point[2];
    const half =
      Math.abs(extent[0]) * d[0] + Math.abs(extent[1]) * d[1] + Math.abs(extent[2]) * d[2];
    if (at - half < extent[3]) extent[3] = at - half;
    if (at + half > extent[4]) extent[4] = at + half;
  }

  /** Adds a full box around the point. */
  private add(): void {
    const { sums, point, box, direction: d } = this;
    const cell = 8 * d[0] * d[1] * d[2];
    const x = point[0] - 0.5 * (box[0] + box[3]);
    const y = point[1] - 0.5 * (box[1] + box[4]);
    const z = point[2] - 0.5 * (box[2] + box[5]);
    sums[VOLUME] += cell;
    sums[FIRST] += cell * x;
    sums[FIRST + 1] += cell * y;
    sums[FIRST + 2] += cell * z;
    sums[SECOND] += cell * (x * x + (d[0] * d[0]) / 3);
    sums[SECOND + 1] += cell * (y * y + (d[1] * d[1]) / 3);
    sums[SECOND + 2] += cell * (z * z + (d[2] * d[2]) / 3);
    sums[SECOND + 3] += cell * x * y;
    sums[SECOND + 4] += cell * x * z;
    sums[SECOND + 5] += cell * y * z;
  }

  /** Adds the faces between the point and its neighbours, or the sides of the leaf, that are surface of cell j in cell i. */
  private addArea(within: boolean): void {
    const { point, value, sums, direction: d, index } = this;
    const last = this.samples - 1;
    for (let k = 0; k < 3; k++) {
      const face = 4 * d[(k + 1) % 3] * d[(k + 2) % 3];
      const here = point[k];
      for (let sense = index[k] === 0 ? -1 : 1; sense <= 1; sense += 2) {
        const step = sense < 0 ? -d[k] : index[k] === last ? d[k] : 2 * d[k];
        point[k] = here + step;
        this.evaluate();
        if (value[2] < 0 !== within) {
          point[k] = here + 0.5 * step;
          this.evaluate();
          if (value[1] < 0) sums[AREA + k] += within ? sense * face : -sense * face;
        }
      }
      point[k] = here;
    }
  }
}
