/**
 * Where the slices u = const through an overlap change: u of its corners (three surfaces), of the extremes of its edges (two) and of its
 * faces (one). Between neighbours the integral over a slice is analytic in u, but for powers of its root at the ends.
 *
 * In closed form: a corner on the line of two planes; on the edge of a plane n·p = d and a quadric the extremes along u, where also
 * (A p + b)·(n × û) = 0, on a line again; ball and ellipsoid at c ± A⁻¹û r/√(û·A⁻¹û); a cylinder across u. Edges of two quadrics other
 * than balls are found by halving between slices whose crossings differ; a slice through a point of the overlap is among them.
 */
import { U, type RaySlice } from './rays-slice.ts';
import type { RaySystem } from './rays-system.ts';

/** Number of sample slices between events, and of bisections where they differ. */
const LOOKS = 8;
const HALVINGS = 26;
/** Changes between two neighbouring slices, at most. */
const CHANGES = 8;
/** Events found by halving, at most. */
const FOUND = 48;
/** A plane this close to u = const is such a slice. */
const ACROSS = 1e-7;
/** Events closer than this part of the range are one. */
const SAME = 1e-13;

/** Events along u. */
export class RayEvents {
  /** Range of u. */
  readonly range: Float64Array = new Float64Array(2);
  /** In: u of points that may be on the overlap, with a slice through each. */
  readonly looks: Float64Array;
  lookCount = 0;
  /** Rising; the first and the last are the ends of the range. */
  readonly events: Float64Array;
  count = 0;
  /** 1 where the integral over a slice may have a root. */
  readonly rooted: Int8Array;
  /** Extremes whether on the overlap or not: beyond an event they are roots near by. */
  private readonly near: Float64Array;
  private nearCount = 0;
  private mark = 0;
  private readonly system: RaySystem;
  private readonly slice: RaySlice;
  private readonly point: Float64Array = new Float64Array(3);
  private readonly but: Int32Array = Int32Array.of(-1, -1, -1);
  /** Two planes n·p + d = 0; foot and direction of their line; third surface along it. */
  private readonly planes: Float64Array = new Float64Array(8);
  private readonly line: Float64Array = new Float64Array(6);
  private readonly most: number;

  /** @param looks most places */
  constructor(system: RaySystem, slice: RaySlice, looks: number) {
    this.looks = new Float64Array(looks);
    this.system = system;
    this.slice = slice;
    this.most =
      3 + (2 * system.triples.length) / 3 + system.mixedPairs.length + 3 * system.size + FOUND;
    this.events = new Float64Array(this.most);
    this.rooted = new Int8Array(this.most);
    this.near = new Float64Array(this.most);
  }

  /** Finds the events in the range. The origin is a point of the overlap of the common primitives. @alloc none */
  find(): void {
    this.count = 0;
    this.nearCount = 0;
    this.rooted[0] = this.rooted[1] = 0;
    this.events[this.count++] = this.range[0];
    this.events[this.count++] = this.range[1];
    this.mark = 0;
    this.addCorners();
    this.mark = 1;
    this.addFaces();
    this.addExtremes();
    this.mark = 0;
    if (this.system.searching) {
      this.point[0] = 0;
      this.add();
    }
    this.sort();
    if (this.system.searching) this.search();
  }

  /** Writes the panel before event k into `ends` of rays-rule.ts. @alloc none */
  panel(k: number, ends: Float64Array): void {
    const { events, rooted, near } = this;
    const a = events[k - 1];
    const b = events[k];
    let left = rooted[k - 1] === 1 ? a : Number.NEGATIVE_INFINITY;
    let right = rooted[k] === 1 ? b : Number.POSITIVE_INFINITY;
    for (let n = 0; n < this.nearCount; n++) {
      const at = near[n];
      if (at <= a && at > left) left = at;
      if (at >= b && at < right) right = at;
    }
    ends[0] = a;
    ends[1] = b;
    ends[2] = left;
    ends[3] = right;
  }

  /** Adds point[0]. */
  private add(): void {
    const u = this.point[0];
    if (u > this.range[0] && u < this.range[1] && this.count < this.most) {
      this.rooted[this.count] = this.mark;
      this.events[this.count++] = u;
    }
  }

  private test(): void {
    if (this.mark === 1 && this.nearCount < this.most) this.near[this.nearCount++] = this.point[0];
    if (this.system.holds(this.point, this.but)) this.add();
  }

  private addFaces(): void {
    const { coefficients: c, table, extremes, plane } = this.system;
    const { point, but } = this;
    for (let s = 0; s < table.surfaces.length; s++) {
      const v = 3 * s;
      if (plane[s] === 1) {
        const nu = 2 * c.linear[v];
        if (Math.abs(c.center[v + 1]) > ACROSS || Math.abs(c.center[v + 2]) > ACROSS) continue;
        point[0] = -c.constant[s] / nu;
        // a jump, no root
        this.mark = 0;
        this.add();
        this.mark = 1;
        continue;
      }
      const { radius, slope } = table.surfaces[s];
      if (extremes[s] === 1) {
        const m = 6 * s;
        const a = c.matrix;
        const x = a[m + 1] * a[m + 2] - a[m + 5] * a[m + 5];
        const y = a[m + 4] * a[m + 5] - a[m + 3] * a[m + 2];
        const z = a[m + 3] * a[m + 5] - a[m + 4] * a[m + 1];
        const det = a[m] * x + a[m + 3] * y + a[m + 4] * z;
        const scale = radius / Math.sqrt(det * x);
        but[0] = s;
        but[1] = but[2] = -1;
        for (let sign = -1; sign <= 1; sign += 2) {
          point[0] = c.center[v] + sign * scale * x;
          point[1] = c.center[v + 1] + sign * scale * y;
          point[2] = c.center[v + 2] + sign * scale * z;
          this.test();
        }
      } else if (slope > 0) {
        point[0] = c.center[v] + (c.axis[v] * radius) / slope;
        this.add();
      } else if (Math.abs(c.axis[v]) <= ACROSS) {
        point[0] = c.center[v] - radius;
        this.add();
        point[0] = c.center[v] + radius;
        this.add();
      }
    }
  }

  private addCorners(): void {
    const { triples, coefficients: c } = this.system;
    const { planes, but } = this;
    for (let k = 0; k < triples.length; k += 3) {
      for (let n = 0; n < 2; n++) {
        const s = triples[k + n];
        planes[4 * n] = 2 * c.linear[3 * s];
        planes[4 * n + 1] = 2 * c.linear[3 * s + 1];
        planes[4 * n + 2] = 2 * c.linear[3 * s + 2];
        planes[4 * n + 3] = c.constant[s];
      }
      but[0] = triples[k];
      but[1] = triples[k + 1];
      but[2] = triples[k + 2];
      this.meet(triples[k + 2]);
    }
  }

  private addExtremes(): void {
    const { mixedPairs, coefficients: c } = this.system;
    const { planes, but } = this;
    but[2] = -1;
    for (let k = 0; k < mixedPairs.length; k += 2) {
      const s = mixedPairs[k];
      const q = mixedPairs[k + 1];
      planes[0] = 2 * c.linear[3 * s];
      planes[1] = 2 * c.linear[3 * s + 1];
      planes[2] = 2 * c.linear[3 * s + 2];
      planes[3] = c.constant[s];
      // along t = n × û = (0, n_w, −n_v)
      const ty = planes[2];
      const tz = -planes[1];
      const m = 6 * q;
      planes[4] = c.matrix[m + 3] * ty + c.matrix[m + 4] * tz;
      planes[5] = c.matrix[m + 1] * ty + c.matrix[m + 5] * tz;
      planes[6] = c.matrix[m + 5] * ty + c.matrix[m + 2] * tz;
      planes[7] = c.linear[3 * q + 1] * ty + c.linear[3 * q + 2] * tz;
      but[0] = s;
      but[1] = q;
      this.meet(q);
    }
  }

  /** Tests the points in which the line of `planes` meets surface s. */
  private meet(s: number): void {
    const { planes: p, line, point } = this;
    const dx = p[1] * p[6] - p[2] * p[5];
    const dy = p[2] * p[4] - p[0] * p[6];
    const dz = p[0] * p[5] - p[1] * p[4];
    const square = dx * dx + dy * dy + dz * dz;
    const size = p[4] * p[4] + p[5] * p[5] + p[6] * p[6];
    if (!(square > 1e-22 * size)) return;
    // foot = (d_a (d × n_b) + d_b (n_a × d))/|d|², with n·p = −d
    const fa = p[3] / square;
    const fb = p[7] / square;
    line[0] = fa * (p[5] * dz - p[6] * dy) - fb * (p[1] * dz - p[2] * dy);
    line[1] = fa * (p[6] * dx - p[4] * dz) - fb * (p[2] * dx - p[0] * dz);
    line[2] = fa * (p[4] * dy - p[5] * dx) - fb * (p[0] * dy - p[1] * dx);
    line[0] = -line[0];
    line[1] = -line[1];
    line[2] = -line[2];
    const scale = 1 / Math.sqrt(square);
    const x = dx * scale;
    const y = dy * scale;
    const z = dz * scale;
    const { matrix, linear, constant } = this.system.coefficients;
    const m = 6 * s;
    const v = 3 * s;
    const ex = matrix[m] * x + matrix[m + 3] * y + matrix[m + 4] * z;
    const ey = matrix[m + 3] * x + matrix[m + 1] * y + matrix[m + 5] * z;
    const ez = matrix[m + 4] * x + matrix[m + 5] * y + matrix[m + 2] * z;
    const fx = line[0];
    const fy = line[1];
    const fz = line[2];
    const lx = linear[v];
    const ly = linear[v + 1];
    const lz = linear[v + 2];
    const a = x * ex + y * ey + z * ez;
    const b = fx * ex + fy * ey + fz * ez + lx * x + ly * y + lz * z;
    const c =
      fx * (matrix[m] * fx + 2 * (matrix[m + 3] * fy + matrix[m + 4] * fz + lx)) +
      fy * (matrix[m + 1] * fy + 2 * (matrix[m + 5] * fz + ly)) +
      fz * (matrix[m + 2] * fz + 2 * lz) +
      constant[s];
    const under = b * b - a * c;
    // a touch of the line counts, even when rounding separates it
    const root = under > 0 ? Math.sqrt(under) : 0;
    if (under < -1e-12 * b * b) return;
    const sum = b < 0 ? root - b : -root - b;
    if (a !== 0) {
      const t = sum / a;
      point[0] = fx + t * x;
      point[1] = fy + t * y;
      point[2] = fz + t * z;
      this.test();
    }
    if (sum !== 0) {
      const t = c / sum;
      point[0] = fx + t * x;
      point[1] = fy + t * y;
      point[2] = fz + t * z;
      this.test();
    }
  }

  /** Sorts, and makes one of equals. */
  private sort(): void {
    const { events, rooted } = this;
    for (let k = 1; k < this.count; k++) {
      const value = events[k];
      const mark = rooted[k];
      let at = k;
      while (at > 0 && events[at - 1] > value) {
        events[at] = events[at - 1];
        rooted[at] = rooted[at - 1];
        at--;
      }
      events[at] = value;
      rooted[at] = mark;
    }
    const least = SAME * (this.range[1] - this.range[0]);
    let kept = 1;
    for (let k = 1; k < this.count; k++) {
      if (events[k] - events[kept - 1] > least) {
        rooted[kept] = rooted[k];
        events[kept++] = events[k];
      } else if (rooted[k] === 1) {
        rooted[kept - 1] = 1;
      }
    }
    this.count = kept;
  }

  private search(): void {
    const { slice, events } = this;
    const { input } = slice;
    const known = this.count;
    this.mark = 1;
    for (let k = 1; k < known; k++) {
      const from = events[k - 1];
      const width = events[k] - from;
      let before = 0;
      let last = from;
      for (let n = 0; n < LOOKS; n++) {
        const t = (n + 0.02) / (LOOKS - 0.96);
        const u = from + width * t * t * (3 - 2 * t);
        if (n > 0) {
          for (let k = 0; k < this.lookCount; k++) {
            const place = this.looks[k];
            if (place > last && place < u) {
              before = this.close(last, place, before);
              last = place;
            }
          }
          before = this.close(last, u, before);
        } else {
          input[U] = u;
          slice.find();
          before = slice.signature;
        }
        last = u;
      }
    }
    if (this.count > known) this.sort();
  }

  /** Adds the places between two slices at which the crossings change, one after the other; the crossings at `to`. */
  private close(from: number, to: number, first: number): number {
    const { slice, point } = this;
    const { input } = slice;
    input[U] = to;
    slice.find();
    const last = slice.signature;
    let low = from;
    let before = first;
    for (let change = 0; change < CHANGES && before !== last; change++) {
      let high = to;
      let after = last;
      for (let step = 0; step < HALVINGS; step++) {
        const mid = 0.5 * (low + high);
        input[U] = mid;
        slice.find();
        if (slice.signature === before) {
          low = mid;
        } else {
          high = mid;
          after = slice.signature;
        }
      }
      point[0] = 0.5 * (low + high);
      this.add();
      low = high;
      before = after;
    }
    return last;
  }
}
