/** Intersection of a line with a cell in closed form, with the outward normals at entry and exit. */
import type { CellShape } from './cell-model.ts';
import { RayCoefficients } from './ray-coefficients.ts';
import { makeRayTable, RayIntervals } from './ray-intervals.ts';
import { primitivesOf } from './ray-primitive.ts';

/** Numbers of a line: a point, m, and a direction of unit length. */
export const LINE_SIZE = 6;

/** A cell prepared for intersection with lines. */
export class RayLine {
  /** Largest number of intervals of a line. */
  readonly most: number;
  /** Intervals found. */
  count = 0;
  /** Distances along the line from its point, m; infinite where the cell is. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** Outward unit normals at entry and exit, three numbers each; zeros at infinity. */
  readonly fromNormal: Float64Array;
  readonly toNormal: Float64Array;
  private readonly intervals: RayIntervals;
  private readonly coefficients: RayCoefficients;
  private readonly sign: Float64Array;
  private readonly point: Float64Array = new Float64Array(3);

  constructor(shape: CellShape) {
    const table = makeRayTable([primitivesOf(shape)]);
    this.sign = table.signOf;
    this.intervals = new RayIntervals(table);
    this.coefficients = new RayCoefficients(table);
    this.coefficients.place(0, Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0));
    this.from = this.intervals.from;
    this.to = this.intervals.to;
    this.most = this.from.length;
    this.fromNormal = new Float64Array(3 * this.most);
    this.toNormal = new Float64Array(3 * this.most);
  }

  /** Intersects the line (point, direction), in the frame of the cell. @alloc none */
  intersect(line: Float64Array): void {
    const { intervals } = this;
    this.coefficients.alongLine(line, intervals);
    intervals.run();
    this.count = intervals.count;
    for (let k = 0; k < intervals.count; k++) {
      this.normal(line, intervals.from, intervals.fromSurface, this.fromNormal, k);
      this.normal(line, intervals.to, intervals.toSurface, this.toNormal, k);
    }
  }

  private normal(
    line: Float64Array,
    at: Float64Array,
    surfaces: Int32Array,
    out: Float64Array,
    k: number,
  ): void {
    const o = 3 * k;
    out[o] = out[o + 1] = out[o + 2] = 0;
    const s = surfaces[k];
    if (s < 0) return;
    const { matrix, linear } = this.coefficients;
    const { point } = this;
    for (let axis = 0; axis < 3; axis++) point[axis] = line[axis] + at[k] * line[3 + axis];
    const m = 6 * s;
    const v = 3 * s;
    const x = point[0];
    const y = point[1];
    const z = point[2];
    const gx = matrix[m] * x + matrix[m + 3] * y + matrix[m + 4] * z + linear[v];
    const gy = matrix[m + 3] * x + matrix[m + 1] * y + matrix[m + 5] * z + linear[v + 1];
    const gz = matrix[m + 4] * x + matrix[m + 5] * y + matrix[m + 2] * z + linear[v + 2];
    const length = Math.sqrt(gx * gx + gy * gy + gz * gz);
    const scale = length > 0 ? this.sign[s] / length : 0;
    out[o] = scale * gx;
    out[o + 1] = scale * gy;
    out[o + 2] = scale * gz;
  }
}
