/**
 * Sections of a cylinder, frustum or cone cut by a plane (sections.ts): radius r and chord b both run linearly along the axis.
 *
 * With P = s (r − b) and Q = −s (r + b), linear in z, a section is empty where P <= 0, whole where Q >= 0, and else a segment of half
 * angle θ, cos θ = b/r, tan² θ/2 = −P/Q. With K = b' r − b r', which does not depend on z,
 *
 *   dθ = −K dz/(r q),   sin((θ − θ_a)/2) = −K (z − z_a)/(2 r_a r sin((θ + θ_a)/2))                                      (1)
 *
 * In θ the moments of a segment are powers of r times entire functions, where in z they end with roots. Over the range from z_a to
 * z_b = z_a + Δ, with ϑ = (θ_b − θ_a)/2, m = (θ_a + θ_b)/2, θ = θ_a + 2 ϑ t and sinc x = sin x/x,
 *
 *   G  = Δ/(r_a r_b sin m sinc ϑ)        = −θ'(t)/K                                                                    (2)
 *   dz = r q G dt,   z − z_a = r g,   g = G t r_a sin(θ_a + ϑ t) sinc(ϑ t),   r = r_a/(1 − r' g)                          (3)
 *
 * in which K is gone: it holds for the cylinder that lies (K = 0) and for the plane through the apex alike. For sin m the sines and cosines
 * of θ_a/2 and θ_b/2 are used, and for θ near π its supplement.
 *
 * A cone adds a pole of order six where r → ∞, at cos θ = b'/r' = c/(s r'). Panels of at most the distance from it and at most π/2, with
 * twenty nodes each, leave less than 1e-14 of it; a cylinder has no pole.
 */
import { gaussLegendre } from '../../math/quadrature.ts';
import { DISCS, PLANE, SECTION, type Sections } from './sections.ts';
import { ANGLE, sin, sinCos } from '../../math/elementary/circular.ts';
import { acos, atan2 } from '../../math/elementary/inverse-circular.ts';
import { acosh } from '../../math/elementary/hyperbolic.ts';

const NODES = 20;
const RULE = gaussLegendre(NODES);
const LONGEST = 0.5 * Math.PI;
/** Relative height below its apex at which a cone ends; the missing part is 1e-30 of it. */
const BLUNT = 1e-10;
const SHORTEST = 1e-12;

/** Slots of a cut: the range (1) to (3) and the pole. */
const CUT = {
  /** r_a, z_a, Δ/s. */
  radius: 0,
  start: 1,
  span: 2,
  /** P and Q at both ends; 0 where the range ends at their root. */
  pA: 3,
  qA: 4,
  pB: 5,
  qB: 6,
  /** cos θ of the pole. */
  pole: 7,
  radiusB: 8,
} as const;

/** The part of a cone from z = `low` to `high` below a plane. */
export class ConeSections {
  /** low, high, radius at low, radius at high, r'. */
  readonly #size: Float64Array;
  readonly #cut = new Float64Array(9);
  /** Scratch of the panels: θ, distance. */
  readonly #pole = new Float64Array(2);

  constructor(low: number, high: number, radiusLow: number, radiusHigh: number) {
    const end = radiusHigh > 0 ? high : high - BLUNT * (high - low);
    const radius = radiusHigh > 0 ? radiusHigh : BLUNT * radiusLow;
    this.#size = Float64Array.of(low, end, radiusLow, radius, (radius - radiusLow) / (end - low));
  }

  /** Adds its sections. */
  add(sections: Sections): void {
    const size = this.#size;
    const cut = this.#cut;
    const sine = sections.plane[PLANE.sine];
    const cosine = sections.plane[PLANE.cosine];
    const offset = sections.plane[PLANE.offset];
    const low = size[0];
    const high = size[1];
    const length = high - low;
    const p0 = sine * size[2] - cosine * low + offset;
    const p1 = sine * size[3] - cosine * high + offset;
    const q0 = p0 - 2 * sine * size[2];
    const q1 = p1 - 2 * sine * size[3];
    if (p0 <= 0 && p1 <= 0) return;
    const discs = sections.discs;
    discs[DISCS.from] = low;
    discs[DISCS.to] = high;
    discs[DISCS.origin] = low;
    discs[DISCS.square] = size[2] * size[2];
    discs[DISCS.square + 1] = 2 * size[2] * size[4];
    discs[DISCS.square + 2] = size[4] * size[4];
    if (q0 >= 0 && q1 >= 0) {
      sections.addDiscs();
      return;
    }
    const begins = p0 > 0 !== p1 > 0;
    const whole = q0 >= 0 !== q1 >= 0;
    cut[CUT.pA] = p0;
    cut[CUT.qA] = q0;
    cut[CUT.pB] = p1;
    cut[CUT.qB] = q1;
    cut[CUT.start] = low;
    cut[CUT.radius] = size[2];
    cut[CUT.radiusB] = size[3];
    let span = length;
    if (begins) {
      // from the root of P to that of Q, or to the end that is in
      const z = low + (length * p0) / (p0 - p1);
      const r = size[2] + size[4] * (z - low);
      cut[CUT.start] = z;
      cut[CUT.radius] = r;
      cut[CUT.pA] = 0;
      cut[CUT.qA] = -1;
      if (whole) span = (2 * sine * r * length) / (q1 - q0);
      else span = p1 > 0 ? (length * p1) / (p1 - p0) : (length * p0) / (p1 - p0);
      if (p0 > 0) {
        cut[CUT.pB] = p0;
        cut[CUT.qB] = q0;
        cut[CUT.radiusB] = size[2];
      }
      if (whole) {
        cut[CUT.pB] = 1;
        cut[CUT.qB] = 0;
        cut[CUT.radiusB] = r + size[4] * span;
        discs[q1 > q0 ? DISCS.from : DISCS.to] = z + span;
      }
    } else if (whole) {
      // from the root of Q to the end that is cut
      const z = low + (length * q0) / (q0 - q1);
      cut[CUT.start] = z;
      cut[CUT.radius] = size[2] + size[4] * (z - low);
      cut[CUT.pA] = 1;
      cut[CUT.qA] = 0;
      span = q1 < 0 ? (length * q1) / (q1 - q0) : (length * q0) / (q1 - q0);
      if (q0 < 0) {
        cut[CUT.pB] = p0;
        cut[CUT.qB] = q0;
        cut[CUT.radiusB] = size[2];
      }
      discs[q1 > q0 ? DISCS.from : DISCS.to] = z;
    }
    if (whole) sections.addDiscs();
    if (sine > 0) {
      cut[CUT.span] = span / sine;
      cut[CUT.pole] = size[4] === 0 ? Number.POSITIVE_INFINITY : cosine / (sine * size[4]);
      this.#addCut(sections);
    } else if (whole) {
      const r = cut[CUT.radius];
      sections.section[SECTION.weight] = Math.PI * r * r;
      sections.addArea();
    }
  }

  #addCut(sections: Sections): void {
    const { section, plane } = sections;
    const cut = this.#cut;
    const sine = plane[PLANE.sine];
    let sumA = cut[CUT.pA] - cut[CUT.qA];
    let sa = Math.sqrt(cut[CUT.pA] / sumA);
    let ca = Math.sqrt(-cut[CUT.qA] / sumA);
    sumA = cut[CUT.pB] - cut[CUT.qB];
    let sb = Math.sqrt(cut[CUT.pB] / sumA);
    let cb = Math.sqrt(-cut[CUT.qB] / sumA);
    let swap = 0;
    let span = cut[CUT.span];
    let start = cut[CUT.start];
    let ra = cut[CUT.radius];
    let rb = cut[CUT.radiusB];
    // from the larger end: the other way r is a quotient of small differences
    if (ra < rb) {
      start += sine * span;
      span = -span;
      swap = ra;
      ra = rb;
      rb = swap;
      swap = sa;
      sa = sb;
      sb = swap;
      swap = ca;
      ca = cb;
      cb = swap;
    }
    const along =
      plane[PLANE.cosine] * ra * (ca - sa) * (ca + sa) + sine * start - plane[PLANE.along];
    // cos θ and b change their sign with the supplement
    let sign = 1;
    if (sa + sb > ca + cb) {
      swap = sa;
      sa = ca;
      ca = swap;
      swap = sb;
      sb = cb;
      cb = swap;
      sign = -1;
    }
    const from = 2 * atan2(sa, ca);
    const half = atan2(sb, cb) - atan2(sa, ca);
    const ratio = half === 0 ? 1 : half / sin(half);
    const g = (span * ratio) / (ra * rb * (sa * cb + ca * sb));
    const size = Math.abs(g);
    const slope = this.#size[4] * sine;
    const sweep = Math.abs(2 * half);
    const pole = this.#pole;
    cut[CUT.pole] *= sign;
    pole[0] = from;
    this.#measurePole();
    const near = pole[1];
    pole[0] = from + 2 * half;
    this.#measurePole();
    const backwards = pole[1] < near;
    let done = 0;
    while (done < 1) {
      pole[0] = from + 2 * half * (backwards ? 1 - done : done);
      this.#measurePole();
      let step = sweep > 0 ? Math.min(pole[1], LONGEST) / sweep : 1;
      if (step < SHORTEST) step = SHORTEST;
      if (done + step > 1) step = 1 - done;
      const first = backwards ? 1 - done - step : done;
      for (let k = 0; k < NODES; k++) {
        const t = first + 0.5 * step * (1 + RULE.nodes[k]);
        const part = half * t;
        const sinc = part === 0 ? 1 : sin(part) / part;
        const far = g * t * ra * sin(from + part) * sinc;
        const r = ra / (1 - slope * far);
        const angle = from + 2 * part;
        ANGLE[0] = angle;
        const turn = sinCos();
        const q = r * turn[0];
        section[SECTION.radius] = r;
        section[SECTION.halfChord] = q;
        section[SECTION.distance] = sign * r * turn[1];
        section[SECTION.weight] = 0.5 * step * RULE.weights[k] * r * q * size;
        section[SECTION.along] = along + far * r;
        sections.addSection();
      }
      done = done + step > 1 - SHORTEST ? 1 : done + step;
    }
  }

  /** Distance of θ = `pole[0]` from the pole, into `pole[1]`. */
  #measurePole(): void {
    const pole = this.#pole;
    const at = this.#cut[CUT.pole];
    if (at > -1 && at < 1) {
      pole[1] = Math.abs(pole[0] - acos(at));
      return;
    }
    const high = acosh(Math.abs(at));
    const off = at > 0 ? pole[0] : Math.PI - pole[0];
    pole[1] = Math.sqrt(off * off + high * high);
  }
}
