/**
 * Bristle friction of a contact area that slides and spins: the bristle of bristle.ts for the slip, a torsional one for the spin,
 * coupled by Contensou factors. `Gonthier 2007, (4.205)–(4.243)`, docs/theory/volumetric-contact.md.
 *
 *   v_avg² = |v_t|² + (r w_n)²       C_v = |v_t|/max(v_avg, v_eps)       C_w = r |w_n|/max(v_avg, v_eps)       r = r_gyr
 *   s = exp(−v_avg²/v_s²)            C_vs = s + (1 − s) C_v              C_ws = s + (1 − s) C_w
 *
 * Both bristles have one form, z' = s v + (1 − s)(g v − z/τ_br) with g = μ_C/σ1 C G(|v|), G the factor of the regularised direction
 * (of r w_n for the spin), and the limits μ_max C_vs and μ_max C_ws/r.
 *
 * States: z (world, kept in the tangent plane by projection), θ and, unless the dwell effect is off, s_dw. `evaluate` is the explicit
 * reference. The implicit step takes s, the fading and the limits from the start of the step, the rates at its end, and corrects C G once
 * at the slip found; the spin uses the latest slip and the slip the latest spin.
 *
 * Limits: one mean slip for the whole area, an ellipse for the coupling of force and moment (up to twice the moment of a paraboloid of
 * pressure in fast sliding). Not strictly passive: raising the load on a bent bristle makes energy.
 */
import type { VolumetricBristleModel } from '../../contact-spec.ts';
import { notNegative, positive, range } from '../../parameter-checks.ts';
import type { LawDefinition, LawMemory } from '../component.ts';
import { BRISTLE } from '../normal/normal-law.ts';
import { GYRATION, LOAD, NORMAL, SLIP, SPIN, STEP } from '../pair.ts';
import {
  DEFORMATION_READOUT,
  DWELL_READOUT,
  type FrictionLaw,
  STICK_READOUT,
} from './friction-law.ts';

// slots of the states
const TORSION = 3;
const DWELL = 4;
// slots of the scratch column
const STICK = 0; //        s
const SLIDING = 1; //      |v_t|²
const SPINNING = 2; //     (r w_n)²
const SLIP_GAIN = 3; //    C_vs G(|v_t|)
const SPIN_GAIN = 4; //    C_ws G(r |w_n|)
const SLIP_FACTOR = 5; //  C_vs
const SPIN_FACTOR = 6; //  C_ws
const LIMIT = 7; //        μ_max
const SPRING = 8; //       implicit: coefficient of z in F
const FOLLOW = 9; //       implicit: c = σ0 h + σ1
const CREEP = 10; //       implicit: part of the damper that holds in stick
const SLIDE = 11; //       implicit: part of the damper that C G multiplies
const SLIP_LIMIT = 12; //  implicit: μ_max C_vs at the start of the step
const SPIN_LIMIT = 13; //  implicit: μ_max C_ws at the start of the step
const START_STICK = 14; // implicit: s at the start of the step
const EXPLICIT = 15; //    1 after `evaluate`, 0 after `prepare`

/** The volumetric bristle law of one contact. */
export class VolumetricBristle implements FrictionLaw {
  readonly states: Float64Array;
  readonly rates: Float64Array;
  readonly force: Float64Array = new Float64Array(3);
  readonly spins: boolean = true;
  readonly torque: Float64Array = new Float64Array(3);
  private readonly scratch: Float64Array = new Float64Array(16);
  private readonly stiction: number;
  private readonly coulomb: number;
  private readonly s0: number;
  private readonly s1: number;
  private readonly s2: number;
  private readonly inverseStribeck2: number;
  private readonly dwellTime: number;
  private readonly bristleTime: number;
  private readonly tolerance: number;
  private readonly startsSticking: boolean;
  private readonly spinScale: number;

  constructor(model: VolumetricBristleModel, memory: LawMemory) {
    this.states = memory.states;
    this.rates = memory.rates;
    this.stiction = model.stiction;
    this.coulomb = model.coulomb;
    this.s0 = model.bristleStiffness;
    this.s1 = model.bristleDamping;
    this.s2 = model.viscousDamping;
    this.inverseStribeck2 = 1 / (model.stribeckVelocity * model.stribeckVelocity);
    this.dwellTime = model.dwellTime;
    this.bristleTime = model.bristleDamping / model.bristleStiffness;
    this.tolerance = model.velocityTolerance;
    this.startsSticking = model.startsSticking;
    this.spinScale = model.spinScale ?? 1;
  }

  begin(): void {
    this.states.fill(0);
    if (this.dwellTime > 0 && this.startsSticking) this.states[DWELL] = 1;
  }

  end(): void {
    this.states.fill(0);
    this.force.fill(0);
    this.torque.fill(0);
    this.scratch[STICK] = 0;
  }

  evaluate(kinematics: Float64Array, mobility: Float64Array): void {
    const load = mobility[LOAD];
    const x = this.states;
    const r = this.rates;
    const w = this.scratch;
    const k = kinematics;
    const s0 = this.s0;
    const s1 = this.s1;
    this.measure(k);
    const s = w[STICK];
    const nx = k[NORMAL];
    const ny = k[NORMAL + 1];
    const nz = k[NORMAL + 2];
    const out = x[0] * nx + x[1] * ny + x[2] * nz;
    const zx = x[0] - out * nx;
    const zy = x[1] - out * ny;
    const zz = x[2] - out * nz;
    const grip = ((1 - s) * this.coulomb) / s1;
    const fade = (1 - s) / this.bristleTime;
    let follow = s + grip * w[SLIP_GAIN];
    r[0] = follow * k[SLIP] - fade * zx;
    r[1] = follow * k[SLIP + 1] - fade * zy;
    r[2] = follow * k[SLIP + 2] - fade * zz;
    let fx = s0 * zx + s1 * r[0];
    let fy = s0 * zy + s1 * r[1];
    let fz = s0 * zz + s1 * r[2];
    const m = Math.sqrt(fx * fx + fy * fy + fz * fz);
    let limit = w[LIMIT] * w[SLIP_FACTOR];
    if (m > limit) {
      const cut = limit / m;
      fx *= cut;
      fy *= cut;
      fz *= cut;
      r[0] = (fx - s0 * zx) / s1;
      r[1] = (fy - s0 * zy) / s1;
      r[2] = (fz - s0 * zz) / s1;
    }
    this.force[0] = -load * (fx + this.s2 * k[SLIP]);
    this.force[1] = -load * (fy + this.s2 * k[SLIP + 1]);
    this.force[2] = -load * (fz + this.s2 * k[SLIP + 2]);
    const radius = k[GYRATION];
    const spin = nx * k[SPIN] + ny * k[SPIN + 1] + nz * k[SPIN + 2];
    const theta = x[TORSION];
    let moment = 0;
    if (radius > 0) {
      follow = s + grip * w[SPIN_GAIN];
      r[TORSION] = follow * spin - fade * theta;
      let g = s0 * theta + s1 * r[TORSION];
      limit = (w[LIMIT] * w[SPIN_FACTOR]) / radius;
      if (g > limit || g < -limit) {
        g = g > 0 ? limit : -limit;
        r[TORSION] = (g - s0 * theta) / s1;
      }
      moment = -this.spinScale * radius * radius * load * (g + this.s2 * spin);
    } else {
      r[TORSION] = 0;
    }
    this.torque[0] = moment * nx;
    this.torque[1] = moment * ny;
    this.torque[2] = moment * nz;
    if (this.dwellTime > 0) {
      const gap = s - x[DWELL];
      r[DWELL] = gap / (gap >= 0 ? this.dwellTime : this.bristleTime);
    }
    w[EXPLICIT] = 1;
  }

  prepare(kinematics: Float64Array, timing: Float64Array): void {
    const h = timing[0];
    const x = this.states;
    const w = this.scratch;
    const nx = kinematics[NORMAL];
    const ny = kinematics[NORMAL + 1];
    const nz = kinematics[NORMAL + 2];
    const out = x[0] * nx + x[1] * ny + x[2] * nz;
    x[0] -= out * nx;
    x[1] -= out * ny;
    x[2] -= out * nz;
    this.measure(kinematics);
    const s = w[STICK];
    const fade = (1 - s) / this.bristleTime;
    const k = 1 / (1 + fade * h); // the bristles fade implicitly: z' = follow v' − fade (z + h z')
    const c = this.s0 * h + this.s1;
    w[FOLLOW] = c;
    w[SPRING] = this.s0 - c * fade * k;
    w[CREEP] = c * s * k;
    w[SLIDE] = (c * (1 - s) * k * this.coulomb) / this.s1;
    w[SLIP_LIMIT] = w[LIMIT] * w[SLIP_FACTOR];
    w[SPIN_LIMIT] = w[LIMIT] * w[SPIN_FACTOR];
    w[START_STICK] = s;
    w[EXPLICIT] = 0;
  }

  solve(kinematics: Float64Array, basis: Float64Array, mobility: Float64Array): void {
    const load = mobility[LOAD];
    const h = mobility[STEP];
    const x = this.states;
    const r = this.rates;
    const w = this.scratch;
    const a0 = basis[0];
    const a1 = basis[1];
    const a2 = basis[2];
    const b0 = basis[3];
    const b1 = basis[4];
    const b2 = basis[5];
    const va = kinematics[SLIP] * a0 + kinematics[SLIP + 1] * a1 + kinematics[SLIP + 2] * a2;
    const vb = kinematics[SLIP] * b0 + kinematics[SLIP + 1] * b1 + kinematics[SLIP + 2] * b2;
    const za = x[0] * a0 + x[1] * a1 + x[2] * a2;
    const zb = x[0] * b0 + x[1] * b1 + x[2] * b2;
    const gain = h * load;
    const waa = gain * mobility[0];
    const wab = gain * mobility[1];
    const wbb = gain * mobility[2];
    const spring = w[SPRING];
    // candidate below the limit: (1 + h f_n W (damper + σ2)) v' = v* − h f_n W spring z
    let damper = 0;
    let d = 0;
    let ra = va - spring * (waa * za + wab * zb);
    let rb = vb - spring * (wab * za + wbb * zb);
    let m11 = 0;
    let m12 = 0;
    let m22 = 0;
    let inverse = 0;
    let na = 0;
    let nb = 0;
    for (let pass = 0; pass < 2; pass++) {
      if (pass === 1) {
        w[SLIDING] = na * na + nb * nb;
        this.computeGains();
      }
      damper = w[CREEP] + w[SLIDE] * w[SLIP_GAIN];
      d = damper + this.s2;
      m11 = 1 + waa * d;
      m12 = wab * d;
      m22 = 1 + wbb * d;
      inverse = 1 / (m11 * m22 - m12 * m12);
      na = (m22 * ra - m12 * rb) * inverse;
      nb = (m11 * rb - m12 * ra) * inverse;
    }
    let fa = spring * za + damper * na;
    let fb = spring * zb + damper * nb;
    const m = Math.sqrt(fa * fa + fb * fb);
    const limit = w[SLIP_LIMIT];
    if (m > limit) {
      fa *= limit / m;
      fb *= limit / m;
      d = this.s2;
      ra = va - (waa * fa + wab * fb);
      rb = vb - (wab * fa + wbb * fb);
      m11 = 1 + waa * d;
      m12 = wab * d;
      m22 = 1 + wbb * d;
      inverse = 1 / (m11 * m22 - m12 * m12);
      na = (m22 * ra - m12 * rb) * inverse;
      nb = (m11 * rb - m12 * ra) * inverse;
    }
    const da = (fa - this.s0 * za) / w[FOLLOW];
    const db = (fb - this.s0 * zb) / w[FOLLOW];
    fa = -load * (fa + this.s2 * na);
    fb = -load * (fb + this.s2 * nb);
    const f = this.force;
    r[0] = da * a0 + db * b0;
    r[1] = da * a1 + db * b1;
    r[2] = da * a2 + db * b2;
    f[0] = fa * a0 + fb * b0;
    f[1] = fa * a1 + fb * b1;
    f[2] = fa * a2 + fb * b2;
    w[SLIDING] = na * na + nb * nb;
    this.computeGains();
  }

  solveSpin(kinematics: Float64Array, inertia: Float64Array, mobility: Float64Array): void {
    const w = this.scratch;
    const r = this.rates;
    const nx = kinematics[NORMAL];
    const ny = kinematics[NORMAL + 1];
    const nz = kinematics[NORMAL + 2];
    const radius = kinematics[GYRATION];
    const before = nx * kinematics[SPIN] + ny * kinematics[SPIN + 1] + nz * kinematics[SPIN + 2];
    const theta = this.states[TORSION];
    let moment = 0;
    r[TORSION] = 0;
    if (radius > 0) {
      const m = inertia;
      const yielding =
        nx * (m[0] * nx + m[1] * ny + m[2] * nz) +
        ny * (m[3] * nx + m[4] * ny + m[5] * nz) +
        nz * (m[6] * nx + m[7] * ny + m[8] * nz);
      const load = this.spinScale * radius * radius * mobility[LOAD];
      const gain = mobility[STEP] * load * yielding;
      const pushed = before - gain * w[SPRING] * theta;
      let damper = 0;
      let after = 0;
      for (let pass = 0; pass < 2; pass++) {
        if (pass === 1) {
          w[SPINNING] = radius * radius * after * after;
          this.computeGains();
        }
        damper = w[CREEP] + w[SLIDE] * w[SPIN_GAIN];
        after = pushed / (1 + gain * (damper + this.s2));
      }
      let g = w[SPRING] * theta + damper * after;
      const limit = w[SPIN_LIMIT] / radius;
      if (g > limit || g < -limit) {
        g = g > 0 ? limit : -limit;
        after = (before - gain * g) / (1 + gain * this.s2);
      }
      r[TORSION] = (g - this.s0 * theta) / w[FOLLOW];
      moment = -load * (g + this.s2 * after);
      w[SPINNING] = radius * radius * after * after;
      this.computeGains();
    }
    this.torque[0] = moment * nx;
    this.torque[1] = moment * ny;
    this.torque[2] = moment * nz;
  }

  advance(timing: Float64Array): void {
    const h = timing[0];
    const x = this.states;
    const r = this.rates;
    for (let a = 0; a <= TORSION; a++) x[a] += h * r[a];
    if (!(this.dwellTime > 0)) return;
    const w = this.scratch;
    if (w[EXPLICIT] === 1) {
      x[DWELL] += h * r[DWELL];
      if (x[DWELL] < 0) x[DWELL] = 0;
      else if (x[DWELL] > 1) x[DWELL] = 1;
      return;
    }
    w[STICK] = Math.exp(-(w[SLIDING] + w[SPINNING]) * this.inverseStribeck2);
    const gap = w[STICK] - x[DWELL];
    x[DWELL] -= gap * Math.expm1(-h / (gap >= 0 ? this.dwellTime : this.bristleTime));
  }

  computeStored(flags: Float64Array, normal: Float64Array, kinematics: Float64Array): void {
    const x = this.states;
    const r = kinematics[GYRATION];
    const bent = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    const twisted = this.spinScale * r * r * x[TORSION] * x[TORSION];
    normal[BRISTLE] = 0.5 * flags[1] * this.s0 * (bent + twisted);
  }

  read(readout: Float64Array): void {
    const x = this.states;
    const s = this.scratch[STICK];
    for (let a = 0; a < 3; a++) readout[DEFORMATION_READOUT + a] = x[a];
    readout[DWELL_READOUT] = this.dwellTime > 0 ? x[DWELL] : s;
    readout[STICK_READOUT] = s;
  }

  /** Slip, spin, stick state, limit and factors from the kinematics. */
  private measure(k: Float64Array): void {
    const w = this.scratch;
    const turn =
      k[GYRATION] *
      (k[NORMAL] * k[SPIN] + k[NORMAL + 1] * k[SPIN + 1] + k[NORMAL + 2] * k[SPIN + 2]);
    w[SLIDING] = k[SLIP] * k[SLIP] + k[SLIP + 1] * k[SLIP + 1] + k[SLIP + 2] * k[SLIP + 2];
    w[SPINNING] = turn * turn;
    const s = Math.exp(-(w[SLIDING] + w[SPINNING]) * this.inverseStribeck2);
    w[STICK] = s;
    w[START_STICK] = s;
    const dwell = this.dwellTime > 0 ? this.states[DWELL] : s;
    w[LIMIT] = this.coulomb + (this.stiction - this.coulomb) * dwell;
    this.computeGains();
  }

  /** Factors C_vs, C_ws and gains C G of the slip and spin in the scratch column, with the stick state of the start. */
  private computeGains(): void {
    const w = this.scratch;
    const s = w[START_STICK];
    const slip = Math.sqrt(w[SLIDING]);
    const spin = Math.sqrt(w[SPINNING]);
    const mean = Math.sqrt(w[SLIDING] + w[SPINNING]);
    const share = (1 - s) / Math.max(mean, this.tolerance); // a choice between the two would be allocated
    w[SLIP_FACTOR] = s + share * slip;
    w[SPIN_FACTOR] = s + share * spin;
    // the formula of direction.ts, spelled out because a call may allocate its numbers
    const edge = this.tolerance;
    const r = slip / edge;
    const q = spin / edge;
    w[SLIP_GAIN] = w[SLIP_FACTOR] * (r >= 1 ? 1 / slip : (1.5 - 0.5 * r * r) / edge);
    w[SPIN_GAIN] = w[SPIN_FACTOR] * (q >= 1 ? 1 / spin : (1.5 - 0.5 * q * q) / edge);
  }
}

export const VOLUMETRIC_BRISTLE: LawDefinition<VolumetricBristleModel, FrictionLaw> = {
  needs: ['volume'],
  check(model, field) {
    const { coulomb, stiction, velocityTolerance } = model;
    notNegative(`${field}.coulomb`, coulomb);
    range(`${field}.stiction`, stiction, stiction >= coulomb, `>= coulomb (${coulomb})`);
    positive(`${field}.bristleStiffness`, model.bristleStiffness);
    positive(`${field}.bristleDamping`, model.bristleDamping);
    notNegative(`${field}.viscousDamping`, model.viscousDamping);
    positive(`${field}.stribeckVelocity`, model.stribeckVelocity);
    notNegative(`${field}.dwellTime`, model.dwellTime);
    const limit = model.stribeckVelocity / 10;
    range(
      `${field}.velocityTolerance`,
      velocityTolerance,
      velocityTolerance > 0 && velocityTolerance <= limit * (1 + 1e-12),
      `in (0, ${limit}] (a tenth of the Stribeck velocity)`,
    );
    notNegative(`${field}.spinScale`, model.spinScale ?? 1);
  },
  size: (model) => ({ states: model.dwellTime > 0 ? 5 : 4, internals: 0 }),
  make: (model, memory) => new VolumetricBristle(model, memory),
};
