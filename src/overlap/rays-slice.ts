/**
 * A plane u = const through the overlap: break points v_0 < v_1 < … where the surface that a line
 * along w meets can change, and Gauss sums between them. In the slice each surface is a conic
 *
 *   α v² + 2 β v w + γ w² + 2 δ v + 2 ε w + ζ <= 0                                                                     (1)
 *
 * Break points are where two conics cross (two lines: linear; line and conic: quadratic; two
 * conics: the quartic resultant (2)), where a conic is upright, (β v + ε)² = γ (α v² + 2 δ v + ζ),
 * and where a line is. With q_k = γ_k w² + 2 b_k w + c_k for fixed v
 *
 *   (γ_1 c_2 − γ_2 c_1)² = 4 (γ_1 b_2 − γ_2 b_1)(b_1 c_2 − b_2 c_1)                                                     (2)
 *
 * Only crossings on the overlap count. Between break points all ends of intervals are analytic in
 * v, except for square roots at the upright places of their conics. These lie at a break point or
 * beyond it, and rays-rule.ts removes them.
 */
import { CONE } from '../shapes/ray-surfaces.ts';
import { RayIntervals } from '../shapes/ray-intervals.ts';
import { QuarticRoots } from './rays-roots.ts';
import type { EndRule } from './rays-rule.ts';
import type { RaySystem } from './rays-system.ts';

/** Sums over the overlap, in axes (u, v, w). */
export const SUM = {
  volume: 0,
  /** ∫ u, v, w. */
  first: 1,
  /** ∫ uu, vv, ww, uv, uw, vw. */
  second: 4,
  /** Vector area of the owner's surface. */
  area: 10,
  /** Its area without signs. */
  surface: 13,
} as const;
export const SUM_SIZE = 14;

/** A surface of the owner closer than this to upright is treated as upright in the vector area. */
const UPRIGHT = 1e-7;
/** Crossings of lines closer to parallel than this are left out. */
const PARALLEL = 1e-14;
/** Distance from an upright surface at which its two sides are sampled, relative to the range of v. */
const ASIDE = 1e-10;

/** Cells of the slice: u, weight of the slice, range of v, w of the middle, and half of the range of w. */
export const U = 0;
export const WEIGHT = 1;
export const LOW_V = 2;
export const HIGH_V = 3;

/** Break points and sums of one slice. */
export class RaySlice {
  /** See U, WEIGHT, LOW_V, HIGH_V. */
  readonly input: Float64Array = new Float64Array(4);
  readonly intervals: RayIntervals;
  /** Break points, rising. */
  readonly breaks: Float64Array;
  count = 0;
  /** Tells which crossings there are. */
  signature = 0;
  /** Length of the line that was cast last. */
  readonly length: Float64Array = new Float64Array(1);
  private readonly system: RaySystem;
  private readonly owner: number;
  private readonly al: Float64Array;
  private readonly be: Float64Array;
  private readonly de: Float64Array;
  private readonly ep: Float64Array;
  private readonly ze: Float64Array;
  private readonly ga: Float64Array;
  private readonly cones: Int32Array;
  private readonly quartic: QuarticRoots = new QuarticRoots();
  private readonly line: Float64Array = new Float64Array(2);
  private readonly point: Float64Array = new Float64Array(3);
  private readonly but: Int32Array = Int32Array.of(-1, -1, -1);
  private readonly roots: Float64Array = new Float64Array(2);
  private readonly abc: Float64Array = new Float64Array(3);
  /** Upright places of each conic, left and right. */
  private readonly upright: Float64Array;

  /** @param owner the cell whose surface gives the vector area */
  constructor(system: RaySystem, owner: number) {
    const { size, table } = system;
    this.system = system;
    this.owner = owner;
    this.intervals = new RayIntervals(table);
    this.al = new Float64Array(size);
    this.be = new Float64Array(size);
    this.de = new Float64Array(size);
    this.ep = new Float64Array(size);
    this.ze = new Float64Array(size);
    this.ga = new Float64Array(size);
    this.upright = new Float64Array(2 * size);
    this.cones = Int32Array.from(
      table.surfaces.flatMap(({ kind }, s) => (kind === CONE ? [s] : [])),
    );
    const most =
      system.planePairs.length +
      2 * system.mixedPairs.length +
      8 * system.quadricPairs.length +
      4 * size;
    this.breaks = new Float64Array(most + 2);
  }

  /** Computes the conics (1) and the break points for input[U]. @alloc none */
  find(): void {
    const { matrix, linear, constant } = this.system.coefficients;
    const u = this.input[U];
    for (let s = 0; s < this.system.size; s++) {
      const v = 3 * s;
      const m = 6 * s;
      this.al[s] = matrix[m + 1];
      this.be[s] = matrix[m + 5];
      this.ga[s] = matrix[m + 2];
      this.de[s] = linear[v + 1] + matrix[m + 3] * u;
      this.ep[s] = linear[v + 2] + matrix[m + 4] * u;
      this.ze[s] = constant[s] + u * (2 * linear[v] + matrix[m] * u);
    }
    this.count = 0;
    this.signature = 0;
    this.point[0] = u;
    this.findUpright();
    this.crossLines();
    this.crossMixed();
    this.crossConics();
    this.sort();
  }

  private add(): void {
    const v = this.point[1];
    if (v > this.input[LOW_V] && v < this.input[HIGH_V]) this.breaks[this.count++] = v;
  }

  /** Adds the point when it is on the overlap. */
  private test(pair: number): void {
    const v = this.point[1];
    if (!(v > this.input[LOW_V] && v < this.input[HIGH_V])) return;
    if (!this.system.holds(this.point, this.but)) return;
    this.breaks[this.count++] = v;
    if (pair >= 0) this.signature = (this.signature + (Math.imul(pair + 1, 0x9e3779b1) << 1)) | 0;
    this.signature |= 1;
  }

  private findUpright(): void {
    const { al, be, ga, de, ep, ze, but, point, roots, upright, abc } = this;
    but[1] = -1;
    for (let s = 0; s < this.system.table.surfaces.length; s++) {
      but[0] = s;
      upright[2 * s] = Number.NEGATIVE_INFINITY;
      upright[2 * s + 1] = Number.POSITIVE_INFINITY;
      if (this.system.plane[s] === 1) {
        if (Math.abs(ep[s]) > 0.5 * UPRIGHT || de[s] === 0) continue;
        point[1] = -ze[s] / (2 * de[s]);
        this.add();
        continue;
      }
      const g = ga[s];
      if (g === 0) {
        if (be[s] !== 0) {
          point[1] = -ep[s] / be[s];
          this.add();
          continue;
        }
        abc[0] = al[s];
        abc[1] = de[s];
        abc[2] = ze[s];
        const count = quadratic(abc, roots);
        for (let k = 0; k < count; k++) {
          point[1] = roots[k];
          this.add();
        }
        continue;
      }
      abc[0] = be[s] * be[s] - g * al[s];
      abc[1] = be[s] * ep[s] - g * de[s];
      abc[2] = ep[s] * ep[s] - g * ze[s];
      const count = quadratic(abc, roots);
      for (let k = 0; k < count; k++) {
        point[1] = roots[k];
        point[2] = -(be[s] * roots[k] + ep[s]) / g;
        this.test(-1);
      }
      if (count === 2) {
        upright[2 * s] = roots[0] < roots[1] ? roots[0] : roots[1];
        upright[2 * s + 1] = roots[0] < roots[1] ? roots[1] : roots[0];
      } else if (count === 1) {
        // a parabola
        upright[2 * s] = upright[2 * s + 1] = roots[0];
      }
    }
  }

  private crossLines(): void {
    const { de, ep, ze, but, point } = this;
    const pairs = this.system.planePairs;
    for (let k = 0; k < pairs.length; k += 2) {
      const a = pairs[k];
      const b = pairs[k + 1];
      const det = 2 * (de[a] * ep[b] - de[b] * ep[a]);
      if (Math.abs(det) < PARALLEL) continue;
      but[0] = a;
      but[1] = b;
      point[1] = (ep[a] * ze[b] - ep[b] * ze[a]) / det;
      point[2] = (de[b] * ze[a] - de[a] * ze[b]) / det;
      this.test(k);
    }
  }

  private crossMixed(): void {
    const { al, be, ga, de, ep, ze, but, point, roots, abc } = this;
    const pairs = this.system.mixedPairs;
    const base = this.system.planePairs.length;
    for (let k = 0; k < pairs.length; k += 2) {
      const a = pairs[k];
      const b = pairs[k + 1];
      but[0] = a;
      but[1] = b;
      const square = 4 * (de[a] * de[a] + ep[a] * ep[a]);
      if (square < PARALLEL) continue;
      // foot of the origin on the line, and its direction
      const scale = 1 / square;
      const fv = -2 * de[a] * ze[a] * scale;
      const fw = -2 * ep[a] * ze[a] * scale;
      const root = Math.sqrt(scale);
      const dv = -2 * ep[a] * root;
      const dw = 2 * de[a] * root;
      const mv = al[b] * dv + be[b] * dw;
      const mw = be[b] * dv + ga[b] * dw;
      abc[0] = dv * mv + dw * mw;
      abc[1] = fv * mv + fw * mw + dv * de[b] + dw * ep[b];
      abc[2] = fv * (al[b] * fv + 2 * (be[b] * fw + de[b])) + fw * (ga[b] * fw + 2 * ep[b]) + ze[b];
      const count = quadratic(abc, roots);
      for (let n = 0; n < count; n++) {
        point[1] = fv + roots[n] * dv;
        point[2] = fw + roots[n] * dw;
        this.test(base + k);
      }
    }
  }

  private crossConics(): void {
    const { al, be, ga, de, ep, ze, but, point, roots, quartic, abc } = this;
    const pairs = this.system.quadricPairs;
    if (pairs.length === 0) return;
    const base = this.system.planePairs.length + this.system.mixedPairs.length;
    const mid = 0.5 * (this.input[LOW_V] + this.input[HIGH_V]);
    const half = 0.5 * (this.input[HIGH_V] - this.input[LOW_V]);
    const c = quartic.coefficients;
    for (let k = 0; k < pairs.length; k += 2) {
      const a = pairs[k];
      const b = pairs[k + 1];
      but[0] = a;
      but[1] = b;
      // c_k and b_k of both as polynomials of x, v = mid + half x
      const a0 = ze[a] + mid * (2 * de[a] + al[a] * mid);
      const a1 = 2 * half * (de[a] + al[a] * mid);
      const a2 = half * half * al[a];
      const b0 = ze[b] + mid * (2 * de[b] + al[b] * mid);
      const b1 = 2 * half * (de[b] + al[b] * mid);
      const b2 = half * half * al[b];
      const p0 = ep[a] + be[a] * mid;
      const p1 = half * be[a];
      const r0 = ep[b] + be[b] * mid;
      const r1 = half * be[b];
      const f0 = ga[a] * b0 - ga[b] * a0;
      const f1 = ga[a] * b1 - ga[b] * a1;
      const f2 = ga[a] * b2 - ga[b] * a2;
      const g0 = 4 * (ga[a] * r0 - ga[b] * p0);
      const g1 = 4 * (ga[a] * r1 - ga[b] * p1);
      const h0 = p0 * b0 - r0 * a0;
      const h1 = p0 * b1 + p1 * b0 - r0 * a1 - r1 * a0;
      const h2 = p0 * b2 + p1 * b1 - r0 * a2 - r1 * a1;
      const h3 = p1 * b2 - r1 * a2;
      c[0] = f0 * f0 - g0 * h0;
      c[1] = 2 * f0 * f1 - g0 * h1 - g1 * h0;
      c[2] = f1 * f1 + 2 * f0 * f2 - g0 * h2 - g1 * h1;
      c[3] = 2 * f1 * f2 - g0 * h3 - g1 * h2;
      c[4] = f2 * f2 - g1 * h3;
      quartic.solve();
      for (let n = 0; n < quartic.count; n++) {
        const v = mid + half * quartic.roots[n];
        abc[0] = ga[a];
        abc[1] = be[a] * v + ep[a];
        abc[2] = v * (al[a] * v + 2 * de[a]) + ze[a];
        const count = quadratic(abc, roots);
        point[1] = v;
        const before = this.count;
        for (let m = 0; m < count; m++) {
          point[2] = roots[m];
          // of the two points of the first conic the second must pass through one, or both
          const w = roots[m];
          const q = v * (al[b] * v + 2 * (be[b] * w + de[b])) + w * (ga[b] * w + 2 * ep[b]) + ze[b];
          if (Math.abs(q) <= 1e4 * this.system.slack[b]) this.test(base + k);
        }
        if (this.count > before + 1) this.count = before + 1;
      }
    }
  }

  private sort(): void {
    const { breaks } = this;
    breaks[this.count++] = this.input[LOW_V];
    breaks[this.count++] = this.input[HIGH_V];
    for (let k = 1; k < this.count; k++) {
      const value = breaks[k];
      let at = k;
      while (at > 0 && breaks[at - 1] > value) {
        breaks[at] = breaks[at - 1];
        at--;
      }
      breaks[at] = value;
    }
  }

  /** Casts the line at v = line[0]; its total length goes to `length`. @alloc none */
  private cast(): void {
    const { intervals, al, be, ga, de, ep, ze } = this;
    const { gamma, beta, rest } = intervals;
    const v = this.line[0];
    for (let s = 0; s < gamma.length; s++) {
      gamma[s] = ga[s];
      beta[s] = be[s] * v + ep[s];
      rest[s] = v * (al[s] * v + 2 * de[s]) + ze[s];
    }
    if (this.cones.length > 0) {
      const { nappe } = this.system.coefficients;
      const u = this.input[U];
      for (const s of this.cones) {
        const n = 4 * s;
        intervals.nappe[s] = nappe[n] + nappe[n + 1] * u + nappe[n + 2] * v;
        intervals.nappeSlope[s] = nappe[n + 3];
      }
    }
    intervals.run();
    let length = 0;
    for (let k = 0; k < intervals.count; k++) length += intervals.to[k] - intervals.from[k];
    this.length[0] = length;
  }

  /** Whether the slice meets the overlap. Call `find` first. @alloc none */
  any(): boolean {
    const { breaks, line } = this;
    for (let k = 1; k < this.count; k++) {
      line[0] = 0.5 * (breaks[k - 1] + breaks[k]);
      this.cast();
      if (this.intervals.count > 0) return true;
    }
    return false;
  }

  /** Adds the sums of the slice, times input[WEIGHT]; with the vector area when `areas`. Needs `find`. @alloc none */
  integrate(rule: EndRule, sums: Float64Array, areas: boolean): void {
    const { breaks, line, intervals, input } = this;
    const { nodes, weights, ends } = rule;
    const u = input[U];
    const range = input[HIGH_V] - input[LOW_V];
    for (let k = 1; k < this.count; k++) {
      const from = breaks[k - 1];
      const width = breaks[k] - from;
      if (!(width > 1e-15 * range)) continue;
      line[0] = from + 0.5 * width;
      this.cast();
      if (intervals.count === 0) continue;
      ends[0] = from;
      ends[1] = breaks[k];
      ends[2] = Number.NEGATIVE_INFINITY;
      ends[3] = Number.POSITIVE_INFINITY;
      for (let m = 0; m < intervals.count; m++) {
        this.narrow(ends, intervals.fromSurface[m]);
        this.narrow(ends, intervals.toSurface[m]);
      }
      rule.fill();
      for (let n = 0; n < rule.count; n++) {
        const v = nodes[n];
        line[0] = v;
        this.cast();
        const weight = input[WEIGHT] * weights[n];
        for (let m = 0; m < intervals.count; m++) {
          const length = intervals.to[m] - intervals.from[m];
          const mid = intervals.from[m] + 0.5 * length;
          const l = weight * length;
          sums[SUM.volume] += l;
          sums[SUM.first] += l * u;
          sums[SUM.first + 1] += l * v;
          sums[SUM.first + 2] += l * mid;
          sums[SUM.second] += l * u * u;
          sums[SUM.second + 1] += l * v * v;
          sums[SUM.second + 2] += l * (mid * mid + (length * length) / 12);
          sums[SUM.second + 3] += l * u * v;
          sums[SUM.second + 4] += l * u * mid;
          sums[SUM.second + 5] += l * v * mid;
          if (areas) {
            line[1] = weight;
            this.addArea(sums, intervals.fromSurface[m], intervals.from, m);
            this.addArea(sums, intervals.toSurface[m], intervals.to, m);
          }
        }
      }
    }
    if (areas) this.addUpright(sums);
  }

  /** Records the upright places of a surface, which lie outside the interval up to rounding. */
  private narrow(ends: Float64Array, s: number): void {
    if (s < 0 || this.system.plane[s] === 1) return;
    const mid = 0.5 * (ends[0] + ends[1]);
    for (let k = 0; k < 2; k++) {
      const at = this.upright[2 * s + k];
      if (at < mid) {
        const left = at < ends[0] ? at : ends[0];
        if (left > ends[2]) ends[2] = left;
      } else {
        const right = at > ends[1] ? at : ends[1];
        if (right < ends[3]) ends[3] = right;
      }
    }
  }

  /** Area element at one end of an interval: n/|n_w| of the owner's surface. */
  private addArea(sums: Float64Array, s: number, ends: Float64Array, m: number): void {
    const { table, coefficients, plane } = this.system;
    if (s < 0 || table.cellOf[s] !== this.owner) return;
    const v = this.line[0];
    const w = ends[m];
    const gw = this.be[s] * v + this.ga[s] * w + this.ep[s];
    if (plane[s] === 1 && Math.abs(gw) <= 0.5 * UPRIGHT) return;
    const gv = this.al[s] * v + this.be[s] * w + this.de[s];
    const { matrix, linear } = coefficients;
    const o = 6 * s;
    const gu = matrix[o] * this.input[U] + matrix[o + 3] * v + matrix[o + 4] * w + linear[3 * s];
    const size = Math.abs(gw);
    if (size === 0) return;
    const scale = (table.signOf[s] * this.line[1]) / size;
    sums[SUM.area] += scale * gu;
    sums[SUM.area + 1] += scale * gv;
    sums[SUM.area + 2] += scale * gw;
    sums[SUM.surface] += Math.abs(scale) * Math.sqrt(gu * gu + gv * gv + gw * gw);
  }

  /** Upright surfaces of the owner, which no line meets: their height is the jump of the length across them. */
  private addUpright(sums: Float64Array): void {
    const { al, be, ga, de, ep, ze, roots, line, length, input, abc } = this;
    const { table, plane, coefficients } = this.system;
    const { matrix, linear } = coefficients;
    const aside = ASIDE * (input[HIGH_V] - input[LOW_V]);
    for (let s = 0; s < table.surfaces.length; s++) {
      if (table.cellOf[s] !== this.owner) continue;
      let count = 0;
      if (plane[s] === 1) {
        if (Math.abs(ep[s]) > 0.5 * UPRIGHT || Math.abs(de[s]) <= 0.5 * UPRIGHT) continue;
        roots[0] = -ze[s] / (2 * de[s]);
        count = 1;
      } else {
        if (ga[s] !== 0 || be[s] !== 0 || ep[s] !== 0) continue;
        abc[0] = al[s];
        abc[1] = de[s];
        abc[2] = ze[s];
        count = quadratic(abc, roots);
      }
      for (let k = 0; k < count; k++) {
        const v = roots[k];
        if (!(v > input[LOW_V] - aside && v < input[HIGH_V] + aside)) continue;
        line[0] = v - aside;
        this.cast();
        let jump = length[0];
        line[0] = v + aside;
        this.cast();
        jump -= length[0];
        if (jump === 0) continue;
        const gv = al[s] * v + de[s];
        const gu = matrix[6 * s] * input[U] + matrix[6 * s + 3] * v + linear[3 * s];
        const part = (input[WEIGHT] * jump) / gv;
        sums[SUM.area] += part * gu;
        sums[SUM.area + 1] += part * gv;
        sums[SUM.surface] += Math.abs(part) * Math.sqrt(gu * gu + gv * gv);
      }
    }
  }
}

/** Real roots of a x² + 2 b x + c, `abc`, into `out`, in no order; their number. A double root counts once. */
function quadratic(abc: Float64Array, out: Float64Array): number {
  const a = abc[0];
  const b = abc[1];
  const c = abc[2];
  const square = b * b - a * c;
  if (!(square >= 0)) return 0;
  const sum = b < 0 ? Math.sqrt(square) - b : -Math.sqrt(square) - b;
  let count = 0;
  if (a !== 0) out[count++] = sum / a;
  if (sum !== 0 && square > 0) out[count++] = c / sum;
  return count;
}
