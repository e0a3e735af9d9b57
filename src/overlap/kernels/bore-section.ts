/**
 * Sections across the axis of a round body in a bore: the part of a disc outside an ellipse, by rays from the centre of the disc.
 *
 * Axes (t, n, a): a along the body, b = c a + s t along the bore with c >= 0, n across both. A point of the section at z has the
 * distance from the axis of the bore
 *
 *   d² = (c u − k)² + (v − v_0)²,   k = m_0 + s z                                                                     (1)
 *
 * and lies in the wall where d > R. At the angle ψ from t, a ray from the centre enters the wall at the larger root t_1 of
 *
 *   A t² − 2 β t − γ = 0,   A = 1 − s² cos² ψ,   β = c k cos ψ + v_0 sin ψ,   γ = R² − k² − v_0²                       (2)
 *
 * With q = A r² − 2 β r − γ, which is d² − R² on the rim, and D = β² + A γ the way in the wall is, without a difference of lengths,
 *
 *   δ = r − t_1 = q/(A r − β + √D)                                                                                    (3)
 *
 * Moments along the ray are powers of δ, measured from the rim. They vanish linearly where q does, so that Gauss–Legendre over an arc of the
 * rim converges geometrically as long as the centre is inside (γ > 0). With x = tan(θ/2) from the middle of an arc no angle is computed at
 * a node. The vector area of the wall, out of the material, is
 *
 *   −∫ (t_1/√D) (c w, t_1 sin ψ − v_0, −s w) dψ dz,   w = c t_1 cos ψ − k                                             (4)
 *
 * The rim is farthest out at ψ*, the only root in its quadrant of a function that falls there,
 *
 *   |v_0| cos ψ − c |k| sin ψ + s² r sin ψ cos ψ = 0                                                                   (5)
 *
 * and with τ = tan((ψ − ψ*)/2), q (1 + τ²)² = q* + p_2 τ² + p_3 τ³ + p_4 τ⁴. Its turning points are 0 and the roots of a quadratic:
 * between them there is at most one end of an arc each.                                                              (6)
 */
import { gaussLegendre } from '../../math/quadrature.ts';
import { ANGLE, sinCos } from '../../math/elementary/circular.ts';
import { atan2 } from '../../math/elementary/inverse-circular.ts';

/** Slots of the pose: c, s, v_0, m_0, R; height of the origin of the bore along b, and 1 or −1 where b is its own axis or against it. */
export const BORE = {
  cosine: 0,
  sine: 1,
  across: 2,
  along: 3,
  radius: 4,
  height: 5,
  sense: 6,
} as const;
/**
 * Slots of a section: z, r, their derivatives by the variable of the sections, that of v_0, and the thickness of a section by it;
 * out: q*, its derivative, γ.
 */
export const DISC = {
  height: 0,
  radius: 1,
  heightRate: 2,
  radiusRate: 3,
  excess: 4,
  excessRate: 5,
  inside: 6,
  acrossRate: 7,
  thickness: 8,
  size: 9,
} as const;
/** Slots of the sums, about a point of the overlap: V, first and second moments, vector area. */
export const BORE_SUM = { volume: 0, first: 1, second: 4, area: 10 } as const;
const SUM_SIZE = 13;

const RULE = gaussLegendre(12);
/** Longest arc of one rule: what twelve nodes leave of 1/(1 + x²) over it is 1e-13. */
const LONGEST = (2 * Math.PI) / 3;
/** Arcs up to this length take eight nodes, which leave 1e-14. */
const SHORT_RULE = gaussLegendre(8);
const SHORT = 1;
/** Largest error of ψ*, rad: q* is stationary there. */
const STILL = 1e-9;
const MOST_STEPS = 60;
const TURN = 2 * Math.PI;

/** Sections of one body and one bore. Fill `pose` and `disc`, `locate`, then `add`. Allocates in its constructor only. */
export class BoreSection {
  readonly pose: Float64Array = new Float64Array(7);
  readonly disc: Float64Array = new Float64Array(DISC.size);
  readonly sums: Float64Array = new Float64Array(SUM_SIZE);
  /** Point from which moments are taken: u, v, z. */
  readonly reference: Float64Array = new Float64Array(3);
  /** cos ψ*, sin ψ*. */
  readonly deepest: Float64Array = new Float64Array(2);
  /** q* and p_2 to p_4, with p_1 = 0. */
  readonly #quartic = new Float64Array(5);
  /** Turning points of one side. */
  readonly #turns = new Float64Array(2);
  /** Bracket and root of `#solve`. */
  readonly #bracket = new Float64Array(3);
  /** Ends of arcs, from ψ* on, rad; their number in `endCount`. */
  readonly ends: Float64Array = new Float64Array(8);
  readonly endCount: Int32Array = new Int32Array(1);

  clear(): void {
    for (let k = 0; k < SUM_SIZE; k++) this.sums[k] = 0;
  }

  /** Puts the reference on the rim where it is farthest out. */
  refer(): void {
    const r = this.disc[DISC.radius];
    this.reference[0] = r * this.deepest[0];
    this.reference[1] = r * this.deepest[1];
    this.reference[2] = this.disc[DISC.height];
  }

  /** Finds where the rim is farthest out: (5), q*, its derivative and γ. */
  locate(): void {
    const { pose, disc } = this;
    const c = pose[BORE.cosine];
    const s = pose[BORE.sine];
    const bore = pose[BORE.radius];
    const r = disc[DISC.radius];
    const x = -(pose[BORE.along] + s * disc[DISC.height]);
    const y = -pose[BORE.across];
    const ax = Math.abs(x);
    const ay = Math.abs(y);
    const bend = r * s * s;
    // the quarter from (1, 0) to (0, 1) is narrowed
    let lowC = 1;
    let lowS = 0;
    let highC = 0;
    let highS = 1;
    let length = Math.sqrt(c * c * ax * ax + (ay + bend) * (ay + bend));
    let cos = length > 0 ? (c * ax) / length : 1;
    let sin = length > 0 ? (ay + bend) / length : 0;
    for (let n = 0; n < MOST_STEPS; n++) {
      const value = ay * cos - c * ax * sin + bend * sin * cos;
      if (value > 0) {
        lowC = cos;
        lowS = sin;
      } else {
        highC = cos;
        highS = sin;
      }
      const slope = bend * (cos * cos - sin * sin) - c * ax * cos - ay * sin;
      const step = slope < 0 ? -value / slope : 2;
      const half = 0.5 * step;
      const scale = 1 / (1 + half * half);
      const nextC = (cos * (1 - half * half) - 2 * half * sin) * scale;
      const nextS = (sin * (1 - half * half) + 2 * half * cos) * scale;
      if (step < STILL && step > -STILL) break;
      // inside the bracket, and not a jump to another quarter
      if (
        step < 1 &&
        step > -1 &&
        nextS * lowC - nextC * lowS > 0 &&
        highS * nextC - highC * nextS > 0
      ) {
        cos = nextC;
        sin = nextS;
      } else {
        cos = lowC + highC;
        sin = lowS + highS;
        length = Math.sqrt(cos * cos + sin * sin);
        cos /= length;
        sin /= length;
      }
    }
    const far = ax + c * r * cos;
    const aside = ay + r * sin;
    const signX = x < 0 ? -1 : 1;
    const signY = y < 0 ? -1 : 1;
    this.deepest[0] = signX * cos;
    this.deepest[1] = signY * sin;
    const distance = Math.sqrt(far * far + aside * aside);
    disc[DISC.excess] = (distance - bore) * (distance + bore);
    const rate = disc[DISC.radiusRate];
    disc[DISC.excessRate] =
      2 * far * (c * rate * cos - signX * s * disc[DISC.heightRate]) +
      2 * aside * (rate * sin - signY * disc[DISC.acrossRate]);
    disc[DISC.inside] = bore * bore - x * x - y * y;
  }

  /** Finds the arcs of the located section: their number, 0 for a rim that is out all around. */
  findArcs(): number {
    const { pose, disc } = this;
    const p = this.#quartic;
    const count = this.endCount;
    const c = pose[BORE.cosine];
    const s = pose[BORE.sine];
    const r = disc[DISC.radius];
    const k = pose[BORE.along] + s * disc[DISC.height];
    const y = pose[BORE.across];
    const cos = this.deepest[0];
    const sin = this.deepest[1];
    const bend = s * s * r * r;
    const all = r * r - disc[DISC.inside];
    const g = y * sin + c * k * cos;
    p[0] = disc[DISC.excess];
    p[2] = 2 * all + 2 * bend * (cos * cos - 2 * sin * sin);
    p[3] = -8 * bend * cos * sin;
    p[4] = all - bend * cos * cos + 2 * r * g;
    count[0] = 0;
    this.#findSide();
    const first = count[0];
    p[3] = -p[3];
    this.#findSide();
    p[3] = -p[3];
    // the other side, backwards, as angles up to a whole turn
    const { ends } = this;
    const total = count[0];
    for (let i = first; i < total; i++) ends[i] = TURN - ends[i];
    for (let i = first, j = total - 1; i < j; i++, j--) {
      const keep = ends[i];
      ends[i] = ends[j];
      ends[j] = keep;
    }
    return total >> 1;
  }

  /** Adds the located section with the weight dz: its arcs were found. */
  add(weight: number): void {
    const { ends } = this;
    const total = this.endCount[0];
    if (total < 2) {
      this.#addArc(-Math.PI, Math.PI, weight);
      return;
    }
    this.#addArc(ends[total - 1] - TURN, ends[0], weight);
    if (total >= 4) this.#addArc(ends[1], ends[2], weight);
  }

  /** Appends the ends of arcs at τ > 0, as angles. */
  #findSide(): void {
    const p = this.#quartic;
    const turns = this.#turns;
    // 4 p_4 τ² + 3 p_3 τ + 2 p_2 = 0
    let found = 0;
    const a = 4 * p[4];
    const b = 1.5 * p[3];
    const d = b * b - 2 * a * p[2];
    if (d > 0) {
      const w = b >= 0 ? -b - Math.sqrt(d) : -b + Math.sqrt(d);
      const one = w === 0 ? 0 : (2 * p[2]) / w;
      const other = a === 0 ? 0 : w / a;
      const low = Math.min(one, other);
      const high = Math.max(one, other);
      if (low > 0) turns[found++] = low;
      if (high > 0) turns[found++] = high;
    }
    let from = 0;
    let positive = true;
    for (let i = 0; i < found; i++) {
      const to = turns[i];
      const value = p[0] + to * to * (p[2] + to * (p[3] + to * p[4]));
      if (value > 0 !== positive) {
        this.#solve(from, to, 0);
        positive = !positive;
      }
      from = to;
    }
    if (p[4] > 0 !== positive) this.#solve(from, 0, 1);
  }

  /** Root of the quartic between two τ, or beyond the first one by 1/τ, appended as an angle. */
  #solve(from: number, to: number, beyond: number): void {
    const p = this.#quartic;
    const bracket = this.#bracket;
    // a root beyond 1 is sought as 1/τ, where the numbers are reversed
    let reversed = beyond;
    if (beyond === 1 && from < 1) {
      const value = p[0] + p[2] + p[3] + p[4];
      const start = p[0] + from * from * (p[2] + from * (p[3] + from * p[4]));
      if (value > 0 !== start > 0) reversed = 0;
    }
    if (reversed === 1) {
      bracket[0] = from > 1 ? 1 / from : 1;
      bracket[1] = 0;
    } else {
      bracket[0] = from;
      bracket[1] = beyond === 1 ? 1 : to;
    }
    const e0 = reversed === 1 ? p[4] : p[0];
    const e1 = reversed === 1 ? p[3] : 0;
    const e2 = p[2];
    const e3 = reversed === 1 ? 0 : p[3];
    const e4 = reversed === 1 ? p[0] : p[4];
    let low = bracket[0];
    let high = bracket[1];
    const sign = e0 + low * (e1 + low * (e2 + low * (e3 + low * e4))) > 0;
    // from below a parabola: near touch it is the root
    let at = low === 0 && e2 < 0 && e1 === 0 ? Math.sqrt(-e0 / e2) : 0.5 * (low + high);
    const least = Math.min(low, high);
    const most = Math.max(low, high);
    if (!(at > least && at < most)) at = 0.5 * (low + high);
    for (let n = 0; n < MOST_STEPS; n++) {
      const value = e0 + at * (e1 + at * (e2 + at * (e3 + at * e4)));
      const slope = e1 + at * (2 * e2 + at * (3 * e3 + at * 4 * e4));
      if (value > 0 === sign) low = at;
      else high = at;
      let next = at - value / slope;
      const inside = low < high ? next > low && next < high : next > high && next < low;
      if (!inside) next = 0.5 * (low + high);
      const step = next - at;
      at = next;
      if (step < STILL * at && step > -STILL * at) break;
    }
    const { ends } = this;
    ends[this.endCount[0]] = reversed === 1 ? 2 * atan2(1, at) : 2 * atan2(at, 1);
    this.endCount[0]++;
  }

  /** Adds an arc of the rim, from ψ* + `from` to ψ* + `to`. */
  #addArc(from: number, to: number, weight: number): void {
    const pieces = Math.ceil((to - from) / LONGEST);
    const wide = (to - from) / pieces;
    for (let k = 0; k < pieces; k++) this.#addPiece(from + (k + 0.5) * wide, wide, weight);
  }

  #addPiece(middle: number, wide: number, weight: number): void {
    const { pose, disc, sums, reference } = this;
    const c = pose[BORE.cosine];
    const s = pose[BORE.sine];
    const y = pose[BORE.across];
    const r = disc[DISC.radius];
    const k = pose[BORE.along] + s * disc[DISC.height];
    const gamma = disc[DISC.inside];
    const excess = r * r - gamma;
    const square = s * s;
    const u0 = reference[0];
    const v0 = reference[1];
    ANGLE[0] = middle;
    let turn = sinCos();
    const cosine = this.deepest[0] * turn[1] - this.deepest[1] * turn[0];
    const sine = this.deepest[1] * turn[1] + this.deepest[0] * turn[0];
    ANGLE[0] = 0.25 * wide;
    turn = sinCos();
    const half = turn[0] / turn[1];
    const { nodes, weights } = wide > SHORT ? RULE : SHORT_RULE;
    let volume = 0;
    let fu = 0;
    let fv = 0;
    let uu = 0;
    let vv = 0;
    let uv = 0;
    let at = 0;
    let an = 0;
    for (let i = 0; i < nodes.length; i++) {
      const x = half * nodes[i];
      const scale = 1 / (1 + x * x);
      const c1 = (1 - x * x) * scale;
      const s1 = 2 * x * scale;
      const cos = cosine * c1 - sine * s1;
      const sin = sine * c1 + cosine * s1;
      const a = 1 - square * cos * cos;
      const beta = c * k * cos + y * sin;
      const q = excess - r * (square * r * cos * cos + 2 * beta);
      const root = Math.sqrt(beta * beta + a * gamma);
      const deep = q > 0 ? q / (a * r - beta + root) : 0;
      const w = 2 * half * weights[i] * scale;
      const n0 = w * deep * (r - 0.5 * deep);
      const n1 = w * deep * deep * (0.5 * r - deep / 3);
      const n2 = w * deep * deep * deep * (r / 3 - 0.25 * deep);
      const du = r * cos - u0;
      const dv = r * sin - v0;
      volume += n0;
      fu += du * n0 - cos * n1;
      fv += dv * n0 - sin * n1;
      uu += du * du * n0 + cos * (cos * n2 - 2 * du * n1);
      vv += dv * dv * n0 + sin * (sin * n2 - 2 * dv * n1);
      uv += du * dv * n0 - (du * sin + dv * cos) * n1 + cos * sin * n2;
      const t = r - deep;
      const surface = (w * t) / root;
      at += surface * (c * t * cos - k);
      an += surface * (t * sin - y);
    }
    const z = disc[DISC.height] - reference[2];
    const first = BORE_SUM.first;
    const second = BORE_SUM.second;
    const area = BORE_SUM.area;
    sums[BORE_SUM.volume] += weight * volume;
    sums[first] += weight * fu;
    sums[first + 1] += weight * fv;
    sums[first + 2] += weight * z * volume;
    sums[second] += weight * uu;
    sums[second + 1] += weight * vv;
    sums[second + 2] += weight * z * z * volume;
    sums[second + 3] += weight * uv;
    sums[second + 4] += weight * z * fu;
    sums[second + 5] += weight * z * fv;
    sums[area] -= weight * c * at;
    sums[area + 1] -= weight * an;
    sums[area + 2] += weight * s * at;
  }
}
