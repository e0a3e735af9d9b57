/**
 * A lower bound of the distance of two nodes of facet trees while the body A moves. A point of A leaves the chord between its places at the
 * start and at the end by no more than its deviation δ, so that
 *
 *   distance on the way >= distance(hull(A_start ∪ A_end), B) − δ
 *
 * In the frame of B, with the turns θ_A and θ_B, the travel d of A relative to B, ρ the distance of the node from the origin of A and D the
 * largest distance of both origins, the path y(s) of a point has |y''| <= 8 δ with
 *
 *   8 δ = (θ_A + θ_B)² ρ + β + 2 θ_B (|d| + β) + θ_B² D                (β: bend of both origins, body-path.ts)
 *   δ = ρ (1 − cos(θ_A/2))  where B does not turn and no origin bends
 *
 * Translation alone has δ = 0, and the swept hull of a convex node is exact. `LaFarge & Lewis 1998`; docs/theory/faceted.md.
 */
import { ANGLE, sinCos } from '../math/elementary/circular.ts';
import { BEND, type BodyPath, TURN } from './body-path.ts';
import type { FacetTree } from './facet-tree.ts';
import { Simplex } from './simplex.ts';

/** Most support points of a search, and the part of a distance that it may leave. */
const MOST_SUPPORTS = 40;
const CLOSE = 1e-9;
/** Largest turn of a chord that is worth its bound, rad. */
const HALF_TURN = Math.PI;

/** Slots of `motion`. */
const TURN_A = 0; //    θ_A, rad
const FLAT = 1; //      1 − cos(θ_A/2); 0 where the general bound holds
const CONSTANT = 2; //  part of 8 δ that no node changes, m
const PER_REACH = 3; // part of 8 δ per ρ, 1
const DEVIATION = 4; //  δ of the present node, m
const MOTION = 5;

/** Bounds of nodes of two trees over a motion. */
export class SweptBound {
  /** [the bound, m] */
  readonly bound: Float64Array = new Float64Array(1);
  /** Rotation of A into the frame of B, row by row, then its origin there, m: at the start and at the end. */
  private readonly start: Float64Array = new Float64Array(12);
  private readonly end: Float64Array = new Float64Array(12);
  private readonly motion: Float64Array = new Float64Array(MOTION);
  private readonly s: Float64Array = new Float64Array(1);
  private readonly middle: Float64Array = new Float64Array(6);
  private readonly simplex: Simplex = new Simplex();
  private readonly a: FacetTree;
  private readonly b: FacetTree;

  constructor(a: FacetTree, b: FacetTree) {
    this.a = a;
    this.b = b;
  }

  /** Takes the motions of both bodies. @alloc none */
  follow(a: BodyPath, b: BodyPath): void {
    const { motion, s, start, end } = this;
    s[0] = 0;
    writePlace(a, b, s, start);
    s[0] = 1;
    writePlace(a, b, s, end);
    const turnA = a.rates[TURN];
    const turnB = b.rates[TURN];
    const bend = a.rates[BEND] + b.rates[BEND];
    let travel = 0;
    let away = 0;
    for (let k = 0; k < 3; k++) {
      const d = a.travel[k] - b.travel[k];
      travel += d * d;
      away += start[9 + k] * start[9 + k];
    }
    const far = Math.sqrt(away) + Math.sqrt(travel) + bend;
    motion[TURN_A] = turnA;
    motion[FLAT] = 0;
    if (turnB === 0 && bend === 0 && turnA <= HALF_TURN) {
      ANGLE[0] = 0.25 * turnA;
      const half = sinCos()[0];
      motion[FLAT] = 2 * half * half;
    }
    motion[CONSTANT] = bend + 2 * turnB * (Math.sqrt(travel) + bend) + turnB * turnB * far;
    motion[PER_REACH] = (turnA + turnB) * (turnA + turnB);
  }

  /** Whether nothing turns: bounds of convex nodes are then their distances. */
  get exact(): boolean {
    return this.motion[CONSTANT] === 0 && this.motion[PER_REACH] === 0;
  }

  /** Bound of node i of A and node j of B over the motion; the search ends at enough[0]. @alloc none */
  compute(i: number, j: number, enough: Float64Array): void {
    const { a, b, bound, motion } = this;
    const reach = a.reaches[i];
    motion[DEVIATION] =
      motion[CONSTANT] === 0 && (motion[FLAT] > 0 || motion[TURN_A] === 0)
        ? reach * motion[FLAT]
        : 0.125 * (motion[CONSTANT] + motion[PER_REACH] * reach);
    bound[0] = -Infinity;
    this.compareSpheres(i, j);
    this.compareBoxes(i, j);
    const hulls =
      a.hullFirst[i + 1] > a.hullFirst[i] &&
      b.hullFirst[j + 1] > b.hullFirst[j] &&
      bound[0] - motion[DEVIATION] < enough[0];
    if (hulls) this.compareHulls(i, j, enough);
    bound[0] -= motion[DEVIATION];
  }

  /** Middle of node i of A less that of node j of B at the start and at the end: a ball that moves on a segment. */
  private compareSpheres(i: number, j: number): void {
    const { a, b, middle, start, end } = this;
    for (let k = 0; k < 3; k++) {
      middle[k] = -b.centers[3 * j + k];
      middle[3 + k] = middle[k];
    }
    addPoint(middle, 0, start, a.centers, 3 * i);
    addPoint(middle, 3, end, a.centers, 3 * i);
    let square = 0;
    let ahead = 0;
    for (let k = 0; k < 3; k++) {
      const e = middle[3 + k] - middle[k];
      square += e * e;
      ahead -= e * middle[k];
    }
    const t = square > 0 ? Math.min(1, Math.max(0, ahead / square)) : 0;
    let distance = 0;
    for (let k = 0; k < 3; k++) {
      const x = middle[k] + t * (middle[3 + k] - middle[k]);
      distance += x * x;
    }
    this.bound[0] = Math.sqrt(distance) - a.radii[i] - b.radii[j];
  }

  /** Along the axes of B. */
  private compareBoxes(i: number, j: number): void {
    const { a, b, middle, start, end, bound } = this;
    for (let k = 0; k < 3; k++) {
      let low = Infinity;
      let high = -Infinity;
      for (let e = 0; e < 2; e++) {
        const r = e === 0 ? start : end;
        let half = 0;
        for (let m = 0; m < 3; m++) half += Math.abs(r[3 * k + m]) * a.halves[3 * i + m];
        const x = middle[3 * e + k];
        if (x - half < low) low = x - half;
        if (x + half > high) high = x + half;
      }
      const own = b.halves[3 * j + k];
      if (low - own > bound[0]) bound[0] = low - own;
      if (-high - own > bound[0]) bound[0] = -high - own;
    }
  }

  /** The search of Gilbert, Johnson and Keerthi over hull(A_start ∪ A_end) − B, without the deviation. */
  private compareHulls(i: number, j: number, enough: Float64Array): void {
    const { simplex, middle, bound, motion } = this;
    const { normal, distance } = simplex;
    const { w } = simplex.vertices;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const x = middle[k] + middle[3 + k];
      square += x * x;
    }
    const length = Math.sqrt(square);
    for (let k = 0; k < 3; k++)
      normal[k] = length > 0 ? (middle[k] + middle[3 + k]) / length : k === 2 ? 1 : 0;
    simplex.count = 0;
    for (let n = 0; n < MOST_SUPPORTS; n++) {
      const at = simplex.count;
      this.support(i, j, at);
      const low = normal[0] * w[3 * at] + normal[1] * w[3 * at + 1] + normal[2] * w[3 * at + 2];
      if (low > bound[0]) bound[0] = low;
      if (bound[0] - motion[DEVIATION] >= enough[0]) return;
      if (at === 0) simplex.start();
      else {
        if (distance[0] - low <= CLOSE * distance[0]) return;
        simplex.count = at + 1;
        if (simplex.reduce() || !simplex.improved) return;
      }
      if (!(distance[0] > 0)) return;
    }
  }

  /** The point of hull(A_start ∪ A_end) − B that is lowest along the normal, into vertex `at` of the simplex. */
  private support(i: number, j: number, at: number): void {
    const { a, b, simplex, start, end } = this;
    const { normal: n } = simplex;
    const { w } = simplex.vertices;
    const v = a.facets.vertices;
    let least = Infinity;
    let p = 0;
    let ended = false;
    for (let e = 0; e < 2; e++) {
      const r = e === 0 ? start : end;
      const nx = r[0] * n[0] + r[3] * n[1] + r[6] * n[2];
      const ny = r[1] * n[0] + r[4] * n[1] + r[7] * n[2];
      const nz = r[2] * n[0] + r[5] * n[1] + r[8] * n[2];
      const base = r[9] * n[0] + r[10] * n[1] + r[11] * n[2];
      for (let k = a.hullFirst[i]; k < a.hullFirst[i + 1]; k++) {
        const o = 3 * a.hull[k];
        const h = base + nx * v[o] + ny * v[o + 1] + nz * v[o + 2];
        if (h >= least) continue;
        least = h;
        p = o;
        ended = e === 1;
      }
    }
    const u = b.facets.vertices;
    let most = -Infinity;
    let q = 0;
    for (let k = b.hullFirst[j]; k < b.hullFirst[j + 1]; k++) {
      const o = 3 * b.hull[k];
      const h = n[0] * u[o] + n[1] * u[o + 1] + n[2] * u[o + 2];
      if (h <= most) continue;
      most = h;
      q = o;
    }
    const r = ended ? end : start;
    for (let k = 0; k < 3; k++) w[3 * at + k] = -u[q + k];
    addPoint(w, 3 * at, r, v, p);
  }
}

/** out[o..] += the point x[at..] of A at a place, frame of B. */
function addPoint(
  out: Float64Array,
  o: number,
  r: Float64Array,
  x: Float64Array,
  at: number,
): void {
  for (let k = 0; k < 3; k++)
    out[o + k] += r[3 * k] * x[at] + r[3 * k + 1] * x[at + 1] + r[3 * k + 2] * x[at + 2] + r[9 + k];
}

/** Puts both bodies at s[0] and writes where A then is in the frame of B: rotation row by row, origin. @alloc none */
export function writePlace(a: BodyPath, b: BodyPath, s: Float64Array, out: Float64Array): void {
  a.place(s);
  b.place(s);
  const p = a.rotation;
  const q = b.rotation;
  for (let row = 0; row < 3; row++) {
    const x = q[row];
    const y = q[3 + row];
    const z = q[6 + row];
    for (let c = 0; c < 3; c++) out[3 * row + c] = x * p[c] + y * p[3 + c] + z * p[6 + c];
    out[9 + row] =
      x * (a.state[0] - b.state[0]) + y * (a.state[1] - b.state[1]) + z * (a.state[2] - b.state[2]);
  }
}
