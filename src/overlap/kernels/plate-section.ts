/**
 * Sections across the axis of a round body in a plate with a hole: the part of a disc outside an ellipse and between two lines.
 *
 * Axes and hole as in bore-section.ts. The plate is square to its hole, so that the height along the axis of the hole is
 *
 *   ζ = c z + s u                                                                                                     (1)
 *
 * and the faces ζ = ζ_f cut the section in the lines u = (ζ_f − c z)/s, all of them across t.
 *
 * Where the middle of the disc is well inside the hole (γ >= LEAST_INSIDE r²), a ray from it at ψ is in the plate between t_1, where it
 * enters the wall (bore-section.ts, (2)), and r, as far as the lines leave it. With m the middle of the piece and l its length
 *
 *   ∫ t dt = m l,   ∫ (t − m) t dt = l³/12,   ∫ (t − m)² t dt = m l³/12                                                (2)
 *
 * It has kinks in ψ where lines meet the rim and the ellipse, and no roots. Elsewhere lines along v serve: at u the disc is
 * |v| <= √(r² − u²) and the ellipse |v − v_0| <= √(R² − (c u − k)²), which leave at most two pieces, with roots at the ends of both.
 *
 * The vector area of the wall of the body that is in the plate takes no quadrature: over a piece of the rim ∫ (cos ψ, sin ψ) r dψ is its
 * chord, turned by a quarter.                                                                                          (3)
 */
import { ANGLE, sinCos } from '../../math/elementary/circular.ts';
import { atan2 } from '../../math/elementary/inverse-circular.ts';
import { gaussLegendre } from '../../math/quadrature.ts';
import { EndRule } from '../rays-rule.ts';
import { BORE, BORE_SUM, type BoreSection, DISC } from './bore-section.ts';

/** Part of r² by which the axis is inside the hole at least where rays from the middle serve. */
const LEAST_INSIDE = 0.5;
const RULE = gaussLegendre(12);
/** Longest arc of one rule: twelve nodes leave 1e-13 of 1/(1 + x²) over it. */
const LONGEST = (2 * Math.PI) / 3;
/** Arcs up to a length take fewer nodes: eight leave 1e-14, five 1e-11. */
const SHORT_RULE = gaussLegendre(8);
const SHORT = 1;
const LEAST_RULE = gaussLegendre(5);
const LEAST = 0.35;
/** Nodes of lines between two roots or kinks. */
const LINES = 12;
const TURN = 2 * Math.PI;
/** Ends of the arcs at the lines: two at the rim and two at the ellipse of each; and both ends. */
const MOST_STOPS = 10;

/** Sections of one body and one plate. Fill the section of the bore, `strip`, then `add`. Allocates in its constructor only. */
export class PlateSection {
  readonly bore: BoreSection;
  /** u of the lines, the lower one first, m; −∞ and ∞ where there is none. */
  readonly strip: Float64Array = new Float64Array(2);
  /** V, moments about the reference of the bore, vector area of the wall of the body in the plate. */
  readonly sums: Float64Array = new Float64Array(BORE_SUM.area + 3);
  /** [area of the section that was added last, m²]. */
  readonly area: Float64Array = new Float64Array(1);
  /** A, first moments u, v, second moments uu, vv, uv; chords of the rim turned, its length. */
  readonly #own = new Float64Array(9);
  readonly #stops = new Float64Array(MOST_STOPS);
  readonly #count = new Int32Array(1);
  readonly #lines = new EndRule(LINES);

  constructor(bore: BoreSection) {
    this.bore = bore;
  }

  clear(): void {
    for (let k = 0; k < this.sums.length; k++) this.sums[k] = 0;
  }

  /** Adds the located section with the weight dw, w the variable of the sections. */
  add(weight: number): void {
    const { bore, strip, area } = this;
    const own = this.#own;
    const { disc } = bore;
    for (let k = 0; k < own.length; k++) own[k] = 0;
    area[0] = 0;
    const r = disc[DISC.radius];
    if (!(disc[DISC.excess] > 0) || !(strip[0] < r) || !(strip[1] > -r)) return;
    bore.findArcs();
    if (disc[DISC.inside] >= LEAST_INSIDE * r * r) this.#addRays();
    else this.#addLines();
    area[0] = own[0];
    // of z, and of r as it grows along z
    const thick = weight * disc[DISC.thickness];
    const rise = weight * disc[DISC.radiusRate];
    this.#sum(thick, disc[DISC.heightRate] < 0 ? -rise : rise);
  }

  #sum(weight: number, rise: number): void {
    const own = this.#own;
    const { sums, bore } = this;
    const z = bore.disc[DISC.height] - bore.reference[2];
    const first = BORE_SUM.first;
    const second = BORE_SUM.second;
    const area = BORE_SUM.area;
    sums[BORE_SUM.volume] += weight * own[0];
    sums[first] += weight * own[1];
    sums[first + 1] += weight * own[2];
    sums[first + 2] += weight * z * own[0];
    sums[second] += weight * own[3];
    sums[second + 1] += weight * own[4];
    sums[second + 2] += weight * z * z * own[0];
    sums[second + 3] += weight * own[5];
    sums[second + 4] += weight * z * own[1];
    sums[second + 5] += weight * z * own[2];
    sums[area] += weight * own[6];
    sums[area + 1] += weight * own[7];
    sums[area + 2] -= rise * own[8];
  }

  /** Rays from the middle, over the arcs of the rim. */
  #addRays(): void {
    const { ends, endCount } = this.bore;
    const total = endCount[0];
    if (total < 2) {
      this.#addArc(-Math.PI, Math.PI);
      return;
    }
    this.#addArc(ends[total - 1] - TURN, ends[0]);
    if (total >= 4) this.#addArc(ends[1], ends[2]);
  }

  /** An arc from ψ* + `from` to ψ* + `to`, in pieces between the kinks. */
  #addArc(from: number, to: number): void {
    const { strip, bore } = this;
    const stops = this.#stops;
    const count = this.#count;
    const r = bore.disc[DISC.radius];
    stops[0] = from;
    count[0] = 1;
    for (let side = 0; side < 2; side++) {
      const u = strip[side];
      if (!(u < r && u > -r)) continue;
      const v = Math.sqrt((r - u) * (r + u));
      this.#stop(u, v, from, to);
      this.#stop(u, -v, from, to);
      const wide = this.#halfChord(u);
      if (!(wide > 0)) continue;
      this.#stop(u, bore.pose[BORE.across] + wide, from, to);
      this.#stop(u, bore.pose[BORE.across] - wide, from, to);
    }
    stops[count[0]] = to;
    for (let n = 0; n < count[0]; n++) {
      const pieces = Math.ceil((stops[n + 1] - stops[n]) / LONGEST);
      const wide = (stops[n + 1] - stops[n]) / pieces;
      if (!this.#isIn(0.5 * (stops[n] + stops[n + 1]))) continue;
      for (let k = 0; k < pieces; k++) this.#addPiece(stops[n] + (k + 0.5) * wide, wide);
    }
  }

  /** Half the chord of the ellipse at u, m; 0 beside it. */
  #halfChord(u: number): number {
    const { pose, disc } = this.bore;
    const x = pose[BORE.cosine] * u - pose[BORE.along] - pose[BORE.sine] * disc[DISC.height];
    const square = (pose[BORE.radius] - x) * (pose[BORE.radius] + x);
    return square > 0 ? Math.sqrt(square) : 0;
  }

  /** Inserts the angle of a point from ψ*, where it is between two others. */
  #stop(u: number, v: number, from: number, to: number): void {
    const { deepest } = this.bore;
    const count = this.#count;
    let angle = atan2(v * deepest[0] - u * deepest[1], u * deepest[0] + v * deepest[1]);
    if (angle < from) angle += TURN;
    if (!(angle > from && angle < to)) return;
    this.#insert(angle);
    count[0]++;
  }

  #insert(value: number): void {
    const stops = this.#stops;
    let at = this.#count[0];
    while (at > 1 && stops[at - 1] > value) {
      stops[at] = stops[at - 1];
      at--;
    }
    stops[at] = value;
  }

  /** Whether the ray at ψ* + `angle` has a piece in the plate: a point in the wall that lies between the lines. */
  #isIn(angle: number): boolean {
    const { strip } = this;
    const { pose, disc, deepest } = this.bore;
    const r = disc[DISC.radius];
    if (!(strip[0] > -r) && !(strip[1] < r)) return true;
    ANGLE[0] = angle;
    const turn = sinCos();
    const cos = deepest[0] * turn[1] - deepest[1] * turn[0];
    const sin = deepest[1] * turn[1] + deepest[0] * turn[0];
    const s = pose[BORE.sine];
    const k = pose[BORE.along] + s * disc[DISC.height];
    const a = 1 - s * s * cos * cos;
    const beta = pose[BORE.cosine] * k * cos + pose[BORE.across] * sin;
    const enters = (beta + Math.sqrt(beta * beta + a * disc[DISC.inside])) / a;
    const one = Math.min(enters, r) * cos;
    const other = r * cos;
    return Math.max(one, other) > strip[0] && Math.min(one, other) < strip[1];
  }

  #addPiece(middle: number, wide: number): void {
    const { strip } = this;
    const { pose, disc, deepest, reference } = this.bore;
    const own = this.#own;
    const c = pose[BORE.cosine];
    const s = pose[BORE.sine];
    const y = pose[BORE.across];
    const r = disc[DISC.radius];
    const k = pose[BORE.along] + s * disc[DISC.height];
    const gamma = disc[DISC.inside];
    const excess = r * r - gamma;
    const low = strip[0];
    const high = strip[1];
    const u0 = reference[0];
    const v0 = reference[1];
    ANGLE[0] = middle;
    let turn = sinCos();
    const cosine = deepest[0] * turn[1] - deepest[1] * turn[0];
    const sine = deepest[1] * turn[1] + deepest[0] * turn[0];
    ANGLE[0] = 0.25 * wide;
    turn = sinCos();
    const half = turn[0] / turn[1];
    const { nodes, weights } = wide > SHORT ? RULE : wide > LEAST ? SHORT_RULE : LEAST_RULE;
    let area = 0;
    let fu = 0;
    let fv = 0;
    let uu = 0;
    let vv = 0;
    let uv = 0;
    for (let i = 0; i < nodes.length; i++) {
      const x = half * nodes[i];
      const scale = 1 / (1 + x * x);
      const c1 = (1 - x * x) * scale;
      const s1 = 2 * x * scale;
      const cos = cosine * c1 - sine * s1;
      const sin = sine * c1 + cosine * s1;
      const a = 1 - s * s * cos * cos;
      const beta = c * k * cos + y * sin;
      const q = excess - r * (s * s * r * cos * cos + 2 * beta);
      // from the rim inwards: a thin piece is no difference of radii
      let near = q > 0 ? q / (a * r - beta + Math.sqrt(beta * beta + a * gamma)) : 0;
      let far = 0;
      // towards the line ahead of the ray, and behind it
      const ahead = r * cos - (cos < 0 ? low : high);
      const behind = r * cos - (cos < 0 ? high : low);
      if (ahead * cos > 0) far = ahead / cos;
      if (behind < near * cos !== cos < 0) near = behind / cos;
      if (!(near > far)) continue;
      const weight = 2 * half * weights[i] * scale;
      const m = r - 0.5 * (near + far);
      const l = near - far;
      const third = (weight * l * l * l) / 12;
      const n0 = weight * m * l;
      const n2 = m * third;
      const u = m * cos - u0;
      const v = m * sin - v0;
      area += n0;
      fu += u * n0 + cos * third;
      fv += v * n0 + sin * third;
      uu += u * u * n0 + cos * (2 * u * third + cos * n2);
      vv += v * v * n0 + sin * (2 * v * third + sin * n2);
      uv += u * v * n0 + (u * sin + v * cos) * third + cos * sin * n2;
    }
    own[0] += area;
    own[1] += fu;
    own[2] += fv;
    own[3] += uu;
    own[4] += vv;
    own[5] += uv;
    // whether the rim itself is in the plate all along
    if (r * cosine >= high || r * cosine <= low) return;
    const chord = (4 * r * half) / (1 + half * half);
    own[6] += cosine * chord;
    own[7] += sine * chord;
    own[8] += r * wide;
  }

  /** Lines along v, between the kinks. */
  #addLines(): void {
    const { strip, bore } = this;
    const { pose, disc, ends, endCount, deepest } = bore;
    const stops = this.#stops;
    const count = this.#count;
    const r = disc[DISC.radius];
    const from = Math.max(strip[0], -r);
    const to = Math.min(strip[1], r);
    const c = pose[BORE.cosine];
    const k = pose[BORE.along] + pose[BORE.sine] * disc[DISC.height];
    const low = (k - pose[BORE.radius]) / c;
    const high = (k + pose[BORE.radius]) / c;
    stops[0] = from;
    count[0] = 1;
    this.#cut(low, from, to);
    this.#cut(high, from, to);
    for (let n = 0; n < endCount[0]; n++) {
      ANGLE[0] = ends[n];
      const turn = sinCos();
      this.#cut(r * (deepest[0] * turn[1] - deepest[1] * turn[0]), from, to);
    }
    stops[count[0]] = to;
    const rule = this.#lines;
    for (let n = 0; n < count[0]; n++) {
      const a = stops[n];
      const b = stops[n + 1];
      if (!(b > a)) continue;
      rule.ends[0] = a;
      rule.ends[1] = b;
      rule.ends[2] = low <= a ? Math.max(low, -r) : -r;
      rule.ends[3] = high >= b ? Math.min(high, r) : r;
      rule.fill();
      this.#addPanel();
      this.#addRims(a, b);
    }
  }

  #cut(u: number, from: number, to: number): void {
    if (!(u > from && u < to)) return;
    this.#insert(u);
    this.#count[0]++;
  }

  /** The lines of the rule. */
  #addPanel(): void {
    const { nodes, weights } = this.#lines;
    const { pose, disc, reference } = this.bore;
    const own = this.#own;
    const r = disc[DISC.radius];
    const c = pose[BORE.cosine];
    const y = pose[BORE.across] - reference[1];
    const k = pose[BORE.along] + pose[BORE.sine] * disc[DISC.height];
    const bore = pose[BORE.radius];
    const v0 = reference[1];
    for (let i = 0; i < nodes.length; i++) {
      const at = nodes[i];
      const x = c * at - k;
      const square = (bore - x) * (bore + x);
      const wide = square > 0 ? Math.sqrt(square) : 0;
      const rim = Math.sqrt(Math.max(0, (r - at) * (r + at)));
      const u = at - reference[0];
      let from = -rim - v0;
      // below the hole and above it, or all along
      let to = wide > 0 ? Math.min(rim - v0, y - wide) : rim - v0;
      for (let side = 0; side < 2; side++) {
        if (to > from) {
          const l = to - from;
          const v = 0.5 * (from + to);
          const n0 = weights[i] * l;
          own[0] += n0;
          own[1] += u * n0;
          own[2] += v * n0;
          own[3] += u * u * n0;
          own[4] += v * v * n0 + (n0 * l * l) / 12;
          own[5] += u * v * n0;
        }
        if (!(wide > 0)) break;
        from = Math.max(-rim - v0, y + wide);
        to = rim - v0;
      }
    }
  }

  /** The rim from u = a to b, on either side where it is outside the ellipse: (3). */
  #addRims(a: number, b: number): void {
    const own = this.#own;
    const r = this.bore.disc[DISC.radius];
    const y = this.bore.pose[BORE.across];
    const middle = 0.5 * (a + b);
    const rim = Math.sqrt((r - middle) * (r + middle));
    const wide = this.#halfChord(middle);
    const atA = Math.sqrt(Math.max(0, (r - a) * (r + a)));
    const atB = Math.sqrt(Math.max(0, (r - b) * (r + b)));
    const length = r * (atan2(atA, a) - atan2(atB, b));
    for (let side = -1; side <= 1; side += 2) {
      if (wide > 0 && Math.abs(side * rim - y) < wide) continue;
      own[6] += atA - atB;
      own[7] += side * (b - a);
      own[8] += length;
    }
  }
}
