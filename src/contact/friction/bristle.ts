/**
 * Seven-parameter bristle friction with dwell time. `Gonthier 2007, (3.28)–(3.42)`, docs/theory/bristle-friction.md.
 *
 * States: z (bristle deformation, world components, kept in the tangent plane by projection) and, unless the dwell effect
 * is off, s_dw. All coefficients are relative to the load. `evaluate` is the explicit reference. The implicit step solves
 * the same equations with s taken at the start of the step, z' and the slip at its end, the direction factor corrected once:
 * then the bristle is linear in the new slip, and stiff bristles are stable at 1 ms.
 *
 * Not strictly passive: raising the load on a bent bristle makes energy, at most Δf_n mu_S²/(2 σ0) an event.
 */
import type { BristleModel } from '../../contact-spec.ts';
import { notNegative, positive, range } from '../../parameter-checks.ts';
import type { LawDefinition, LawMemory } from '../component.ts';
import { BRISTLE } from '../normal/normal-law.ts';
import { LOAD, NORMAL, SLIP, STEP } from '../pair.ts';
import { directionFactor } from './direction.ts';
import {
  DEFORMATION_READOUT,
  DWELL_READOUT,
  type FrictionLaw,
  NO_TORQUE,
  STICK_READOUT,
} from './friction-law.ts';

// slots of the scratch column
const STICK = 0; //     s of the last evaluation
const SPRING = 1; //    implicit: coefficient of z in F
const DAMPER = 2; //    implicit: coefficient of v' in F
const FOLLOW = 3; //    implicit: c = σ0 h + σ1
const LIMIT = 4; //     mu_max at the start of the step
const NEW_SPEED2 = 5; // squared slip after the step
const CREEP = 6; //     part of the damper that holds in stick
const SLIDE = 7; //     part of the damper that the direction factor multiplies

/** The bristle law of one contact. */
export class BristleFriction implements FrictionLaw {
  readonly states: Float64Array;
  readonly rates: Float64Array;
  readonly force: Float64Array = new Float64Array(3);
  readonly spins: boolean = false;
  readonly torque: Float64Array = NO_TORQUE;
  private readonly scratch: Float64Array = new Float64Array(8);
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

  constructor(model: BristleModel, memory: LawMemory) {
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
  }

  begin(): void {
    const x = this.states;
    x[0] = 0;
    x[1] = 0;
    x[2] = 0;
    if (this.dwellTime > 0) x[3] = this.startsSticking ? 1 : 0;
  }

  end(): void {
    const x = this.states;
    for (let i = 0; i < x.length; i++) x[i] = 0;
    for (let i = 0; i < 3; i++) this.force[i] = 0;
    this.scratch[STICK] = 0;
  }

  evaluate(kinematics: Float64Array, mobility: Float64Array): void {
    const normalForce = mobility[LOAD];
    const x = this.states;
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
    const v2 = vx * vx + vy * vy + vz * vz;
    const s = Math.exp(-v2 * this.inverseStribeck2);
    const g = (this.coulomb * directionFactor(Math.sqrt(v2), this.tolerance)) / this.s1;
    const follow = s + (1 - s) * g;
    const fade = (1 - s) / this.bristleTime;
    let dx = follow * vx - fade * zx;
    let dy = follow * vy - fade * zy;
    let dz = follow * vz - fade * zz;
    const dwell = this.dwellTime > 0 ? x[3] : s;
    const limit = this.coulomb + (this.stiction - this.coulomb) * dwell;
    const s0 = this.s0;
    const s1 = this.s1;
    let fx = s0 * zx + s1 * dx;
    let fy = s0 * zy + s1 * dy;
    let fz = s0 * zz + s1 * dz;
    const m = Math.sqrt(fx * fx + fy * fy + fz * fz);
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
    f[0] = -normalForce * (fx + this.s2 * vx);
    f[1] = -normalForce * (fy + this.s2 * vy);
    f[2] = -normalForce * (fz + this.s2 * vz);
    const r = this.rates;
    r[0] = dx;
    r[1] = dy;
    r[2] = dz;
    if (this.dwellTime > 0) r[3] = (s - dwell) / (s >= dwell ? this.dwellTime : this.bristleTime);
    this.scratch[STICK] = s;
    this.scratch[NEW_SPEED2] = -1; // the explicit path: `advance` uses the rate of s_dw
  }

  prepare(kinematics: Float64Array, timing: Float64Array): void {
    const h = timing[0];
    const x = this.states;
    const nx = kinematics[NORMAL];
    const ny = kinematics[NORMAL + 1];
    const nz = kinematics[NORMAL + 2];
    const out = x[0] * nx + x[1] * ny + x[2] * nz;
    x[0] -= out * nx;
    x[1] -= out * ny;
    x[2] -= out * nz;
    const vx = kinematics[SLIP];
    const vy = kinematics[SLIP + 1];
    const vz = kinematics[SLIP + 2];
    const v2 = vx * vx + vy * vy + vz * vz;
    const s = Math.exp(-v2 * this.inverseStribeck2);
    const fade = (1 - s) / this.bristleTime;
    const k = 1 / (1 + fade * h); // the bristle fades implicitly: z' = follow v' − fade (z + h z')
    const c = this.s0 * h + this.s1;
    const w = this.scratch;
    w[FOLLOW] = c;
    w[SPRING] = this.s0 - c * fade * k;
    w[CREEP] = c * s * k;
    w[SLIDE] = (c * (1 - s) * k * this.coulomb) / this.s1;
    w[DAMPER] = w[CREEP] + w[SLIDE] * directionFactor(Math.sqrt(v2), this.tolerance);
    w[LIMIT] = this.coulomb + (this.stiction - this.coulomb) * (this.dwellTime > 0 ? x[3] : s);
  }

  solve(kinematics: Float64Array, basis: Float64Array, mobility: Float64Array): void {
    const normalForce = mobility[LOAD];
    const h = mobility[STEP];
    const x = this.states;
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
    const k = h * normalForce;
    const waa = k * mobility[0];
    const wab = k * mobility[1];
    const wbb = k * mobility[2];
    const spring = w[SPRING];
    // candidate below the limit: (1 + k W (damper + σ2)) v' = v* − k W spring z. The direction factor of the first pass is that
    // of the start of the step; a second pass takes it at the slip found, or braking friction would lag by a step.
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
        const speed = Math.sqrt(na * na + nb * nb);
        w[DAMPER] = w[CREEP] + w[SLIDE] * directionFactor(speed, this.tolerance);
      }
      d = w[DAMPER] + this.s2;
      m11 = 1 + waa * d;
      m12 = wab * d;
      m22 = 1 + wbb * d;
      inverse = 1 / (m11 * m22 - m12 * m12);
      na = (m22 * ra - m12 * rb) * inverse;
      nb = (m11 * rb - m12 * ra) * inverse;
    }
    let fa = spring * za + w[DAMPER] * na;
    let fb = spring * zb + w[DAMPER] * nb;
    const m = Math.sqrt(fa * fa + fb * fb);
    const limit = w[LIMIT];
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
    const r = this.rates;
    r[0] = da * a0 + db * b0;
    r[1] = da * a1 + db * b1;
    r[2] = da * a2 + db * b2;
    fa = -normalForce * (fa + this.s2 * na);
    fb = -normalForce * (fb + this.s2 * nb);
    const f = this.force;
    f[0] = fa * a0 + fb * b0;
    f[1] = fa * a1 + fb * b1;
    f[2] = fa * a2 + fb * b2;
    const speed2 = na * na + nb * nb;
    w[NEW_SPEED2] = speed2;
    w[STICK] = Math.exp(-speed2 * this.inverseStribeck2);
  }

  solveSpin(): void {
    return;
  }

  advance(timing: Float64Array): void {
    const h = timing[0];
    const x = this.states;
    const r = this.rates;
    x[0] += h * r[0];
    x[1] += h * r[1];
    x[2] += h * r[2];
    if (!(this.dwellTime > 0)) return;
    if (this.scratch[NEW_SPEED2] < 0) {
      x[3] += h * r[3];
      if (x[3] < 0) x[3] = 0;
      else if (x[3] > 1) x[3] = 1;
      return;
    }
    const gap = this.scratch[STICK] - x[3];
    x[3] -= gap * Math.expm1(-h / (gap >= 0 ? this.dwellTime : this.bristleTime));
  }

  computeStored(flags: Float64Array, normal: Float64Array): void {
    const x = this.states;
    normal[BRISTLE] = 0.5 * flags[1] * this.s0 * (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  }

  read(readout: Float64Array): void {
    const x = this.states;
    const s = this.scratch[STICK];
    for (let a = 0; a < 3; a++) readout[DEFORMATION_READOUT + a] = x[a];
    readout[DWELL_READOUT] = this.dwellTime > 0 ? x[3] : s;
    readout[STICK_READOUT] = s;
  }
}

export const BRISTLE_FRICTION: LawDefinition<BristleModel, FrictionLaw> = {
  needs: [],
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
  },
  size: (model) => ({ states: model.dwellTime > 0 ? 4 : 3, internals: 0 }),
  make: (model, memory) => new BristleFriction(model, memory),
};
