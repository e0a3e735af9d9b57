/**
 * The last thing that a set-point passes before it leaves. Pose and twist keep the limits of speed, acceleration and jerk, both by
 * themselves and with each other, and stop before the walls of the workspace. bounded-motion.ts has the law and why it never
 * overshoots.
 *
 * A simulated motion inside the limits passes bit for bit. One that is not is followed as far as the limits allow, and the caller takes
 * from the simulated arm what the limits took. Translation and rotation are judged each by itself.
 *
 * Motions are 13 numbers: position (m), quaternion (x, y, z, w), velocity (m/s), angular velocity (rad/s).
 */
import { computePoseError } from '../../src/control/pose-error.ts';
import { advanceQuaternion } from '../../src/math/quaternion.ts';
import { StateArena } from '../../src/math/state-arena.ts';
import { Bound, BoundedMotion } from './bounded-motion.ts';
import type { Workspace } from './workspace.ts';
import { cbrt } from '../../src/math/elementary/power.ts';
import { indicesOf, type NameIndices } from '../../src/base/name-indices.ts';

/** What bounds a set-point: m and rad per s, s² and s³. */
export const MOTION_LIMITS = [
  'speed',
  'acceleration',
  'jerk',
  'angular_speed',
  'angular_acceleration',
  'angular_jerk',
] as const;
export const MotionLimit: NameIndices<typeof MOTION_LIMITS> = indicesOf(MOTION_LIMITS);

const { SPEED, ACCELERATION, JERK, PERIOD } = Bound;
/** A set-point travels in single precision, which must not round it over the limit of the robot. */
const INSIDE = 1 - 1e-6;
/** A push towards a wall comes to it in this time from anywhere, s: at most the acceleration v/τ, half of what stops v in 50 ms. */
const APPROACH_s = 0.1;
/** Steps in which what is left of a way is made good, near its end: until it is small enough to be taken at once. */
const CATCH_UP_STEPS = 4;

/** Fastest speed from which `brakingTime` is enough to come to rest: v/A + A/J, or 2 √(v/J) when A is never reached. */
export function stoppableSpeed(acceleration: number, jerk: number, brakingTime: number): number {
  const ramp = acceleration / jerk;
  return brakingTime >= 2 * ramp
    ? acceleration * (brakingTime - ramp)
    : (jerk * brakingTime * brakingTime) / 4;
}

/** Limiter of set-points: speed, acceleration, jerk and workspace. */
export class SetpointLimiter {
  /** What was sent last. */
  readonly sent: Float64Array;
  readonly linear: BoundedMotion;
  readonly angular: BoundedMotion;
  /** Why the last set-point is not that of the model: of translation and rotation, 0 it is, else as BoundedMotion.refused. */
  readonly reasons: Float64Array;
  readonly #workspace: Workspace;
  readonly #timing: Float64Array;
  readonly #rate = new Float64Array(3);
  readonly #target = new Float64Array(3);
  readonly #error = new Float64Array(6);

  constructor(workspace: Workspace, period_s: number, arena: StateArena = new StateArena()) {
    this.#workspace = workspace;
    this.#timing = Float64Array.of(period_s);
    this.sent = arena.add('sent', 13);
    this.reasons = arena.add('reasons', 2);
    this.linear = new BoundedMotion(workspace, arena.part('linear'));
    this.angular = new BoundedMotion(null, arena.part('angular'));
    this.linear.limits[PERIOD] = period_s;
    this.angular.limits[PERIOD] = period_s;
    this.sent[6] = 1;
  }

  /** From now on these: speed, acceleration, jerk of the translation, then of the rotation, m, rad, s. @alloc none */
  setLimits(limits: Float64Array): void {
    const { linear, angular } = this;
    linear.limits[SPEED] = limits[MotionLimit.speed] * INSIDE;
    linear.limits[ACCELERATION] = limits[MotionLimit.acceleration];
    linear.limits[JERK] = limits[MotionLimit.jerk];
    angular.limits[SPEED] = limits[MotionLimit.angular_speed] * INSIDE;
    angular.limits[ACCELERATION] = limits[MotionLimit.angular_acceleration];
    angular.limits[JERK] = limits[MotionLimit.angular_jerk];
  }

  /** What is sent stands here, and nothing came before: it has no follower yet. @alloc none */
  reset(motion: Float64Array): void {
    for (let i = 0; i < 7; i++) this.sent[i] = motion[i];
    for (let i = 7; i < 13; i++) this.sent[i] = 0;
    this.linear.reset();
    this.angular.reset();
    this.reasons.fill(0);
  }

  /** Goes on with the motion of another limiter. @alloc none */
  follow(other: SetpointLimiter): void {
    for (let i = 0; i < 13; i++) this.sent[i] = other.sent[i];
    for (let i = 0; i < this.linear.state.length; i++) {
      this.linear.state[i] = other.linear.state[i];
      this.angular.state[i] = other.angular.state[i];
    }
    this.reasons.fill(0);
  }

  /** Whether it stands where another one does and may go on as that one. @alloc none */
  goesAs(other: SetpointLimiter): boolean {
    for (let i = 0; i < 13; i++) if (this.sent[i] !== other.sent[i]) return false;
    return this.linear.goesAs(other.linear) && this.angular.goesAs(other.angular);
  }

  /** Whether the set-point that was sent last stands, pose and twist. @alloc none */
  get rests(): boolean {
    return this.linear.rests && this.angular.rests;
  }

  /**
   * The next set-point.
   * @param wanted in: of the model; out: what is to be sent
   * @param stops whether the model comes to rest: what it cannot take over then stops the shortest way
   * @returns whether it differs from that of the model
   * @alloc none
   */
  limit(wanted: Float64Array, stops: boolean): boolean {
    const moved = this.#limitPosition(wanted, stops);
    const turned = this.#limitRotation(wanted, stops);
    for (let i = 0; i < 13; i++) this.sent[i] = wanted[i];
    return moved || turned;
  }

  /** Comes to rest the shortest way, whatever the model does. @alloc none */
  brake(out: Float64Array): void {
    for (let i = 0; i < 13; i++) out[i] = this.sent[i];
    const { linear, angular } = this;
    linear.brake();
    linear.accept();
    this.#move(out);
    angular.brake();
    angular.accept();
    this.#turn(out);
    for (let i = 0; i < 13; i++) this.sent[i] = out[i];
    this.reasons.fill(0);
  }

  #limitPosition(wanted: Float64Array, stops: boolean): boolean {
    const { linear, sent, reasons } = this;
    const rate = this.#rate;
    const h = this.#timing[0];
    for (let i = 0; i < 3; i++) rate[i] = (wanted[i] - sent[i]) / h;
    const taken = linear.tryWanted(wanted, 7, rate, sent, stops);
    reasons[0] = linear.refused;
    if (!taken) {
      const target = this.#target;
      this.#aim(wanted, 7, linear, stops);
      this.#workspace.slow(target, 0, sent, APPROACH_s);
      if (stops || !linear.tryTowards(target, sent)) linear.brake();
    }
    linear.accept();
    if (!taken) this.#move(wanted);
    return !taken;
  }

  #limitRotation(wanted: Float64Array, stops: boolean): boolean {
    const { angular, sent, reasons } = this;
    const rate = this.#rate;
    computePoseError(this.#error, wanted, 0, sent, 0);
    for (let i = 0; i < 3; i++) rate[i] = this.#error[3 + i] / this.#timing[0];
    const taken = angular.tryWanted(wanted, 10, rate, sent, stops);
    reasons[1] = angular.refused;
    if (!taken) {
      this.#aim(wanted, 10, angular, stops);
      if (stops || !angular.tryTowards(this.#target, sent)) angular.brake();
    }
    angular.accept();
    if (!taken) this.#turn(wanted);
    return !taken;
  }

  /** Target velocity: that of the model, and what makes good for the way that is left, no faster than half the acceleration can end. */
  #aim(wanted: Float64Array, at: number, half: BoundedMotion, stops: boolean): void {
    const target = this.#target;
    const rate = this.#rate;
    if (stops) {
      target.fill(0);
      return;
    }
    const h = this.#timing[0];
    let square = 0;
    for (let i = 0; i < 3; i++) {
      target[i] = h * (rate[i] - wanted[at + i]);
      square += target[i] * target[i];
    }
    const way = Math.sqrt(square);
    const straight = 1 / (CATCH_UP_STEPS * h);
    // half of what a jerk alone would end: v = (J d²)^⅓, and of what an acceleration alone would
    const { limits } = half;
    const bent = way > 0 ? Math.sqrt(limits[ACCELERATION] / way) : straight;
    const soft = way > 0 ? 0.5 * cbrt(limits[JERK] / way) : straight;
    const k = Math.min(straight, bent, soft);
    square = 0;
    for (let i = 0; i < 3; i++) {
      target[i] = wanted[at + i] + k * target[i];
      square += target[i] * target[i];
    }
    const speed = Math.sqrt(square);
    const most = half.limits[SPEED];
    const scale = speed > most ? most / speed : 1;
    for (let i = 0; i < 3; i++) target[i] *= scale;
  }

  /** Position and velocity of `out` from what was accepted. */
  #move(out: Float64Array): void {
    const { state } = this.linear;
    const h = this.#timing[0];
    for (let i = 0; i < 3; i++) {
      out[i] = this.sent[i] + h * state[6 + i];
      out[7 + i] = state[i];
    }
  }

  #turn(out: Float64Array): void {
    const { state } = this.angular;
    for (let i = 3; i < 7; i++) out[i] = this.sent[i];
    if (state[6] !== 0 || state[7] !== 0 || state[8] !== 0)
      advanceQuaternion(out, 3, this.sent, 3, state, 6, this.#timing);
    for (let i = 0; i < 3; i++) out[10 + i] = state[i];
  }
}
