/**
 * Depth and clearance of a pair of cells.
 *
 * Depth: the greatest length of the overlap on a line in a direction, by compass search from the
 * line through the centroid. For convex overlaps that length is a concave function of the line.
 * When the first line misses the overlap, as in the hole of a ring, the search starts from the best
 * of some lines around it.
 *
 * Clearance of a cell inside a hole: minus the largest f of the hole over the cell, by steps to the
 * support point along ∇f. Each step raises the convex f. The same steps find the points of a cell that are farthest out of a hole.
 */
import type { RayCoefficients } from '../shapes/ray-coefficients.ts';
import { RayIntervals, type RayTable } from '../shapes/ray-intervals.ts';
import type { RayPrimitive } from '../shapes/ray-primitive.ts';
import { ANGLE, sinCos } from '../math/elementary/circular.ts';

/** Halvings of the step of the compass. */
const ROUNDS = 14;
/** Lines per circle, and circles, of a search whose first line misses. */
const SPOKES = 8;
const CIRCLES = 6;
/** Steps to support points from each of six starts. */
const CLIMBS = 8;

/** Search along lines. */
export class RayDepth {
  /** In: point and direction of unit length, axes (u, v, w); radius of the search. */
  readonly line: Float64Array = new Float64Array(6);
  readonly reach: Float64Array = new Float64Array(1);
  /** Out: depth, m. */
  readonly depth: Float64Array = new Float64Array(1);
  private readonly coefficients: RayCoefficients;
  private readonly intervals: RayIntervals;
  private readonly across: Float64Array = new Float64Array(6);

  constructor(table: RayTable, coefficients: RayCoefficients) {
    this.coefficients = coefficients;
    this.intervals = new RayIntervals(table);
  }

  /** Computes the depth. @alloc none */
  search(): void {
    const { line, across, depth } = this;
    const x = line[3];
    const y = line[4];
    const z = line[5];
    // two directions across
    const k =
      Math.abs(x) <= Math.abs(y) && Math.abs(x) <= Math.abs(z)
        ? 0
        : Math.abs(y) <= Math.abs(z)
          ? 1
          : 2;
    const along = line[3 + k];
    const scale = 1 / Math.sqrt(1 - along * along);
    for (let n = 0; n < 3; n++) across[n] = scale * ((n === k ? 1 : 0) - along * line[3 + n]);
    across[3] = y * across[2] - z * across[1];
    across[4] = z * across[0] - x * across[2];
    across[5] = x * across[1] - y * across[0];
    this.cast();
    if (depth[0] <= 0) this.lookAround();
    let best = depth[0];
    let step = 0.5 * this.reach[0];
    for (let round = 0; round < ROUNDS; round++) {
      let moved = false;
      for (let n = 0; n < 4; n++) {
        const o = n < 2 ? 0 : 3;
        const by = n % 2 === 0 ? step : -step;
        for (let a = 0; a < 3; a++) line[a] += by * across[o + a];
        this.cast();
        if (depth[0] > best) {
          best = depth[0];
          moved = true;
        } else {
          for (let a = 0; a < 3; a++) line[a] -= by * across[o + a];
        }
      }
      if (!moved) step *= 0.5;
    }
    depth[0] = best;
  }

  /** Moves the line to the deepest one on circles within reach and stores its depth. */
  private lookAround(): void {
    const { line, across, depth, reach } = this;
    const x = line[0];
    const y = line[1];
    const z = line[2];
    let best = 0;
    let bestU = 0;
    let bestV = 0;
    for (let n = 0; n < SPOKES * CIRCLES; n++) {
      const angle = (2 * Math.PI * (n % SPOKES)) / SPOKES;
      const radius = (reach[0] * (Math.floor(n / SPOKES) + 0.5)) / CIRCLES;
      ANGLE[0] = angle;
      const turn = sinCos();
      const u = radius * turn[1];
      const v = radius * turn[0];
      line[0] = x + u * across[0] + v * across[3];
      line[1] = y + u * across[1] + v * across[4];
      line[2] = z + u * across[2] + v * across[5];
      this.cast();
      if (depth[0] > best) {
        best = depth[0];
        bestU = u;
        bestV = v;
      }
    }
    line[0] = x + bestU * across[0] + bestV * across[3];
    line[1] = y + bestU * across[1] + bestV * across[4];
    line[2] = z + bestU * across[2] + bestV * across[5];
    depth[0] = best;
  }

  private cast(): void {
    const { intervals } = this;
    this.coefficients.alongLine(this.line, intervals);
    intervals.run();
    let sum = 0;
    for (let k = 0; k < intervals.count; k++) sum += intervals.to[k] - intervals.from[k];
    this.depth[0] = sum;
  }
}

/** Starts of a climb: either way along three axes. */
const STARTS = 6;

/** Clearance of cells in holes, and the points outside of them. */
export class RayClearance {
  /** Out: least clearance, m; 0 when no single hole contains the cells. */
  readonly clearance: Float64Array = new Float64Array(1);
  /** Out: points of common primitives farthest out of a hole, one for each start that got out, first frame, m. */
  readonly outside: Float64Array;
  outsideCount = 0;
  private readonly common: RayPrimitive[];
  private readonly commonCells: Int32Array;
  private readonly removed: RayPrimitive[];
  private readonly removedCells: Int32Array;
  private readonly frame: Float64Array;
  private readonly point: Float64Array = new Float64Array(3);
  private readonly direction: Float64Array = new Float64Array(3);
  private readonly part: Float64Array = new Float64Array(4);

  /** `frame`: placement of the second cell in the first. */
  constructor(table: RayTable, frame: Float64Array) {
    const common = table.primitives.filter(
      ({ removed, primitive }) => !removed && primitive.bounded,
    );
    const removed = table.primitives.filter((one) => one.removed);
    this.common = common.map(({ primitive }) => primitive);
    this.commonCells = Int32Array.from(common.map(({ cell }) => cell));
    this.removed = removed.map(({ primitive }) => primitive);
    this.removedCells = Int32Array.from(removed.map(({ cell }) => cell));
    this.frame = frame;
    this.outside = new Float64Array(3 * STARTS * this.removed.length * this.common.length);
  }

  /** Computes the clearance, and the points outside. @alloc none */
  search(): void {
    const { clearance, part, point, outside } = this;
    clearance[0] = 0;
    this.outsideCount = 0;
    for (let r = 0; r < this.removed.length; r++) {
      for (let c = 0; c < this.common.length; c++) {
        let most = Number.NEGATIVE_INFINITY;
        for (let start = 0; start < STARTS; start++) {
          this.climb(r, c, start);
          if (part[0] > most) most = part[0];
          if (part[0] > 0) {
            const at = 3 * this.outsideCount++;
            for (let k = 0; k < 3; k++) outside[at + k] = point[k];
          }
        }
        if (-most > clearance[0]) clearance[0] = -most;
      }
    }
  }

  /** Climbs from a start: the point and its f. */
  private climb(r: number, c: number, start: number): void {
    const { direction, part } = this;
    for (let k = 0; k < 3; k++) direction[k] = k === start >> 1 ? 1 - 2 * (start & 1) : 0;
    for (let step = 0; step < CLIMBS; step++) {
      this.support(c);
      this.measure(r);
      direction[0] = part[1];
      direction[1] = part[2];
      direction[2] = part[3];
    }
  }

  /** Support point of a common primitive along `direction`, both in the first frame. */
  private support(c: number): void {
    const { point: p, direction: d, frame: f, part } = this;
    if (this.commonCells[c] === 0) {
      this.common[c].support(d, p);
      return;
    }
    part[0] = f[0] * d[0] + f[3] * d[1] + f[6] * d[2];
    part[1] = f[1] * d[0] + f[4] * d[1] + f[7] * d[2];
    part[2] = f[2] * d[0] + f[5] * d[1] + f[8] * d[2];
    this.common[c].support(part, p);
    const x = p[0];
    const y = p[1];
    const z = p[2];
    p[0] = f[0] * x + f[1] * y + f[2] * z + f[9];
    p[1] = f[3] * x + f[4] * y + f[5] * z + f[10];
    p[2] = f[6] * x + f[7] * y + f[8] * z + f[11];
  }

  /** f of a removed primitive and its gradient at the point, first frame. */
  private measure(r: number): void {
    const { point: p, frame: f, part, direction } = this;
    if (this.removedCells[r] === 0) {
      this.removed[r].distance(p, part);
      return;
    }
    const x = p[0] - f[9];
    const y = p[1] - f[10];
    const z = p[2] - f[11];
    direction[0] = f[0] * x + f[3] * y + f[6] * z;
    direction[1] = f[1] * x + f[4] * y + f[7] * z;
    direction[2] = f[2] * x + f[5] * y + f[8] * z;
    this.removed[r].distance(direction, part);
    const gx = part[1];
    const gy = part[2];
    const gz = part[3];
    part[1] = f[0] * gx + f[1] * gy + f[2] * gz;
    part[2] = f[3] * gx + f[4] * gy + f[5] * gz;
    part[3] = f[6] * gx + f[7] * gy + f[8] * gz;
  }
}
