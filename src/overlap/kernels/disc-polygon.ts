/**
 * Moments of the part of a disc on the inner side of some lines.
 *
 * The disc has the radius r about the origin, line g is d_g·p = l_g with the unit direction d_g =
 * (cos β_g, sin β_g) outwards. Its chord has the half length √(r² − l_g²); the part between the
 * other lines is a straight side. Each corner is tested once for both of its lines, so that sides
 * and arcs close. An arc goes from the end of a side to the nearest beginning of one. With a point
 * o of the boundary as origin,
 *
 *   triangle (o, a, b), D = a × b:   A = D/2,  M = D (a + b)/6,  ∫ p pᵀ = D ((a + b)(a + b)ᵀ + a aᵀ + b bᵀ)/24          (1)
 *   segment over a chord, middle m, outwards e, along t:   A,  A m + M_1 e,  A m mᵀ + M_1 (m eᵀ + e mᵀ) + M_2 e eᵀ + X t tᵀ   (2)
 *
 * for sides and for chords of arcs, with the moments of segment.ts. The region is convex and o in
 * it, so nothing cancels.
 */
import {
  ACROSS,
  AREA,
  DISTANCE,
  fillSegment,
  FIRST,
  HALF_CHORD,
  RADIUS,
  SECOND,
  SEGMENT_SIZE,
} from '../segment.ts';
import { ANGLE, sinCos } from '../../math/elementary/circular.ts';
import { atan2 } from '../../math/elementary/inverse-circular.ts';

/** Slots of `out`: area, first and second moments about (`x`, `y`). */
export const REGION = { area: 0, x: 1, y: 2, mx: 3, my: 4, xx: 5, yy: 6, xy: 7 } as const;

/** Arcs shorter than this that rounding turned around are taken as none, rad. */
const NO_ARC = 1e-9;
/** Lines at a smaller angle than this are parallel, rad. */
const SAME = 1e-12;

/** Part of a disc between lines. Fill `radius`, `count`, `angle`, `cosine`, `sine` and `distance`, then `compute`. */
export class DiscPolygon {
  readonly out: Float64Array = new Float64Array(8);
  readonly radius: Float64Array = new Float64Array(1);
  count = 0;
  /** β, cos β, sin β and l of each line. */
  readonly angle: Float64Array;
  readonly cosine: Float64Array;
  readonly sine: Float64Array;
  readonly distance: Float64Array;
  /** Beginnings and ends of the sides along their lines, and whether they lie on the circle. */
  readonly #from: Float64Array;
  readonly #to: Float64Array;
  readonly #open: Uint8Array;
  readonly #segment = new Float64Array(SEGMENT_SIZE);
  /** A triangle: a, b about o. */
  readonly #sides = new Float64Array(4);

  constructor(lines: number) {
    this.angle = new Float64Array(lines);
    this.cosine = new Float64Array(lines);
    this.sine = new Float64Array(lines);
    this.distance = new Float64Array(lines);
    this.#from = new Float64Array(lines);
    this.#to = new Float64Array(lines);
    this.#open = new Uint8Array(2 * lines);
  }

  /** Writes `out`. */
  compute(): void {
    const { out, radius, distance, cosine, sine, count } = this;
    const r = radius[0];
    for (let k = 0; k < 8; k++) out[k] = 0;
    for (let g = 0; g < count; g++) {
      if (distance[g] <= -r) return;
    }
    this.#clip();
    let first = -1;
    let all = true;
    for (let g = 0; g < count; g++) {
      if (distance[g] < r) all = false;
      if (first < 0 && this.#to[g] > this.#from[g]) first = g;
    }
    if (first < 0) {
      if (!all) return;
      const area = Math.PI * r * r;
      out[REGION.area] = area;
      out[REGION.xx] = 0.25 * area * r * r;
      out[REGION.yy] = out[REGION.xx];
      return;
    }
    const t = this.#from[first];
    const ox = distance[first] * cosine[first] - t * sine[first];
    const oy = distance[first] * sine[first] + t * cosine[first];
    out[REGION.x] = ox;
    out[REGION.y] = oy;
    const sides = this.#sides;
    for (let g = 0; g < count; g++) {
      if (!(this.#to[g] > this.#from[g])) continue;
      if (g !== first) {
        const x = distance[g] * cosine[g] - ox;
        const y = distance[g] * sine[g] - oy;
        sides[0] = x - this.#from[g] * sine[g];
        sides[1] = y + this.#from[g] * cosine[g];
        sides[2] = x - this.#to[g] * sine[g];
        sides[3] = y + this.#to[g] * cosine[g];
        this.#addTriangle();
      }
      if (this.#open[2 * g + 1] === 1) this.#addArc(g);
    }
  }

  /** Computes the sides: the part of each chord between the other lines. */
  #clip(): void {
    const { radius, distance, cosine, sine, count } = this;
    const from = this.#from;
    const to = this.#to;
    const open = this.#open;
    const r = radius[0];
    for (let g = 0; g < count; g++) {
      const l = distance[g];
      const q = l < r ? Math.sqrt((r - l) * (r + l)) : 0;
      from[g] = -q;
      to[g] = q;
      open[2 * g] = 1;
      open[2 * g + 1] = 1;
    }
    for (let g = 0; g < count; g++) {
      if (distance[g] >= r) continue;
      for (let h = g + 1; h < count; h++) {
        if (distance[h] >= r) continue;
        const cross = cosine[g] * sine[h] - sine[g] * cosine[h];
        const dot = cosine[g] * cosine[h] + sine[g] * sine[h];
        if (dot > 0 && Math.abs(cross) < SAME) {
          // identical or parallel lines: the outer one is redundant, or the first
          if (distance[g] >= distance[h]) to[g] = from[g] - 1;
          else to[h] = from[h] - 1;
          continue;
        }
        // the corner: l_h − l_g d_g·d_h over the sine of the angle between them, along g and along h
        const along = distance[h] - distance[g] * dot;
        const back = distance[g] - distance[h] * dot;
        const meet =
          cross !== 0 &&
          along * along + distance[g] * distance[g] * cross * cross < r * r * cross * cross;
        if (!meet) {
          // chords that do not cross: each is on one side of the other line as a whole
          if (distance[g] * dot > distance[h]) to[g] = from[g] - 1;
          if (distance[h] * dot > distance[g]) to[h] = from[h] - 1;
          continue;
        }
        const at = along / cross;
        const other = -back / cross;
        // h removes the part along +t of g when the cross product is positive, else along −t
        if (cross > 0) {
          if (at < to[g]) {
            to[g] = at;
            open[2 * g + 1] = 0;
          }
          if (other > from[h]) {
            from[h] = other;
            open[2 * h] = 0;
          }
        } else {
          if (at > from[g]) {
            from[g] = at;
            open[2 * g] = 0;
          }
          if (other < to[h]) {
            to[h] = other;
            open[2 * h + 1] = 0;
          }
        }
      }
    }
  }

  /** Arc from the end of side g to the nearest beginning. */
  #addArc(g: number): void {
    const { out, radius, distance, angle, cosine, sine, count } = this;
    const r = radius[0];
    const q = this.#to[g];
    const start = angle[g] + atan2(q, distance[g]);
    let sweep = 7;
    let next = -1;
    for (let h = 0; h < count; h++) {
      if (!(this.#to[h] > this.#from[h]) || this.#open[2 * h] === 0) continue;
      let turn = angle[h] + atan2(this.#from[h], distance[h]) - start;
      while (turn > 2 * Math.PI) turn -= 2 * Math.PI;
      while (turn < (h === g ? 0 : -NO_ARC)) turn += 2 * Math.PI;
      if (turn < 0) turn = 0;
      if (turn < sweep) {
        sweep = turn;
        next = h;
      }
    }
    if (next < 0) return;
    const ox = out[REGION.x];
    const oy = out[REGION.y];
    const sides = this.#sides;
    sides[0] = distance[g] * cosine[g] - q * sine[g] - ox;
    sides[1] = distance[g] * sine[g] + q * cosine[g] - oy;
    const p = this.#from[next];
    sides[2] = distance[next] * cosine[next] - p * sine[next] - ox;
    sides[3] = distance[next] * sine[next] + p * cosine[next] - oy;
    this.#addTriangle();
    const half = 0.5 * sweep;
    const c = this.#segment;
    c[RADIUS] = r;
    ANGLE[0] = half;
    const turn = sinCos();
    c[HALF_CHORD] = r * turn[0];
    c[DISTANCE] = r * turn[1];
    fillSegment(c);
    ANGLE[0] = start + half;
    sinCos();
    const ex = turn[1];
    const ey = turn[0];
    const mx = c[DISTANCE] * ex - ox;
    const my = c[DISTANCE] * ey - oy;
    const area = c[AREA];
    const one = c[FIRST];
    const two = c[SECOND];
    const across = c[ACROSS];
    out[REGION.area] += area;
    out[REGION.mx] += area * mx + one * ex;
    out[REGION.my] += area * my + one * ey;
    out[REGION.xx] += area * mx * mx + 2 * one * mx * ex + two * ex * ex + across * ey * ey;
    out[REGION.yy] += area * my * my + 2 * one * my * ey + two * ey * ey + across * ex * ex;
    out[REGION.xy] += area * mx * my + one * (mx * ey + my * ex) + (two - across) * ex * ey;
  }

  #addTriangle(): void {
    const out = this.out;
    const ax = this.#sides[0];
    const ay = this.#sides[1];
    const bx = this.#sides[2];
    const by = this.#sides[3];
    const d = ax * by - ay * bx;
    const sx = ax + bx;
    const sy = ay + by;
    out[REGION.area] += 0.5 * d;
    out[REGION.mx] += (d * sx) / 6;
    out[REGION.my] += (d * sy) / 6;
    out[REGION.xx] += (d * (sx * sx + ax * ax + bx * bx)) / 24;
    out[REGION.yy] += (d * (sy * sy + ay * ay + by * by)) / 24;
    out[REGION.xy] += (d * (sx * sy + ax * ay + bx * by)) / 24;
  }
}
