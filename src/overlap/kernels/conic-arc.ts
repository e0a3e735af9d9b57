/**
 * Moments of the part of a plane between a chord and the arc of a quadric over it, and of a whole section.
 *
 * The chord runs from p to q, ends on Q = 0 (round-quadric.ts), with the middle m and the half T = (q − p)/2. In the plane of the unit
 * normal n, W = T × n points out of the region that is walked counter-clockwise. With Λ and the half gradient g of Q
 * at m, the direction conjugate to the chord is
 *
 *   E = W − (B/A) T,   A = TᵀΛT,   B = TᵀΛW,   C = EᵀΛE,   D = g·E                                                    (1)
 *
 * and Q(m + s T + u E) = A (s² − 1) + 2 D u + C u², so that the arc stands at
 *
 *   u(s) = A (1 − s²)/(D + √(D² + C A (1 − s²))),   −1 <= s <= 1                                                      (2)
 *
 * over the chord: for an ellipse (C > 0), a parabola (C = 0) and a hyperbola (C < 0) alike, without a difference when the arc is flat,
 * and without a division by a component of n. A plane along the axis has A → 0 and no segment. Moments, all even in s:
 *
 *   μ_ab = ∫∫ s^a u^b du ds = ∫ s^a u(s)^(b+1)/(b + 1) ds                                                             (3)
 *
 * With v = (C u + D)/√(C A) an ellipse is a circle of the radius ρ² = 1 + b², b = D/√(C A), over the chord v = b of half length 1, and its
 * moments about the chord, with the half angle θ = atan2(1, b) and H = ρ² θ − b, are
 *
 *   ∫ 1 = H,  ∫ v − b = 2/3 − b H,  ∫ (v − b)² = ρ² H/4 − 5 b/6 + b² H,  ∫ s² = ρ² H/4 − b/6,  ∫ s² (v − b) = 2/15 − b ∫ s²   (4)
 *   ∫ (v − b)³ = 4/15 + 2 b²/3 − 3 b (ρ² H/4 + b/2) + 2 b² − b³ H                                                      (5)
 *
 * with u = √(A/C) (v − b). They serve a cylinder where D² < 2.5 C A, also for more than half a section (D <= 0); a flatter arc loses
 * digits in them. It is summed by Gauss–Legendre, and so is every arc whose nodes other sums need, of a cone or a ball. u is analytic up to
 * s² = 1 + D²/(C A). With D² >= C A, and D² >= −2 C A for a hyperbola, 16 nodes leave (1 + √2)^−32 = 6e-13, 12 from D² = 2.5 |C| A on
 * 1e-13, 8 from 15 |C| A on 5e-15. From 1000 |C| A on, u is A (1 − s²)/(2 D) but for 1e-3, and 6 nodes leave 1e-14 of μ; they are taken
 * where nothing but μ is summed. Arcs that are thicker are divided at their middle, and those of a cone also where the distance from the axis,
 * by whose square its sums are divided, changes by more than 2. The measure of the plane is T × E ds du, which points against n here.
 */
import { DIRECTION, directions } from '../../math/elementary/inverse-circular.ts';
import { gaussLegendre } from '../../math/quadrature.ts';
import { QUADRIC, QUADRIC_SIZE } from './round-quadric.ts';

/** Slots of a flat patch: m, T, E, then μ with the sign of the measure T × E along n. */
export const PATCH = {
  middle: 0,
  along: 3,
  across: 6,
  m00: 9,
  m01: 10,
  m02: 11,
  m03: 12,
  m20: 13,
  m21: 14,
} as const;
export const PATCH_SIZE = 15;

/** Slots of an arc that is kept for extents: m, T, E, A, C, D. */
const KEPT = { square: 9, bend: 10, slope: 11 } as const;
export const KEPT_SIZE = 12;

/** 1 − s², s², twice the weight, and s of the nodes s > 0, four numbers each. */
function halfRule(count: number): Float64Array {
  const { nodes, weights } = gaussLegendre(count);
  const half = count / 2;
  return Float64Array.from(
    Array.from({ length: half }, (_, k) => nodes[half + k]).flatMap((s, k) => [
      (1 - s) * (1 + s),
      s * s,
      2 * weights[half + k],
      s,
    ]),
  );
}
const FLAT = halfRule(6);
const MODERATE = halfRule(8);
const ROUND = halfRule(12);
const THICK = halfRule(16);
/** D²/|C A| from which the smaller rules suffice. */
const FLAT_FROM = 1000;
const MODERATE_FROM = 15;
const ROUND_FROM = 2.5;
/** D²/(C A) of an arc of a quarter of a section is 1: it is not divided once more for rounding. */
const ROUND_LEAST = 0.98;
const HYPERBOLA_LEAST = 2;
/** Change of the square of the distance from the axis along an arc of a cone. */
const MOST_CHANGE = 4;
const MODERATE_CHANGE = 1.2;
/** Square of the length of a chord, relative to that of the radius, below which its ends are one point. */
const ONE_POINT = 1e-18;

/** Square of the sine between wall and plane, about, that is rounding. */
const ALONG_WALL = 1e-10;

/** What an arc turned out to be: without width, added, to be divided, more than half a section. */
export const ARC = { none: 0, done: 1, divide: 2, wide: 3 } as const;

/** Arcs of one quadric. */
export class ConicArcs {
  /** The last patch. */
  readonly patch: Float64Array = new Float64Array(PATCH_SIZE);
  /** Where an arc is to be divided. */
  readonly middle: Float64Array = new Float64Array(3);
  /** A, C and D of the last arc. */
  readonly form: Float64Array = new Float64Array(3);
  /** Whether an arc to come may be more than half a section; else `middle` is the middle of such a one, for a check. */
  wide = false;
  /** Nodes of the last arc. */
  rule: Float64Array = THICK;
  #quadric: Float64Array = new Float64Array(QUADRIC_SIZE);
  /** κ − k². */
  readonly #bend = new Float64Array(1);

  /** Takes the quadric of arcs to come. @alloc none */
  use(quadric: Float64Array): void {
    const slope = quadric[QUADRIC.slope];
    this.#quadric = quadric;
    this.#bend[0] = quadric[QUADRIC.ball] - slope * slope;
  }

  /**
   * Patch between the chord from the point `p` to `q` of `points` and its arc on the right, in the plane of the unit normal. With `last` it
   * is not divided. @alloc none
   */
  segment(points: Float64Array, p: number, q: number, normal: Float64Array, last: boolean): number {
    const { patch, form } = this;
    const quadric = this.#quadric;
    const kappa = this.#bend[0];
    const slope = quadric[QUADRIC.slope];
    const i = 3 * p;
    const j = 3 * q;
    const mx = 0.5 * (points[i] + points[j]);
    const my = 0.5 * (points[i + 1] + points[j + 1]);
    const mz = 0.5 * (points[i + 2] + points[j + 2]);
    const tx = 0.5 * (points[j] - points[i]);
    const ty = 0.5 * (points[j + 1] - points[i + 1]);
    const tz = 0.5 * (points[j + 2] - points[i + 2]);
    const nx = normal[0];
    const ny = normal[1];
    const nz = normal[2];
    const wx = ty * nz - tz * ny;
    const wy = tz * nx - tx * nz;
    const wz = tx * ny - ty * nx;
    const a = tx * tx + ty * ty + kappa * tz * tz;
    if (!(a > 0.25 * ONE_POINT * quadric[QUADRIC.radius] * quadric[QUADRIC.radius]))
      return ARC.none;
    const beta = -(tx * wx + ty * wy + kappa * tz * wz) / a;
    const ex = wx + beta * tx;
    const ey = wy + beta * ty;
    const ez = wz + beta * tz;
    const c = ex * ex + ey * ey + kappa * ez * ez;
    const d =
      mx * ex +
      my * ey +
      (quadric[QUADRIC.ball] * mz + slope * (quadric[QUADRIC.radius] - slope * mz)) * ez;
    const square = d * d;
    const bend = c * a;
    if (!(d > 0 ? square + bend >= 0 : bend > 0)) return ARC.none;
    // of a plane along the wall no more than half a section is between the ends
    if (d <= 0 && !(c > ALONG_WALL * (ex * ex + ey * ey + ez * ez))) return ARC.none;
    if (d <= 0 && !this.wide) {
      const u = (Math.sqrt(square + bend) - d) / c;
      this.middle[0] = mx + u * ex;
      this.middle[1] = my + u * ey;
      this.middle[2] = mz + u * ez;
      return ARC.wide;
    }
    const ball = quadric[QUADRIC.ball] === 1;
    if (!ball && (d <= 0 || square < ROUND_FROM * bend)) {
      // in a plane along the wall that it only touches, arc and chord are rounding: no arc goes beyond the ends of the body
      const root = Math.sqrt(square + bend);
      const rise = (d > 0 ? a / (d + root) : (root - d) / c) * ez;
      const room = 2 * (quadric[QUADRIC.high] - quadric[QUADRIC.low]);
      if (!(rise <= room && rise >= -room)) return ARC.none;
    }
    form[0] = a;
    form[1] = c;
    form[2] = d;
    patch[PATCH.middle] = mx;
    patch[PATCH.middle + 1] = my;
    patch[PATCH.middle + 2] = mz;
    patch[PATCH.along] = tx;
    patch[PATCH.along + 1] = ty;
    patch[PATCH.along + 2] = tz;
    patch[PATCH.across] = ex;
    patch[PATCH.across + 1] = ey;
    patch[PATCH.across + 2] = ez;
    const plain = slope === 0 && !ball;
    if (plain) {
      if (bend > 0 && (d <= 0 || square < ROUND_FROM * bend)) this.#sumCircle();
      else
        this.#sumNodes(
          square >= FLAT_FROM * bend ? FLAT : square >= MODERATE_FROM * bend ? MODERATE : ROUND,
        );
      return ARC.done;
    }
    const least = bend > 0 ? ROUND_LEAST * bend : -HYPERBOLA_LEAST * bend;
    let change = 1;
    if (!last && (d <= 0 || square < least || slope > 0)) {
      const root = Math.sqrt(square + bend);
      const u = d > 0 ? a / (d + root) : (root - d) / c;
      const x = mx + u * ex;
      const y = my + u * ey;
      this.middle[0] = x;
      this.middle[1] = y;
      this.middle[2] = mz + u * ez;
      let divides = d <= 0 || square < least;
      if (!divides) {
        const from = points[i] * points[i] + points[i + 1] * points[i + 1];
        const to = points[j] * points[j] + points[j + 1] * points[j + 1];
        const between = x * x + y * y;
        change = Math.max(from, to, between) / Math.min(from, to, between);
        divides = !(change <= MOST_CHANGE);
      }
      if (divides) return ARC.divide;
    }
    const size = bend > 0 ? bend : -bend;
    let rule = THICK;
    if (square >= MODERATE_FROM * size && change <= MODERATE_CHANGE) rule = MODERATE;
    else if (slope === 0 && square >= ROUND_FROM * size) rule = ROUND;
    this.#sumNodes(rule);
    return ARC.done;
  }

  /** Moments of the last arc by (4), (5). */
  #sumCircle(): void {
    const { patch, form } = this;
    const a = form[0];
    const c = form[1];
    const b = form[2] / Math.sqrt(c * a);
    const scale = Math.sqrt(a / c);
    const square = b * b;
    DIRECTION[0] = 1;
    DIRECTION[1] = b;
    const area = (1 + square) * directions()[0] - b;
    const quarter = 0.25 * (1 + square) * area;
    const across = quarter - b / 6;
    const two = scale * scale;
    patch[PATCH.m00] = -scale * area;
    patch[PATCH.m01] = -two * (2 / 3 - b * area);
    patch[PATCH.m02] = -two * scale * (quarter - (5 / 6) * b + square * area);
    patch[PATCH.m03] =
      -two *
      two *
      (4 / 15 + (2 / 3) * square - 3 * b * (quarter + 0.5 * b) + 2 * square - square * b * area);
    patch[PATCH.m20] = -scale * across;
    patch[PATCH.m21] = -two * (2 / 15 - b * across);
  }

  /** Moments of the last arc by (3). */
  #sumNodes(rule: Float64Array): void {
    const { patch, form } = this;
    const a = form[0];
    const d = form[2];
    const square = d * d;
    const bend = form[1] * a;
    this.rule = rule;
    let m00 = 0;
    let m01 = 0;
    let m02 = 0;
    let m03 = 0;
    let m20 = 0;
    let m21 = 0;
    for (let n = 0; n < rule.length; n += 4) {
      const rest = rule[n];
      const u = (a * rest) / (d + Math.sqrt(square + bend * rest));
      const w = rule[n + 2] * u;
      const wu = w * u;
      m00 += w;
      m01 += wu;
      m02 += wu * u;
      m03 += wu * u * u;
      m20 += rule[n + 1] * w;
      m21 += rule[n + 1] * wu;
    }
    patch[PATCH.m00] = -m00;
    patch[PATCH.m01] = -m01 / 2;
    patch[PATCH.m02] = -m02 / 3;
    patch[PATCH.m03] = -m03 / 4;
    patch[PATCH.m20] = -m20;
    patch[PATCH.m21] = -m21 / 2;
  }

  /** Triangle of three of the `points`, counter-clockwise about n: s along its base from p to q, u to the tip r. @alloc none */
  triangle(points: Float64Array, r: number, p: number, q: number): void {
    const { patch } = this;
    const ax = points[3 * p];
    const ay = points[3 * p + 1];
    const az = points[3 * p + 2];
    const bx = points[3 * q];
    const by = points[3 * q + 1];
    const bz = points[3 * q + 2];
    const mx = 0.5 * (ax + bx);
    const my = 0.5 * (ay + by);
    const mz = 0.5 * (az + bz);
    patch[PATCH.middle] = mx;
    patch[PATCH.middle + 1] = my;
    patch[PATCH.middle + 2] = mz;
    patch[PATCH.along] = 0.5 * (bx - ax);
    patch[PATCH.along + 1] = 0.5 * (by - ay);
    patch[PATCH.along + 2] = 0.5 * (bz - az);
    patch[PATCH.across] = points[3 * r] - mx;
    patch[PATCH.across + 1] = points[3 * r + 1] - my;
    patch[PATCH.across + 2] = points[3 * r + 2] - mz;
    // over |s| <= 1 − u, 0 <= u <= 1
    patch[PATCH.m00] = 1;
    patch[PATCH.m01] = 1 / 3;
    patch[PATCH.m02] = 1 / 6;
    patch[PATCH.m03] = 1 / 10;
    patch[PATCH.m20] = 1 / 6;
    patch[PATCH.m21] = 1 / 30;
  }

  /**
   * The whole section of the plane through the point `p` with the unit normal: the unit disc in s, u between conjugate half axes. False
   * when it is no ellipse. @alloc none
   */
  whole(points: Float64Array, p: number, normal: Float64Array): boolean {
    const { patch } = this;
    const quadric = this.#quadric;
    const kappa = this.#bend[0];
    const x = normal[0];
    const y = normal[1];
    const z = normal[2];
    // two axes in the plane, Duff and others 2017
    const sign = z < 0 ? -1 : 1;
    const b = -1 / (sign + z);
    const xy = x * y * b;
    const ax = 1 + sign * x * x * b;
    const ay = sign * xy;
    const az = -sign * x;
    const bx = xy;
    const by = sign + y * y * b;
    const bz = -y;
    const out = x * points[3 * p] + y * points[3 * p + 1] + z * points[3 * p + 2];
    // from the foot of the centre of a ball, else from the point of the axis: the given one may be far away
    const ball = quadric[QUADRIC.ball] === 1;
    if (!ball && z === 0) return false;
    const px = ball ? out * x : 0;
    const py = ball ? out * y : 0;
    const pz = ball ? out * z : out / z;
    const r = quadric[QUADRIC.radius] - quadric[QUADRIC.slope] * pz;
    const gz = quadric[QUADRIC.ball] * pz + quadric[QUADRIC.slope] * r;
    const first = px * ax + py * ay + gz * az;
    const second = px * bx + py * by + gz * bz;
    const aa = ax * ax + ay * ay + kappa * az * az;
    const ab = ax * bx + ay * by + kappa * az * bz;
    const bb = bx * bx + by * by + kappa * bz * bz;
    const rest = bb - (ab * ab) / aa;
    if (!(aa > 0 && rest > 0)) return false;
    const v = (first * ab - second * aa) / (aa * rest);
    const u = -(first + ab * v) / aa;
    const at = px * px + py * py + quadric[QUADRIC.ball] * pz * pz - r * r;
    const inside = -(at + first * u + second * v);
    if (!(inside > 0)) return false;
    const long = Math.sqrt(inside / aa);
    const wide = Math.sqrt(inside / rest);
    const skew = ab / aa;
    patch[PATCH.middle] = px + u * ax + v * bx;
    patch[PATCH.middle + 1] = py + u * ay + v * by;
    patch[PATCH.middle + 2] = pz + u * az + v * bz;
    patch[PATCH.along] = long * ax;
    patch[PATCH.along + 1] = long * ay;
    patch[PATCH.along + 2] = long * az;
    patch[PATCH.across] = wide * (bx - skew * ax);
    patch[PATCH.across + 1] = wide * (by - skew * ay);
    patch[PATCH.across + 2] = wide * (bz - skew * az);
    patch[PATCH.m00] = Math.PI;
    patch[PATCH.m01] = 0;
    patch[PATCH.m02] = 0.25 * Math.PI;
    patch[PATCH.m03] = 0;
    patch[PATCH.m20] = 0.25 * Math.PI;
    patch[PATCH.m21] = 0;
    return true;
  }

  /** Keeps the last arc at `kept[o]` for `reach`. @alloc none */
  keep(kept: Float64Array, o: number): void {
    for (let k = 0; k < 9; k++) kept[o + k] = this.patch[k];
    kept[o + KEPT.square] = this.form[0];
    kept[o + KEPT.bend] = this.form[1];
    kept[o + KEPT.slope] = this.form[2];
  }
}

/**
 * Raises `reach[0]` and `reach[1]` to the farthest points of a kept arc along a direction and against it, but for its ends. On the section
 * A s² + v² = K with v = C u + D, so that the largest τ s + ε u stands at (s, v) = (τ/A, ε) √(K/(C τ²/A + ε²)), and the least opposite. They
 * are on the arc when v > 0 and |s| < 1, of more than half a section when u > 0. @alloc none
 */
export function raiseToArc(
  kept: Float64Array,
  o: number,
  axis: Float64Array,
  reach: Float64Array,
): void {
  const x = axis[0];
  const y = axis[1];
  const z = axis[2];
  const tau = x * kept[o + 3] + y * kept[o + 4] + z * kept[o + 5];
  const eps = x * kept[o + 6] + y * kept[o + 7] + z * kept[o + 8];
  const a = kept[o + KEPT.square];
  const c = kept[o + KEPT.bend];
  const d = kept[o + KEPT.slope];
  const under = (c * tau * tau) / a + eps * eps;
  if (!(under > 0)) return;
  const scale = Math.sqrt((d * d + c * a) / under);
  for (let side = 0; side < 2; side++) {
    const far = side === 0 ? scale : -scale;
    const s = (tau / a) * far;
    const v = eps * far;
    if (d > 0 ? !(v > 0 && s > -1 && s < 1) : !(v > d)) continue;
    const u = d > 0 ? (a * (1 - s * s)) / (d + v) : (v - d) / c;
    const at = x * kept[o] + y * kept[o + 1] + z * kept[o + 2] + tau * s + eps * u;
    const out = side === 0 ? at : -at;
    if (out > reach[side]) reach[side] = out;
  }
}
