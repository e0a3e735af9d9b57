/**
 * The bristles of both bristle laws: one in the tangent plane, and for a law that spins one about the normal. The laws are in
 * bristle.ts and volumetric-bristle.ts. `Gonthier 2007, (3.28)–(3.42), (4.205)–(4.243)`.
 *
 *   z' = s v + (1 − s)(g v − z/τ_br)        g = μ_C/σ1 C G        |σ0 z + σ1 z'| <= C_s μ_max
 *
 * G is the factor of the regularised direction at the slip. Without spin C = C_s = 1. With r = r_gyr the spin bristle has θ for z, w_n
 * for v, G at r w_n and the limit C_s μ_max/r, and the factors follow from the shares of slip and spin:
 *
 *   v_avg² = |v_t|² + (r w_n)²       C_v = |v_t|/max(v_avg, v_eps)       C_w = r |w_n|/max(v_avg, v_eps)
 *   s = exp(−v_avg²/v_s²)            C = C_s = s + (1 − s) C_v or s + (1 − s) C_w
 *
 * `contensou: paraboloid` takes the exact shares of contensou.ts for C_v and C_w. Newton's method keeps the slope of the ellipse.
 *
 * States: z (world, kept in the tangent plane by projection), θ for a law that spins, and s_dw unless the dwell effect is off.
 * The implicit step takes s, the fading and the limits from the start of the step, rates and slip from its end. It corrects C G
 * once at the slip found. Then the bristle is linear in the new slip, and stiff bristles are stable at 1 ms. The spin uses the
 * latest slip and the slip the latest spin.
 */
import type { BristleModel, VolumetricBristleModel } from '../../model/contact-spec.ts';
import { OWN_COLUMNS } from '../../math/columns.ts';
import type { LawLoop, LawMemory } from '../component.ts';
import { BRISTLE_LOOP } from '../loop-kinds.ts';
import { BRISTLE } from '../normal/normal-law.ts';
import { GYRATION, LOAD, NORMAL, SLIP, SPIN, STEP } from '../pair.ts';
import { ContactReadout } from '../contact-readout.ts';
import { type FrictionLaw, NO_TORQUE } from './friction-law.ts';
import {
  CREEP,
  CUT,
  EDGE,
  EXPLICIT,
  FADE,
  FOLLOW,
  SCRATCH,
  SLIDE,
  SLIDING,
  SLIP_FACTOR,
  SLIP_GAIN,
  SLIP_LIMIT,
  SPINNING,
  SPIN_CUT,
  SPIN_FACTOR,
  SPIN_GAIN,
  SPIN_LIMIT,
  SPIN_SCALE,
  SPRING,
  STICK,
  TORSION,
  TURNING,
  VISCOUS,
} from './bristle-slots.ts';
import { bristleConstants } from './bristle-constants.ts';
import { writeSlope } from './bristle-slope.ts';
import { contensouTable, SHARES, takeShares } from './contensou.ts';
import { EXPONENTIALS, exponentials } from '../../math/elementary/exponential.ts';

/** The bristles of one contact. */
export class TangentialBristle implements FrictionLaw {
  readonly states: Float64Array;
  readonly rates: Float64Array;
  readonly loop?: LawLoop;
  readonly force: Float64Array;
  readonly spins: boolean;
  readonly torque: Float64Array;
  private readonly scratch: Float64Array;
  /** Direction of the force that the limit cuts. */
  private readonly bent: Float64Array;
  private readonly coulomb: number;
  private readonly s0: number;
  private readonly s1: number;
  private readonly s2: number;
  private readonly bristleTime: number;
  private readonly tolerance: number;
  private readonly stiction: number;
  private readonly inverseStribeck2: number;
  private readonly dwellTime: number;
  private readonly startsSticking: boolean;
  /** Exact shares of slip and spin; null: those of the ellipse. */
  private readonly shares: Float64Array | null;
  private readonly spinScale: number;
  /** Slot of s_dw: the states before it are deformations. */
  private readonly dwell: number;

  constructor(model: BristleModel | VolumetricBristleModel, memory: LawMemory) {
    this.spins = model.kind === 'volumetric-bristle';
    const { columns = OWN_COLUMNS } = memory;
    this.force = columns.doubles(3);
    this.scratch = columns.doubles(SCRATCH);
    this.bent = columns.doubles(3);
    this.torque = this.spins ? columns.doubles(3) : NO_TORQUE;
    const exact = model.kind === 'volumetric-bristle' && model.contensou === 'paraboloid';
    this.shares = exact ? contensouTable() : null;
    this.spinScale = model.kind === 'volumetric-bristle' ? (model.spinScale ?? 1) : 0;
    this.dwell = this.spins ? TORSION + 1 : TORSION;
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
    this.scratch[SLIP_FACTOR] = 1;
    this.scratch[EDGE] = this.tolerance;
    this.scratch[VISCOUS] = this.s2;
    this.scratch[SPIN_SCALE] = this.spinScale;
    if (exact) return;
    this.loop = {
      kind: BRISTLE_LOOP,
      constants: bristleConstants(model, columns),
      states: this.states,
      rates: this.rates,
      work: this.scratch,
      force: this.force,
      torque: this.torque,
      bent: this.bent,
      mark: this.spins,
      ...(this.dwellTime > 0 ? { dwell: this.dwell } : {}),
    };
  }

  begin(): void {
    this.states.fill(0);
    if (this.dwellTime > 0 && this.startsSticking) this.states[this.dwell] = 1;
  }

  end(): void {
    this.states.fill(0);
    this.force.fill(0);
    if (this.spins) this.torque.fill(0);
    this.scratch[STICK] = 0;
  }

  evaluate(kinematics: Float64Array, mobility: Float64Array): void {
    const load = mobility[LOAD];
    const x = this.states;
    const r = this.rates;
    const w = this.scratch;
    const s0 = this.s0;
    const s1 = this.s1;
    this.measure(kinematics);
    const vx = kinematics[SLIP];
    const vy = kinematics[SLIP + 1];
    const vz = kinematics[SLIP + 2];
    const nx = kinematics[NORMAL];
    const ny = kinematics[NORMAL + 1];
    const nz = kinematics[NORMAL + 2];
    const out = x[0] * nx + x[1] * ny + x[2] * nz;
    const zx = x[0] - out * nx;
    const zy = x[1] - out * ny;
    const zz = x[2] - out * nz;
    const s = w[STICK];
    const follow = s + (1 - s) * ((this.coulomb * w[SLIP_GAIN]) / s1);
    const fade = (1 - s) / this.bristleTime;
    w[FADE] = fade;
    let dx = follow * vx - fade * zx;
    let dy = follow * vy - fade * zy;
    let dz = follow * vz - fade * zz;
    let fx = s0 * zx + s1 * dx;
    let fy = s0 * zy + s1 * dy;
    let fz = s0 * zz + s1 * dz;
    const m = Math.sqrt(fx * fx + fy * fy + fz * fz);
    const limit = w[SLIP_LIMIT];
    if (m > limit) {
      const k = limit / m;
      fx *= k;
      fy *= k;
      fz *= k;
      dx = (fx - s0 * zx) / s1;
      dy = (fy - s0 * zy) / s1;
      dz = (fz - s0 * zz) / s1;
    }
    const f = this.force;
    f[0] = -load * (fx + this.s2 * vx);
    f[1] = -load * (fy + this.s2 * vy);
    f[2] = -load * (fz + this.s2 * vz);
    r[0] = dx;
    r[1] = dy;
    r[2] = dz;
    if (this.dwellTime > 0) {
      const gap = s - x[this.dwell];
      r[this.dwell] = gap / (gap >= 0 ? this.dwellTime : this.bristleTime);
    }
    w[EXPLICIT] = 1;
    if (this.spins) this.evaluateSpin(kinematics, mobility);
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
    const k = 1 / (1 + fade * h); // bristles fade implicitly: z' = follow v' − fade (z + h z')
    const c = this.s0 * h + this.s1;
    w[FOLLOW] = c;
    w[SPRING] = this.s0 - c * fade * k;
    w[CREEP] = c * s * k;
    w[SLIDE] = (c * (1 - s) * k * this.coulomb) / this.s1;
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
    // candidate below the limit: (1 + h f_n W (damper + σ2)) v' = v* − h f_n W spring z. The gain of the first pass is that of the
    // start of the step; a second pass takes it at the slip found, or braking friction would lag by a step.
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
    w[EXPLICIT] = 0;
    if (this.spins) this.computeGains();
  }

  widen(factor: Float64Array): void {
    this.scratch[EDGE] = factor[0] * this.tolerance;
  }

  respond(kinematics: Float64Array, mobility: Float64Array): void {
    const load = mobility[LOAD];
    const w = this.scratch;
    const z = this.states;
    const b = this.bent;
    const vx = kinematics[SLIP];
    const vy = kinematics[SLIP + 1];
    const vz = kinematics[SLIP + 2];
    w[SLIDING] = vx * vx + vy * vy + vz * vz;
    w[TURNING] = 0;
    if (this.spins) {
      w[TURNING] =
        kinematics[NORMAL] * kinematics[SPIN] +
        kinematics[NORMAL + 1] * kinematics[SPIN + 1] +
        kinematics[NORMAL + 2] * kinematics[SPIN + 2];
      const edge = kinematics[GYRATION] * w[TURNING];
      w[SPINNING] = edge * edge;
    }
    this.computeGains();
    const spring = w[SPRING];
    const damper = w[CREEP] + w[SLIDE] * w[SLIP_GAIN];
    let fx = spring * z[0] + damper * vx;
    let fy = spring * z[1] + damper * vy;
    let fz = spring * z[2] + damper * vz;
    const m = Math.sqrt(fx * fx + fy * fy + fz * fz);
    const limit = w[SLIP_LIMIT];
    w[CUT] = 1;
    if (m > limit) {
      w[CUT] = limit / m;
      b[0] = fx / m;
      b[1] = fy / m;
      b[2] = fz / m;
      fx *= w[CUT];
      fy *= w[CUT];
      fz *= w[CUT];
    }
    const r = this.rates;
    r[0] = (fx - this.s0 * z[0]) / w[FOLLOW];
    r[1] = (fy - this.s0 * z[1]) / w[FOLLOW];
    r[2] = (fz - this.s0 * z[2]) / w[FOLLOW];
    const f = this.force;
    f[0] = -load * (fx + this.s2 * vx);
    f[1] = -load * (fy + this.s2 * vy);
    f[2] = -load * (fz + this.s2 * vz);
    w[EXPLICIT] = 0;
    if (this.spins) this.respondSpin(kinematics, mobility);
  }

  /** The spin bristle of `respond`, with the gains of the slip bristle. */
  private respondSpin(kinematics: Float64Array, mobility: Float64Array): void {
    const w = this.scratch;
    const radius = kinematics[GYRATION];
    const theta = this.states[TORSION];
    let moment = 0;
    this.rates[TORSION] = 0;
    w[SPIN_CUT] = 1;
    if (radius > 0) {
      const damper = w[CREEP] + w[SLIDE] * w[SPIN_GAIN];
      let g = w[SPRING] * theta + damper * w[TURNING];
      const limit = w[SPIN_LIMIT] / radius;
      if (g > limit || g < -limit) {
        w[SPIN_CUT] = limit / Math.abs(g);
        g = g > 0 ? limit : -limit;
      }
      this.rates[TORSION] = (g - this.s0 * theta) / w[FOLLOW];
      moment = -this.spinScale * radius * radius * mobility[LOAD] * (g + this.s2 * w[TURNING]);
    }
    for (let a = 0; a < 3; a++) this.torque[a] = moment * kinematics[NORMAL + a];
  }

  computeSlope(kinematics: Float64Array, slope: Float64Array, secant: boolean): void {
    writeSlope(this.scratch, this.bent, kinematics, this.spins, secant, slope);
  }

  solveSpin(kinematics: Float64Array, inertia: Float64Array, mobility: Float64Array): void {
    if (!this.spins) return;
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
    const w = this.scratch;
    const dwell = this.dwell;
    for (let a = 0; a < dwell; a++) x[a] += h * r[a];
    if (w[EXPLICIT] === 1) {
      if (!(this.dwellTime > 0)) return;
      x[dwell] += h * r[dwell];
      if (x[dwell] < 0) x[dwell] = 0;
      else if (x[dwell] > 1) x[dwell] = 1;
      return;
    }
    EXPONENTIALS[0] = -(w[SLIDING] + w[SPINNING]) * this.inverseStribeck2; // by slots: exp is not inlined in a contact of many places
    const s = exponentials()[0];
    w[STICK] = s;
    if (!(this.dwellTime > 0)) return;
    const gap = s - x[dwell];
    EXPONENTIALS[0] = -h / (gap >= 0 ? this.dwellTime : this.bristleTime);
    x[dwell] -= gap * exponentials()[1];
  }

  computeStored(flags: Float64Array, normal: Float64Array, kinematics: Float64Array): void {
    const x = this.states;
    let bent = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    if (this.spins) {
      const r = kinematics[GYRATION];
      bent += this.spinScale * r * r * x[TORSION] * x[TORSION];
    }
    normal[BRISTLE] = 0.5 * flags[1] * this.s0 * bent;
  }

  read(readout: Float64Array): void {
    const x = this.states;
    const s = this.scratch[STICK];
    for (let a = 0; a < 3; a++) readout[ContactReadout.z_x + a] = x[a];
    readout[ContactReadout.dwell] = this.dwellTime > 0 ? x[this.dwell] : s;
    readout[ContactReadout.stick] = s;
    if (this.spins) readout[ContactReadout.torsion] = x[TORSION];
  }

  /** Moment and rate of the spin bristle, after those of the slip. */
  private evaluateSpin(kinematics: Float64Array, mobility: Float64Array): void {
    const r = this.rates;
    const w = this.scratch;
    const nx = kinematics[NORMAL];
    const ny = kinematics[NORMAL + 1];
    const nz = kinematics[NORMAL + 2];
    const radius = kinematics[GYRATION];
    const spin = nx * kinematics[SPIN] + ny * kinematics[SPIN + 1] + nz * kinematics[SPIN + 2];
    const theta = this.states[TORSION];
    let moment = 0;
    r[TORSION] = 0;
    if (radius > 0) {
      const s = w[STICK];
      const follow = s + (1 - s) * ((this.coulomb * w[SPIN_GAIN]) / this.s1);
      r[TORSION] = follow * spin - w[FADE] * theta;
      let g = this.s0 * theta + this.s1 * r[TORSION];
      const limit = w[SPIN_LIMIT] / radius;
      if (g > limit || g < -limit) {
        g = g > 0 ? limit : -limit;
        r[TORSION] = (g - this.s0 * theta) / this.s1;
      }
      moment = -this.spinScale * radius * radius * mobility[LOAD] * (g + this.s2 * spin);
    }
    this.torque[0] = moment * nx;
    this.torque[1] = moment * ny;
    this.torque[2] = moment * nz;
  }

  /** Slip, spin, stick state, gains and limits from the kinematics. */
  private measure(k: Float64Array): void {
    const w = this.scratch;
    w[SLIDING] = k[SLIP] * k[SLIP] + k[SLIP + 1] * k[SLIP + 1] + k[SLIP + 2] * k[SLIP + 2];
    if (this.spins) {
      const turn =
        k[GYRATION] *
        (k[NORMAL] * k[SPIN] + k[NORMAL + 1] * k[SPIN + 1] + k[NORMAL + 2] * k[SPIN + 2]);
      w[SPINNING] = turn * turn;
    }
    EXPONENTIALS[0] = -(w[SLIDING] + w[SPINNING]) * this.inverseStribeck2; // by slots: exp is not inlined in a contact of many places
    const s = exponentials()[0];
    w[STICK] = s;
    const dwell = this.dwellTime > 0 ? this.states[this.dwell] : s;
    const top = this.coulomb + (this.stiction - this.coulomb) * dwell;
    this.computeGains();
    w[SLIP_LIMIT] = top * w[SLIP_FACTOR];
    w[SPIN_LIMIT] = top * w[SPIN_FACTOR];
  }

  /** Factors and gains C G of the slip and spin in the scratch column, with its stick state. */
  private computeGains(): void {
    const w = this.scratch;
    const edge = w[EDGE];
    const slip = Math.sqrt(w[SLIDING]);
    // the formula of direction.ts, spelled out because a call may allocate its numbers
    const r = slip / edge;
    w[SLIP_GAIN] = r >= 1 ? 1 / slip : (1.5 - 0.5 * r * r) / edge;
    if (!this.spins) return;
    const s = w[STICK];
    const spin = Math.sqrt(w[SPINNING]);
    const mean = Math.sqrt(w[SLIDING] + w[SPINNING]);
    const share = (1 - s) / Math.max(mean, edge); // a choice between the two would be allocated
    const q = spin / edge;
    let slipFactor = s + share * slip;
    let spinFactor = s + share * spin;
    if (this.shares !== null && mean > 0) {
      SHARES[0] = slip;
      SHARES[1] = spin;
      takeShares(this.shares);
      slipFactor = s + share * mean * SHARES[0];
      spinFactor = s + share * mean * SHARES[1];
    }
    w[SLIP_FACTOR] = slipFactor;
    w[SPIN_FACTOR] = spinFactor;
    w[SLIP_GAIN] = slipFactor * w[SLIP_GAIN];
    w[SPIN_GAIN] = spinFactor * (q >= 1 ? 1 / spin : (1.5 - 0.5 * q * q) / edge);
  }
}
