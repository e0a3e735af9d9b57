/**
 * Force and moment accommodation: the commanded twist is traded against the contact wrench, so that
 * the steady contact force is bounded and proportional to the commanded speed.
 * docs/theory/force-moment-accommodation.md.
 *
 *   e = P (F + F_set),  v_ref = v_cmd + f(e)/g,  |v_ref| <= v_max;   v' = (v_ref − v)/T
 *   f(e) = dz(e) = e max(|e| − b, 0)/|e|  without a set-point;  with one, u = P F_set/|P F_set|:  f(e) = (e·u) u + dz(e − (e·u) u)
 *
 * F is the contact force on the tool and F_set the force that the tool exerts. Pushing into a wall
 * at speed v settles at |F| = b + g |v|. With a set-point it settles at F_set, without an offset by
 * the dead-band. P selects the accommodating axes.
 * `Gonthier 2007, 5.1.4` gives the law without P and F_set.
 */
import { StateArena } from '../math/state-arena.ts';
import type { ToolModel } from '../model/model.ts';
import { indicesOf, type NameIndices } from '../base/name-indices.ts';

/** Columns of a setting: force x, y, z and moment x, y, z of the base frame, then pairs (force, moment). */
export const FmaSlot = Object.freeze({
  /** 1: the axis accommodates, 0: it is stiff. Values between occur during a change. */
  AXES: 0,
  /** Force and moment that the tool exerts on its surroundings, N and N m; 0 on stiff axes. */
  SET_POINT: 6,
  /** Dead-band, N and N m: a pair. */
  DEADBAND: 12,
  MOMENT_DEADBAND: 13,
  /** Gain, N per m/s and N m per rad/s: a pair. */
  GAIN: 14,
  MOMENT_GAIN: 15,
  /** 1 with a set-point: there is no dead-band along it. */
  GUIDED: 16,
});
/** Arguments of a change of the setting: axes as bits, set-point, dead-bands and gains of force and moment. */
export const FMA_ARGUMENTS = [
  'axes',
  'force_x',
  'force_y',
  'force_z',
  'moment_x',
  'moment_y',
  'moment_z',
  'force_deadband',
  'moment_deadband',
  'force_gain',
  'moment_gain',
] as const;
export const FmaArgument: NameIndices<typeof FMA_ARGUMENTS> = indicesOf(FMA_ARGUMENTS);
const { AXES, SET_POINT, DEADBAND, MOMENT_DEADBAND, GAIN, MOMENT_GAIN, GUIDED } = FmaSlot;
const SETTING_WIDTH = 18;
/** Duration of a change of the setting, s of model time; all columns change linearly. */
export const FMA_RAMP_s = 0.5;

/** Accommodation law: reference twist and its tracking. Twists lie in a body state at 7 (linear) and 10 (angular). */
export class Accommodation {
  readonly arena: StateArena;
  /** v_ref of the last evaluation: linear, then angular. */
  readonly reference: Float64Array;
  /** Present setting, columns of FmaSlot. */
  readonly present: Float64Array;
  /** Setting at the end of the change in progress. */
  readonly target: Float64Array;
  /**
   * Largest speed (m/s) and angular speed (rad/s) of the reference, at most those of the model. Not
   * part of the state.
   */
  readonly speeds: Float64Array;
  private readonly model: ToolModel;
  private readonly start: Float64Array;
  /** Completed part of the change, 0 … 1. */
  private readonly progress: Float64Array;
  /** Part of the reference twist that the wrench causes. */
  private readonly traded = new Float64Array(6);

  constructor(model: ToolModel, arena: StateArena = new StateArena()) {
    this.model = model;
    this.arena = arena;
    this.present = arena.add('present', SETTING_WIDTH);
    this.start = arena.add('start', SETTING_WIDTH);
    this.target = arena.add('target', SETTING_WIDTH);
    this.reference = arena.add('reference', 6);
    this.progress = arena.add('progress', 1).fill(1);
    this.speeds = Float64Array.of(model.maximumSpeed, model.maximumAngularSpeed);
    this.present.fill(1, AXES, AXES + 6);
    this.present[DEADBAND] = model.forceDeadband;
    this.present[MOMENT_DEADBAND] = model.momentDeadband;
    this.present[GAIN] = model.forceGain;
    this.present[MOMENT_GAIN] = model.momentGain;
    this.start.set(this.present);
    this.target.set(this.present);
  }

  /**
   * Starts a change of the setting by the FMA_ARGUMENTS at `at`; axes are bits 0 … 5. NaN keeps the present value. A stiff axis loses its set-point. The values are not
   * checked. @alloc none
   */
  change(values: Float64Array, at: number): void {
    const target = this.target;
    const bits = values[at + FmaArgument.axes];
    for (let a = 0; a < 6; a++) {
      if (bits === bits) target[AXES + a] = (bits >> a) & 1;
      const wanted = values[at + FmaArgument.force_x + a];
      if (wanted === wanted) target[SET_POINT + a] = wanted;
      if (target[AXES + a] === 0) target[SET_POINT + a] = 0;
    }
    for (let i = 0; i < 4; i++) {
      const wanted = values[at + FmaArgument.force_deadband + i];
      if (wanted === wanted) target[DEADBAND + i] = wanted; // gains follow the dead-bands in both layouts
    }
    this.guide();
    this.start.set(this.present);
    this.progress[0] = 0;
  }

  /** Removes the set-point at once, for the start of a motion. Axes, dead-bands and gains stay. @alloc none */
  clearSetPoint(): void {
    this.target.fill(0, SET_POINT, SET_POINT + 6);
    this.guide();
    this.present.set(this.target);
    this.progress[0] = 1;
  }

  private guide(): void {
    const s = this.target;
    for (let half = 0; half < 2; half++) {
      const i = SET_POINT + 3 * half;
      s[GUIDED + half] = s[i] !== 0 || s[i + 1] !== 0 || s[i + 2] !== 0 ? 1 : 0;
    }
  }

  /** Advances a change of the setting, once before a step of timing[0]. @alloc none */
  advance(timing: Float64Array): void {
    if (this.progress[0] === 1) return;
    const done = this.progress[0] + timing[0] / FMA_RAMP_s;
    const part = done < 1 - 1e-9 ? done : 1;
    this.progress[0] = part;
    if (part === 1) this.present.set(this.target);
    else {
      for (let i = 0; i < SETTING_WIDTH; i++) {
        this.present[i] = this.start[i] + part * (this.target[i] - this.start[i]);
      }
    }
  }

  /** Limits the present and the coming dead-bands to a force (N) and a moment (N m). @alloc none */
  narrow(most: Float64Array): void {
    for (let half = 0; half < 2; half++) {
      const at = DEADBAND + half;
      this.present[at] = Math.min(this.present[at], most[half]);
      this.target[at] = Math.min(this.target[at], most[half]);
      this.start[at] = Math.min(this.start[at], most[half]);
    }
  }

  /** Computes `reference` from the command and the wrench on the tool. @alloc none */
  computeReference(command: Float64Array, wrench: Float64Array): void {
    this.group(0, command, wrench);
    this.group(1, command, wrench);
  }

  /**
   * Computes the part W of a contact wrench that accelerates the arm by M⁻¹ W, with M⁻¹ = P/(g
   * lag). It excludes stiff axes, the dead-band and the effect of the set-point. @alloc none
   *
   *   out := P⁻¹ g f(P (F + F_set)) − F_set, 0 where P is 0
   */
  computeActing(wrench: Float64Array, out: Float64Array): void {
    const setting = this.present;
    for (let half = 0; half < 2; half++) {
      this.trade(half, wrench);
      for (let a = 3 * half; a < 3 * half + 3; a++) {
        const axis = setting[AXES + a];
        out[a] =
          axis > 0 ? (setting[GAIN + half] * this.traded[a]) / axis - setting[SET_POINT + a] : 0;
      }
    }
  }

  /** Computes the reference of the forces (half 0) or of the moments (half 1). */
  private group(half: number, command: Float64Array, wrench: Float64Array): void {
    this.trade(half, wrench);
    const at = 3 * half;
    const limit = this.speeds[half];
    const x = command[at] + this.traded[at];
    const y = command[at + 1] + this.traded[at + 1];
    const z = command[at + 2] + this.traded[at + 2];
    const speed = Math.sqrt(x * x + y * y + z * z);
    const scale = speed > limit ? limit / speed : 1;
    const r = this.reference;
    r[at] = x * scale;
    r[at + 1] = y * scale;
    r[at + 2] = z * scale;
  }

  /** Fills `traded` with f(e)/g. */
  private trade(half: number, wrench: Float64Array): void {
    const at = 3 * half;
    const setting = this.present;
    const deadband = setting[DEADBAND + half];
    const gain = setting[GAIN + half];
    const sx = setting[AXES + at] * setting[SET_POINT + at];
    const sy = setting[AXES + at + 1] * setting[SET_POINT + at + 1];
    const sz = setting[AXES + at + 2] * setting[SET_POINT + at + 2];
    const ex = setting[AXES + at] * wrench[at] + sx;
    const ey = setting[AXES + at + 1] * wrench[at + 1] + sy;
    const ez = setting[AXES + at + 2] * wrench[at + 2] + sz;
    const size = Math.sqrt(ex * ex + ey * ey + ez * ez);
    const k = size > deadband ? (1 - deadband / size) / gain : 0;
    let vx = k * ex;
    let vy = k * ey;
    let vz = k * ez;
    const length2 = sx * sx + sy * sy + sz * sz;
    if (length2 > 0) {
      const along = (ex * sx + ey * sy + ez * sz) / length2;
      const rx = ex - along * sx;
      const ry = ey - along * sy;
      const rz = ez - along * sz;
      const side = Math.sqrt(rx * rx + ry * ry + rz * rz);
      const q = side > deadband ? (1 - deadband / side) / gain : 0;
      const guided = setting[GUIDED + half];
      const p = along / gain;
      vx += guided * (p * sx + q * rx - vx);
      vy += guided * (p * sy + q * ry - vy);
      vz += guided * (p * sz + q * rz - vz);
    }
    this.traded[at] = vx;
    this.traded[at + 1] = vy;
    this.traded[at + 2] = vz;
  }

  /** Tracks the reference for timing[0] by semi-implicit Euler. A lag shorter than h is reached at once. @alloc none */
  track(state: Float64Array, timing: Float64Array): void {
    const h = timing[0];
    const k = h < this.model.lag ? h / this.model.lag : 1;
    for (let a = 0; a < 6; a++) state[7 + a] += k * (this.reference[a] - state[7 + a]);
  }

  /** Computes the rates of the twist for Runge–Kutta. @alloc none */
  computeRates(state: Float64Array, rate: Float64Array): void {
    for (let a = 0; a < 6; a++) rate[7 + a] = (this.reference[a] - state[7 + a]) / this.model.lag;
  }

  /**
   * Brakes the twist at a deceleration, m/s². The angular deceleration has the ratio of the largest
   * speeds in force. @alloc none
   */
  brake(state: Float64Array, ramp: { readonly deceleration: number }, timing: Float64Array): void {
    const { speeds } = this;
    for (let half = 0; half < 2; half++) {
      const at = 7 + 3 * half;
      const linear = ramp.deceleration;
      const rate = half === 0 ? linear : (linear * speeds[1]) / speeds[0];
      const change = rate * timing[0];
      const x = state[at];
      const y = state[at + 1];
      const z = state[at + 2];
      const speed = Math.sqrt(x * x + y * y + z * z);
      const k = speed > change ? 1 - change / speed : 0;
      state[at] = x * k;
      state[at + 1] = y * k;
      state[at + 2] = z * k;
    }
  }
}
