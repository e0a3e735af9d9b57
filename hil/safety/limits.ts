/**
 * Limits on what is measured and on what is sent. Measured values that leave their limits become flags for the safety machine.
 * Set-points are bounded before they leave (setpoint-limiter.ts), and every one that differs from that of the model is counted by
 * kind.
 *
 * Motions are 13 numbers: position (m), quaternion (x, y, z, w), velocity (m/s), angular velocity (rad/s).
 */
import { LIMIT_FIELDS, LimitField } from '../contract/limit-fields.ts';
import { StateArena } from '../../src/math/state-arena.ts';
import { poseError } from './pose-error.ts';
import { MOTION_LIMITS, MotionLimit, SetpointLimiter, stoppableSpeed } from './setpoint-limiter.ts';
import type { SafetyInputs } from '../contract/signals.ts';
import { type Box, type KeepOut, Workspace } from './workspace.ts';
import { CLAMP_KINDS, ClampKind } from '../contract/counters.ts';

/** Limits, base frame. */
export interface SafetyLimits {
  readonly force_N: number;
  readonly moment_Nm: number;
  readonly speed_mps: number;
  readonly angular_speed_radps: number;
  readonly acceleration_mps2: number;
  readonly jerk_mps3: number;
  readonly angular_acceleration_radps2: number;
  readonly angular_jerk_radps3: number;
  /** Half-size of the cube that the tool must stay in, m, and what its centre is: the start of the tool in the scenario when left out. */
  readonly workspace_m: number;
  readonly workspace_about?: 'scenario' | 'session';
  /** Box in place of the cube, and what the tool point must stay out of. */
  readonly workspace_box?: Box;
  readonly keep_out?: readonly KeepOut[];
}

/** What a simulated arm was laid out for: m/s, rad/s. */
export interface ArmSpeeds {
  readonly maximumSpeed: number;
  readonly maximumAngularSpeed: number;
  /** With which it follows its command, s. */
  readonly lag: number;
}

/** Kind of each reason of a SetpointLimiter but the first. */
const KIND_OF_REASON = [
  -1,
  ClampKind.VELOCITY,
  ClampKind.ACCELERATION,
  ClampKind.JERK,
  ClampKind.WORKSPACE,
] as const;

/** The set-point is clamped at the speed limit; a measured speed may exceed it by tracking and noise before it is a fault. */
export const MEASURED_SPEED_MARGIN = 1.2;
/** An arm comes to rest in this, s (`hil-anchors 9.3`, HOLD ramp). */
const BRAKING_s = 0.05;
/** A set-point travels in single precision, which must not round it over the limit of the robot. */
const INSIDE = 1 - 1e-6;
/** A command takes so long to come to the wall from anywhere, s: v = distance / τ. With a lag T of the arm it does not overshoot from 4 T on. */
const APPROACH_s = 0.1;
const APPROACH_LAGS = 4;
/** An arm that follows its reference later than this is a free mass, s: it does not reach the speed of its reference. */
const LONGEST_LAG_s = 10;
/** Below these the robot counts as being at rest. */
export const REST_SPEED_mps = 0.002;
export const REST_ANGULAR_SPEED_radps = 0.005;
/** Below these the set-point counts as standing. */
const STOPPED_SPEED_mps = 1e-6;
const STOPPED_ANGULAR_SPEED_radps = 1e-6;

/** One monitor a loop. */
export class LimitMonitor {
  readonly arena: StateArena;
  /** Set-points that differ from those of the model, and wrenches, since construction, by ClampKind. */
  readonly clamps: Float64Array;
  /** By LimitField: those of the settings, or of the robot where it allows less. */
  readonly inForce: Float64Array;
  readonly workspace: Workspace;
  /** The cube is about the pose that a session begins with. */
  readonly aboutSession: boolean;
  /** Of the simulated arm, and of what is sent where that is ahead of it. */
  readonly limiter: SetpointLimiter;
  readonly led: SetpointLimiter;
  readonly #settings: SafetyLimits;
  readonly #error = new Float64Array(2);
  readonly #halves = new Float64Array(MOTION_LIMITS.length);

  constructor(limits: SafetyLimits, period_s: number, arena: StateArena = new StateArena()) {
    this.arena = arena;
    const { workspace_box = null, keep_out = [] } = limits;
    this.#settings = limits;
    this.aboutSession = limits.workspace_about === 'session';
    this.clamps = arena.add('clamps', CLAMP_KINDS.length);
    this.inForce = arena.add('inForce', LIMIT_FIELDS.length);
    this.inForce.set(LIMIT_FIELDS.map((name) => limits[name]));
    // before the workspace is loaded, which has its own half-size
    arena.afterLoad(() => {
      this.#bound();
    });
    const { workspace_m } = limits;
    const place = arena.part('workspace');
    this.workspace = new Workspace(workspace_m, workspace_box, keep_out, place);
    this.limiter = new SetpointLimiter(this.workspace, period_s, arena.part('limiter'));
    this.led = new SetpointLimiter(this.workspace, period_s, arena.part('led'));
    this.#bound();
  }

  /** From now on these, by LimitField: both ends of a session have agreed on them. @alloc none */
  adopt(limits: Float64Array): void {
    for (let i = 0; i < this.inForce.length; i++) this.inForce[i] = limits[i];
    this.#bound();
  }

  /**
   * What set-points are bounded by. Jerk and angular acceleration do not travel: where a robot allows less acceleration than the settings, the
   * angular one is less by the same share. Nothing goes faster than it comes to rest in the time of a HOLD.
   */
  #bound(): void {
    const { inForce, workspace } = this;
    const own = this.#settings;
    const acceleration = inForce[LimitField.acceleration_mps2];
    const share = acceleration / own.acceleration_mps2;
    const halves = this.#halves;
    halves[MotionLimit.acceleration] = acceleration;
    halves[MotionLimit.jerk] = own.jerk_mps3;
    halves[MotionLimit.angular_acceleration] = share * own.angular_acceleration_radps2;
    halves[MotionLimit.angular_jerk] = own.angular_jerk_radps3;
    const stoppable = stoppableSpeed(
      halves[MotionLimit.acceleration],
      halves[MotionLimit.jerk],
      BRAKING_s,
    );
    const turnStoppable = stoppableSpeed(
      halves[MotionLimit.angular_acceleration],
      halves[MotionLimit.angular_jerk],
      BRAKING_s,
    );
    halves[MotionLimit.speed] = Math.min(inForce[LimitField.speed_mps], stoppable);
    halves[MotionLimit.angular_speed] = Math.min(
      inForce[LimitField.angular_speed_radps],
      turnStoppable,
    );
    this.limiter.setLimits(halves);
    this.led.setLimits(halves);
    workspace.setHalf(inForce[LimitField.workspace_m]);
  }

  /** Centre of the workspace cube: the tool position when the run starts, and at the first STATE of a session. */
  setCenter(x: number, y: number, z: number): void {
    this.workspace.setCenter(x, y, z);
  }

  /** Flags for the safety machine from the measured motion and wrench. @alloc none */
  checkMeasured(motion: Float64Array, wrench: Float64Array, inputs: SafetyInputs): void {
    const limits = this.inForce;
    const force = magnitude(wrench, 0);
    const moment = magnitude(wrench, 3);
    const speed = magnitude(motion, 7);
    const angular = magnitude(motion, 10);
    // Written so that a value that is no number counts as exceeded.
    inputs.forceExceeded =
      force <= limits[LimitField.force_N] && moment <= limits[LimitField.moment_Nm] ? 0 : 1;
    inputs.velocityExceeded =
      speed <= limits[LimitField.speed_mps] * MEASURED_SPEED_MARGIN &&
      angular <= limits[LimitField.angular_speed_radps] * MEASURED_SPEED_MARGIN
        ? 0
        : 1;
    inputs.workspaceExceeded = this.workspace.holds(motion) ? 0 : 1;
    inputs.robotStandstill = speed <= REST_SPEED_mps && angular <= REST_ANGULAR_SPEED_radps ? 1 : 0;
  }

  /** Distance of set-point and measured pose, and whether the set-point stands. @alloc none */
  compare(setpoint: Float64Array, measured: Float64Array, inputs: SafetyInputs): void {
    const error = this.#error;
    poseError(setpoint, 0, measured, 0, error);
    inputs.poseError_m = error[0];
    inputs.poseError_rad = error[1];
    inputs.setpointStopped =
      magnitude(setpoint, 7) <= STOPPED_SPEED_mps &&
      magnitude(setpoint, 10) <= STOPPED_ANGULAR_SPEED_radps
        ? 1
        : 0;
  }

  /**
   * Bounds an arm to what is in force, so that the set-point of the model is one that may be sent. A free mass has no speed of its
   * own: it is taken along by what is sent.
   * @param speeds out: largest reference speed (m/s) and angular speed (rad/s) of the arm
   * @alloc none
   */
  boundSpeeds(speeds: Float64Array, arm: ArmSpeeds): void {
    const { maximumSpeed, maximumAngularSpeed, lag } = arm;
    const speed = this.#halves[MotionLimit.speed];
    const angular = this.#halves[MotionLimit.angular_speed];
    const free = lag > LONGEST_LAG_s;
    speeds[0] = !free && maximumSpeed >= speed ? speed * INSIDE : maximumSpeed;
    speeds[1] = !free && maximumAngularSpeed >= angular ? angular * INSIDE : maximumAngularSpeed;
  }

  /**
   * Slows a commanded twist towards the walls of the workspace, so that the arm comes to rest there instead of being cut off.
   * @param motion of the simulated arm
   * @param lag_s with which the arm follows the command
   * @alloc none
   */
  slowAtWalls(command: Float64Array, motion: Float64Array, lag_s: number): void {
    this.workspace.slow(command, 0, motion, Math.max(APPROACH_s, APPROACH_LAGS * lag_s));
  }

  /** Counts why a set-point differs from that of the model. @alloc none */
  count(limiter: SetpointLimiter): void {
    const { reasons } = limiter;
    for (let half = 0; half < 2; half++) {
      const kind = KIND_OF_REASON[reasons[half]];
      if (kind >= 0) this.clamps[kind]++;
    }
  }

  /** Clamp a wrench set-point in place to the force and moment limits. @returns 1 when clamped. @alloc none */
  clampWrench(wrench: Float64Array): number {
    const clamped =
      scaleTo(wrench, 0, this.inForce[LimitField.force_N]) +
      scaleTo(wrench, 3, this.inForce[LimitField.moment_Nm]);
    if (clamped === 0) return 0;
    this.clamps[ClampKind.FORCE]++;
    return 1;
  }

  /** The robot's force and moment limit on each axis, for modes in which no wrench is set. @alloc none */
  abortWrench(wrench: Float64Array): void {
    for (let i = 0; i < 3; i++) {
      wrench[i] = this.inForce[LimitField.force_N];
      wrench[3 + i] = this.inForce[LimitField.moment_Nm];
    }
  }
}

function magnitude(values: Float64Array, at: number): number {
  const x = values[at];
  const y = values[at + 1];
  const z = values[at + 2];
  return Math.sqrt(x * x + y * y + z * z);
}

/** Shorten three numbers to length `most`. @returns 1 when they were longer. */
function scaleTo(values: Float64Array, at: number, most: number): number {
  const length = magnitude(values, at);
  if (length <= most) return 0;
  const scale = most / length;
  values[at] *= scale;
  values[at + 1] *= scale;
  values[at + 2] *= scale;
  return 1;
}
