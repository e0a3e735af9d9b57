/**
 * Sliding contact of two smooth surfaces as one row: the contact point P of body 1 stays in the tangent plane at the contact point S of
 * body 2. Both wander over their bodies. `Tasora, (16)–(23), (31)–(39)`.
 *
 *   c = n2·(P − S)      J = [n2, r1 × n2, −n2, −r2 × n2]      c_t = 0
 *   Q = −n2·(w1 × (w1 × r1) + 2 w1 × a1 − w2 × (w2 × r2) − 2 w2 × a2) − a1ᵀ B1 a1 − a2ᵀ B2 a2                         (Q*)
 *
 * P and S are the feet of a common normal: four equations for four surface parameters, by Newton from the last ones. B are the curvatures
 * dn = B dx of outward normals in two common tangents, positive where convex; a the velocities of the points over their bodies:
 *
 *   (B1 + B2) a1 = −m − B2 dV,   a2 = a1 + dV,   dV = Tᵀ (V_P − V_S),   m = Tᵀ ((w1 − w2) × n1)
 *
 * A positive multiplier is the contact force that presses.
 */
import type { ContactBody } from '../contact/contact-body.ts';
import { BerthError } from '../base/errors.ts';
import { tangentBasis } from '../math/vec3.ts';
import type { SlidingModel } from '../model/constraint-spec.ts';
import { BY_U, BY_UU, BY_UV, BY_V, BY_VV } from '../shapes/surfaces/surface.ts';
import { TouchCurvature } from '../shapes/surfaces/touch-readout.ts';
import { type Constraint, ROW, type SurfaceTouch, type Unilateral } from './constraint.ts';
import { MovingSurface } from './moving-surface.ts';

/** Change of a foot below which it is found, m: of the gap it is of second order. */
const FOUND = 1e-12;
const MOST_STEPS = 20;
/** Least sum of curvatures across the contact, 1/m: below it the point runs as far as the surfaces reach. `Tasora, 10`. */
const LEAST_CURVATURE = 1e-4;

/** One sliding contact. */
export class Sliding implements Constraint, SurfaceTouch {
  readonly name: string;
  readonly first: ContactBody | null;
  readonly second: ContactBody | null;
  readonly rows: readonly string[] = ['gap'];
  readonly turns: Uint8Array = new Uint8Array(1);
  lost = false;
  readonly unilateral: Unilateral | null;
  readonly touch: SurfaceTouch = this;
  readonly work: Float64Array = new Float64Array(1);
  readonly #one: MovingSurface;
  readonly #two: MovingSurface;
  /** u1, v1, u2, v2 in the arena. */
  readonly #parameters: Float64Array;
  readonly #step: Float64Array = new Float64Array(4);
  readonly #d: Float64Array = new Float64Array(3);
  readonly #tangents: Float64Array = new Float64Array(6);
  readonly #b1: Float64Array = new Float64Array(3);
  readonly #b2: Float64Array = new Float64Array(3);
  readonly #curvature: TouchCurvature = new TouchCurvature();
  #found = false;
  /** Poses of both bodies and parameters at which the feet were found last. */
  readonly #last: Float64Array = new Float64Array(18).fill(Number.NaN);

  /**
   * @param memory of the arena: four parameters, which get the start of the model, and what a unilateral one keeps
   * @throws BerthError for surfaces that have no common normal there, or do not touch in a point
   */
  constructor(
    model: SlidingModel,
    first: ContactBody | null,
    second: ContactBody | null,
    memory: Float64Array,
  ) {
    this.name = model.name;
    this.unilateral =
      model.unilateral === undefined ? null : { ...model.unilateral, memory: memory.subarray(4) };
    this.first = first;
    this.second = second;
    this.#one = new MovingSurface(model.first.surface, first);
    this.#two = new MovingSurface(model.second.surface, second);
    this.#parameters = memory.subarray(0, 4);
    this.#parameters.set(model.start);
    this.#find();
    this.#check();
  }

  writeGaps(gaps: Float64Array, at: number): void {
    this.#find();
    const n = this.#two.normal;
    const d = this.#d;
    // a foot that is not found is no contact: the step that asked for it fails
    gaps[at] = this.#found ? n[0] * d[0] + n[1] * d[1] + n[2] * d[2] : Number.NaN;
  }

  writeRows(jacobian: Float64Array, drift: Float64Array, at: number): void {
    this.#find();
    const o = ROW * at;
    const n = this.#two.normal;
    const r1 = this.#one.lever;
    const r2 = this.#two.lever;
    for (let a = 0; a < 3; a++) {
      jacobian[o + a] = n[a];
      jacobian[o + 6 + a] = -n[a];
    }
    writeCross(jacobian, o + 3, r1, n, 1);
    writeCross(jacobian, o + 9, r2, n, -1);
    drift[at] = 0;
  }

  writePlace(out: Float64Array, at: number): void {
    this.#find();
    const { lever, state } = this.#one;
    for (let a = 0; a < 3; a++) out[at + a] = state[a] + lever[a];
  }

  writeCurvature(curvature: Float64Array, at: number): void {
    this.#find();
    this.#measureCurvatures();
    const { state: x1, lever: r1 } = this.#one;
    const { state: x2, lever: r2, normal: n } = this.#two;
    const t = this.#tangents;
    const b1 = this.#b1;
    const b2 = this.#b2;
    let sx = 0.0; // dV and m along the two tangents
    let sy = 0.0;
    let mx = 0.0;
    let my = 0.0;
    for (let a = 0; a < 3; a++) {
      const b = a === 2 ? 0 : a + 1;
      const c = a === 0 ? 2 : a - 1;
      const v1 = x1[7 + a] + x1[10 + b] * r1[c] - x1[10 + c] * r1[b];
      const v2 = x2[7 + a] + x2[10 + b] * r2[c] - x2[10 + c] * r2[b];
      sx += t[a] * (v1 - v2);
      sy += t[3 + a] * (v1 - v2);
      // (w1 − w2) × n1 with n1 = −n2
      const turn = (x2[10 + b] - x1[10 + b]) * n[c] - (x2[10 + c] - x1[10 + c]) * n[b];
      mx += t[a] * turn;
      my += t[3 + a] * turn;
    }
    const rightX = -mx - (b2[0] * sx + b2[1] * sy);
    const rightY = -my - (b2[1] * sx + b2[2] * sy);
    const kxx = b1[0] + b2[0];
    const kxy = b1[1] + b2[1];
    const kyy = b1[2] + b2[2];
    const determinant = kxx * kyy - kxy * kxy;
    const px = (kyy * rightX - kxy * rightY) / determinant;
    const py = (kxx * rightY - kxy * rightX) / determinant;
    const qx = px + sx;
    const qy = py + sy;
    const bend =
      b1[0] * px * px +
      2 * b1[1] * px * py +
      b1[2] * py * py +
      b2[0] * qx * qx +
      2 * b2[1] * qx * qy +
      b2[2] * qy * qy;
    let sum = 0.0;
    for (let a = 0; a < 3; a++) {
      const b = a === 2 ? 0 : a + 1;
      const c = a === 0 ? 2 : a - 1;
      // w × (w × r) + 2 w × a, component a
      const w1 = x1[10] * r1[0] + x1[11] * r1[1] + x1[12] * r1[2];
      const w2 = x2[10] * r2[0] + x2[11] * r2[1] + x2[12] * r2[2];
      const s1 = x1[10] * x1[10] + x1[11] * x1[11] + x1[12] * x1[12];
      const s2 = x2[10] * x2[10] + x2[11] * x2[11] + x2[12] * x2[12];
      const a1b = t[b] * px + t[3 + b] * py;
      const a1c = t[c] * px + t[3 + c] * py;
      const a2b = t[b] * qx + t[3 + b] * qy;
      const a2c = t[c] * qx + t[3 + c] * qy;
      const one = x1[10 + a] * w1 - s1 * r1[a] + 2 * (x1[10 + b] * a1c - x1[10 + c] * a1b);
      const two = x2[10 + a] * w2 - s2 * r2[a] + 2 * (x2[10 + b] * a2c - x2[10 + c] * a2b);
      sum += n[a] * (one - two);
    }
    curvature[at] = -sum - bend;
  }

  writeLeastCurvature(out: Float64Array, at: number): void {
    this.#find();
    this.#measureCurvatures();
    const xx = this.#b1[0] + this.#b2[0];
    const xy = this.#b1[1] + this.#b2[1];
    const yy = this.#b1[2] + this.#b2[2];
    const half = 0.5 * (xx - yy);
    out[at] = 0.5 * (xx + yy) - Math.sqrt(half * half + xy * xy);
  }

  writeTouch(out: Float64Array, at: number): void {
    this.#find();
    this.#measureCurvatures();
    out[at] = 1;
    this.#curvature.write(out, at, this.#b1, this.#b2, this.#tangents);
  }

  /** Feet of the common normal at the present poses, from the last ones; found ones stay as they are. `Tasora, 7.1`. */
  #find(): void {
    if (this.#found && this.#isSame()) return;
    this.#found = this.#solve();
    if (this.#found) {
      this.lost = false;
      const last = this.#last;
      for (let a = 0; a < 7; a++) {
        last[a] = this.#one.state[a];
        last[7 + a] = this.#two.state[a];
      }
      for (let k = 0; k < 4; k++) last[14 + k] = this.#parameters[k];
    } else if (this.#isPosed()) this.lost = true;
  }

  /** Whether nothing moved since the feet were found: gap, row and Q of one pose need one solution. */
  #isSame(): boolean {
    const last = this.#last;
    const x1 = this.#one.state;
    const x2 = this.#two.state;
    const p = this.#parameters;
    for (let a = 0; a < 7; a++) if (last[a] !== x1[a] || last[7 + a] !== x2[a]) return false;
    for (let k = 0; k < 4; k++) if (last[14 + k] !== p[k]) return false;
    return true;
  }

  #solve(): boolean {
    const one = this.#one;
    const two = this.#two;
    const d = this.#d;
    const step = this.#step;
    const p = this.#parameters;
    for (let pass = 0; pass < MOST_STEPS; pass++) {
      this.work[0]++;
      one.place(p, 0);
      two.place(p, 2);
      two.placeRates();
      for (let a = 0; a < 3; a++) {
        d[a] = one.state[a] + one.lever[a] - two.state[a] - two.lever[a];
      }
      if (!this.#computeStep()) return false;
      let largest = 0.0;
      for (let k = 0; k < 4; k++) {
        const f = k < 2 ? one.world : two.world;
        const o = k % 2 === 0 ? BY_U : BY_V;
        const speed = Math.sqrt(f[o] * f[o] + f[o + 1] * f[o + 1] + f[o + 2] * f[o + 2]);
        const way = Math.abs(step[k]) * speed;
        if (!(way <= largest)) largest = way;
      }
      if (largest < FOUND) return one.holds && two.holds && this.#opposed();
      if (!(largest < Infinity)) return false;
      for (let k = 0; k < 4; k++) p[k] += step[k];
    }
    return false;
  }

  /** Whether both bodies have a pose of numbers: what is lost for want of one has another reason. */
  #isPosed(): boolean {
    let sum = 0.0;
    for (let a = 0; a < 7; a++) {
      sum += this.#one.state[a] - this.#one.state[a];
      sum += this.#two.state[a] - this.#two.state[a];
    }
    return sum === 0;
  }

  #opposed(): boolean {
    const a = this.#one.normal;
    const b = this.#two.normal;
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] < -0.9;
  }

  /**
   * step := −M⁻¹ f of f = (s_u·D, s_v·D, p_u·n2, p_v·n2) and its derivatives M = (A, B; C, E) in blocks of two by two: A of the tangents
   * of both bodies is regular where their planes are not square to each other, and E − C A⁻¹ B is the sum of curvatures. False where
   * one of them is singular.
   */
  #computeStep(): boolean {
    const p = this.#one.world;
    const { world: s, normal: n, normalByU: nu, normalByV: nv } = this.#two;
    const d = this.#d;
    let f0 = 0.0;
    let f1 = 0.0;
    let f2 = 0.0;
    let f3 = 0.0;
    let a00 = 0.0;
    let a01 = 0.0;
    let a10 = 0.0;
    let a11 = 0.0;
    let b00 = 0.0;
    let b01 = 0.0;
    let b11 = 0.0;
    let c00 = 0.0;
    let c01 = 0.0;
    let c11 = 0.0;
    let e00 = 0.0;
    let e01 = 0.0;
    let e10 = 0.0;
    let e11 = 0.0;
    for (let a = 0; a < 3; a++) {
      const pu = p[BY_U + a];
      const pv = p[BY_V + a];
      const su = s[BY_U + a];
      const sv = s[BY_V + a];
      const da = d[a];
      const na = n[a];
      f0 -= su * da;
      f1 -= sv * da;
      f2 -= pu * na;
      f3 -= pv * na;
      a00 += su * pu;
      a01 += su * pv;
      a10 += sv * pu;
      a11 += sv * pv;
      b00 += s[BY_UU + a] * da - su * su;
      b01 += s[BY_UV + a] * da - su * sv;
      b11 += s[BY_VV + a] * da - sv * sv;
      c00 += p[BY_UU + a] * na;
      c01 += p[BY_UV + a] * na;
      c11 += p[BY_VV + a] * na;
      e00 += pu * nu[a];
      e01 += pu * nv[a];
      e10 += pv * nu[a];
      e11 += pv * nv[a];
    }
    const ofA = a00 * a11 - a01 * a10;
    // G = C A⁻¹
    const g00 = (c00 * a11 - c01 * a10) / ofA;
    const g01 = (c01 * a00 - c00 * a01) / ofA;
    const g10 = (c01 * a11 - c11 * a10) / ofA;
    const g11 = (c11 * a00 - c01 * a01) / ofA;
    const k00 = e00 - (g00 * b00 + g01 * b01);
    const k01 = e01 - (g00 * b01 + g01 * b11);
    const k10 = e10 - (g10 * b00 + g11 * b01);
    const k11 = e11 - (g10 * b01 + g11 * b11);
    const r2 = f2 - (g00 * f0 + g01 * f1);
    const r3 = f3 - (g10 * f0 + g11 * f1);
    const ofK = k00 * k11 - k01 * k10;
    const x2 = (r2 * k11 - r3 * k01) / ofK;
    const x3 = (r3 * k00 - r2 * k10) / ofK;
    const r0 = f0 - (b00 * x2 + b01 * x3);
    const r1 = f1 - (b01 * x2 + b11 * x3);
    const step = this.#step;
    step[0] = (r0 * a11 - r1 * a01) / ofA;
    step[1] = (r1 * a00 - r0 * a10) / ofA;
    step[2] = x2;
    step[3] = x3;
    return ofA !== 0 && ofK !== 0;
  }

  #measureCurvatures(): void {
    tangentBasis(this.#tangents, this.#two.normal, 0);
    this.#one.writeCurvature(this.#tangents, this.#b1);
    this.#two.writeCurvature(this.#tangents, this.#b2);
  }

  /** A common normal, and curvatures that leave one point of contact. */
  #check(): void {
    const field = `constraint ${this.name}`;
    this.#measureCurvatures();
    const xx = this.#b1[0] + this.#b2[0];
    const xy = this.#b1[1] + this.#b2[1];
    const yy = this.#b1[2] + this.#b2[2];
    const mean = 0.5 * (xx + yy);
    const apart = Math.sqrt(0.25 * (xx - yy) * (xx - yy) + xy * xy);
    const least = mean - apart;
    if (this.#found && least >= LEAST_CURVATURE) return;
    const flat = Math.abs(least) < LEAST_CURVATURE;
    if (!flat && !this.#found) {
      throw new BerthError(
        'BERTH_MISMATCH',
        `Expected ${field} to start where its surfaces have a common normal, got none within ${MOST_STEPS} steps from start`,
        { field },
      );
    }
    const all = flat && Math.abs(mean + apart) < LEAST_CURVATURE;
    const what = all
      ? 'surface contact'
      : flat
        ? `line contact along (${this.#direction(xx, xy, yy, least).join(', ')})`
        : 'surfaces that cross near the point';
    throw new BerthError(
      'BERTH_UNSUPPORTED',
      `Expected ${field} to touch in a point, got ${what}: the sums of the curvatures are ${least.toPrecision(4)} and ${(mean + apart).toPrecision(4)} 1/m; allowed: >= ${LEAST_CURVATURE}`,
      { field },
    );
  }

  /** Unit vector of an eigenvalue of the sum of curvatures (xx, xy; xy, yy) in the world, to six digits, its largest part positive. */
  #direction(xx: number, xy: number, yy: number, value: number): readonly number[] {
    const t = this.#tangents;
    const [x, y] =
      Math.abs(value - xx) >= Math.abs(value - yy) ? [xy, value - xx] : [value - yy, xy];
    const size = Math.sqrt(x * x + y * y);
    const vector = [0, 1, 2].map((a) => (x * t[a] + y * t[3 + a]) / size);
    const largest = vector.toSorted((a, b) => Math.abs(b) - Math.abs(a))[0];
    return vector.map((part) => Number((part * Math.sign(largest)).toFixed(6)) + 0); // no −0
  }
}

/** out[o..] := sign a × b. */
function writeCross(
  out: Float64Array,
  o: number,
  a: Float64Array,
  b: Float64Array,
  sign: 1 | -1,
): void {
  out[o] = sign * (a[1] * b[2] - a[2] * b[1]);
  out[o + 1] = sign * (a[2] * b[0] - a[0] * b[2]);
  out[o + 2] = sign * (a[0] * b[1] - a[1] * b[0]);
}
