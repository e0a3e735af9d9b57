/**
 * Limits on what is measured and on what is sent. Measured values that leave their limits become flags for the safety
 * machine; set-points are clamped before they leave, and every clamp is counted by kind.
 *
 * Motions are 13 numbers: position (m), quaternion (x, y, z, w), velocity (m/s), angular velocity (rad/s).
 */
import { LIMIT_FIELDS } from '../protocol/handshake.ts';
import { loadArray, type Stateful } from '../recording/stateful.ts';
import { poseError } from './pose-error.ts';
import type { SafetyInputs } from './signals.ts';

/** Limits, base frame. */
export interface SafetyLimits {
  readonly force_N: number;
  readonly moment_Nm: number;
  readonly speed_mps: number;
  readonly angular_speed_radps: number;
  readonly acceleration_mps2: number;
  /** Half-size of the cube about the centre that the tool must stay in, m. */
  readonly workspace_m: number;
}

/** What a simulated arm was laid out for: m/s, rad/s. */
export interface ArmSpeeds {
  readonly maximumSpeed: number;
  readonly maximumAngularSpeed: number;
}

/** Slots of `LimitMonitor.inForce`: the order in which limits travel. */
export const LimitSlot = Object.freeze({
  SPEED: LIMIT_FIELDS.indexOf('speed_mps'),
  ANGULAR_SPEED: LIMIT_FIELDS.indexOf('angular_speed_radps'),
  ACCELERATION: LIMIT_FIELDS.indexOf('acceleration_mps2'),
  FORCE: LIMIT_FIELDS.indexOf('force_N'),
  MOMENT: LIMIT_FIELDS.indexOf('moment_Nm'),
  WORKSPACE: LIMIT_FIELDS.indexOf('workspace_m'),
});

/** Kinds of clamp, in the order of `berth_limit_clamps_total`. */
export const CLAMP_KINDS = ['velocity', 'acceleration', 'force', 'workspace'] as const;
export const ClampKind = Object.freeze({ VELOCITY: 0, ACCELERATION: 1, FORCE: 2, WORKSPACE: 3 });

/** The set-point is clamped at the speed limit; a measured speed may exceed it by tracking and noise before it is a fault. */
export const MEASURED_SPEED_MARGIN = 1.2;
/** The set-point ends at the wall of the workspace; so does the place, but for tracking and noise. */
const MEASURED_WORKSPACE_MARGIN = 1.02;
/** An arm comes to rest in this, s (`hil-anchors 9.3`, HOLD ramp). */
const BRAKING_s = 0.05;
/** A set-point travels in single precision, which must not round it over the limit of the robot. */
const INSIDE = 1 - 1e-6;
/** A command takes so long to come to the wall from anywhere, s: v = distance / τ. With a lag T of the arm it does not overshoot from 4 T on. */
const APPROACH_s = 0.1;
const APPROACH_LAGS = 4;
/** Below these the robot counts as being at rest. */
export const REST_SPEED_mps = 0.002;
export const REST_ANGULAR_SPEED_radps = 0.005;
/** Below these the set-point counts as standing. */
const STOPPED_SPEED_mps = 1e-6;
const STOPPED_ANGULAR_SPEED_radps = 1e-6;

/** Time to live of a set-point: a robot in contact must act sooner on silence. */
const TTL_CONTACT_ms = 5;
const TTL_FREE_ms = 20;

/** Time to live for a SETPOINT frame, ms. */
export function setpointTtl_ms(contact: boolean): number {
  return contact ? TTL_CONTACT_ms : TTL_FREE_ms;
}

/** One monitor a loop, with its memory of the last set-point sent. */
export class LimitMonitor implements Stateful {
  /** Clamps since construction, by ClampKind. */
  readonly clamps: Float64Array = new Float64Array(CLAMP_KINDS.length);
  /** By LimitSlot: those of the settings, or of the robot where it allows less. */
  readonly inForce: Float64Array;
  readonly #settings: SafetyLimits;
  readonly #center = new Float64Array(3);
  readonly #velocity = new Float64Array(6);
  readonly #error = new Float64Array(2);

  constructor(limits: SafetyLimits) {
    this.#settings = limits;
    this.inForce = Float64Array.from(LIMIT_FIELDS, (name) => limits[name]);
  }

  /** From now on these, by LimitSlot: both ends of a session have agreed on them. @alloc none */
  adopt(limits: Float64Array): void {
    for (let i = 0; i < this.inForce.length; i++) this.inForce[i] = limits[i];
  }

  /** Centre of the workspace cube: the tool position when the run starts, and at the first STATE of a session. */
  setCenter(x: number, y: number, z: number): void {
    this.#center[0] = x;
    this.#center[1] = y;
    this.#center[2] = z;
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
      force <= limits[LimitSlot.FORCE] && moment <= limits[LimitSlot.MOMENT] ? 0 : 1;
    inputs.velocityExceeded =
      speed <= limits[LimitSlot.SPEED] * MEASURED_SPEED_MARGIN &&
      angular <= limits[LimitSlot.ANGULAR_SPEED] * MEASURED_SPEED_MARGIN
        ? 0
        : 1;
    const most = limits[LimitSlot.WORKSPACE] * MEASURED_WORKSPACE_MARGIN;
    let inside = true;
    for (let i = 0; i < 3; i++) {
      if (!(Math.abs(motion[i] - this.#center[i]) <= most)) inside = false;
    }
    inputs.workspaceExceeded = inside ? 0 : 1;
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
   * Bounds an arm that was laid out within the settings to what is in force, so that pose and twist of the set-point agree: the clamp of a twist
   * leaves the pose; and so that it comes to rest within the time of a HOLD. One that was laid out for more, as a free mass is, is clamped only.
   * @param speeds out: largest reference speed (m/s) and angular speed (rad/s) of the arm
   * @alloc none
   */
  boundSpeeds(speeds: Float64Array, arm: ArmSpeeds): void {
    const { speed_mps, angular_speed_radps } = this.#settings;
    const braked = BRAKING_s * this.inForce[LimitSlot.ACCELERATION];
    const speed = Math.min(this.inForce[LimitSlot.SPEED], braked);
    const angular = this.inForce[LimitSlot.ANGULAR_SPEED];
    const { maximumSpeed, maximumAngularSpeed } = arm;
    const slower = maximumSpeed <= speed_mps && maximumSpeed > speed;
    const turnsSlower = maximumAngularSpeed <= angular_speed_radps && maximumAngularSpeed > angular;
    speeds[0] = slower ? speed * INSIDE : maximumSpeed;
    speeds[1] = turnsSlower ? angular * INSIDE : maximumAngularSpeed;
  }

  /**
   * Slows a commanded twist towards the walls of the workspace, so that the arm comes to rest there instead of being cut off.
   * @param motion of the simulated arm
   * @param lag_s with which the arm follows the command
   * @alloc none
   */
  slowAtWalls(command: Float64Array, motion: Float64Array, lag_s: number): void {
    const tau = Math.max(APPROACH_s, APPROACH_LAGS * lag_s);
    const half = this.inForce[LimitSlot.WORKSPACE];
    for (let i = 0; i < 3; i++) {
      const away = motion[i] - this.#center[i];
      const up = Math.max(0, half - away) / tau;
      const down = -Math.max(0, half + away) / tau;
      if (command[i] > up) command[i] = up;
      else if (command[i] < down) command[i] = down;
    }
  }

  /** The next clamp starts from rest at this motion: after follow, freeze or the first tick. */
  resetSetpoint(): void {
    this.#velocity.fill(0);
  }

  /**
   * Clamp the set-point in place: speed, acceleration (change of the twist since the last call), workspace cube.
   * @returns number of clamps in this call
   * @alloc none
   */
  clampSetpoint(setpoint: Float64Array, period_s: number): number {
    const limits = this.inForce;
    let count = 0;
    const fast =
      scaleTo(setpoint, 7, limits[LimitSlot.SPEED]) +
      scaleTo(setpoint, 10, limits[LimitSlot.ANGULAR_SPEED]);
    if (fast > 0) {
      this.clamps[ClampKind.VELOCITY]++;
      count++;
    }
    if (this.#limitAcceleration(setpoint, period_s)) {
      this.clamps[ClampKind.ACCELERATION]++;
      count++;
    }
    let outside = false;
    for (let i = 0; i < 3; i++) {
      const low = this.#center[i] - limits[LimitSlot.WORKSPACE];
      const high = this.#center[i] + limits[LimitSlot.WORKSPACE];
      if (setpoint[i] >= low && setpoint[i] <= high) continue;
      outside = true;
      const below = setpoint[i] < low;
      setpoint[i] = below ? low : high;
      const outward = below ? setpoint[7 + i] < 0 : setpoint[7 + i] > 0;
      if (outward) setpoint[7 + i] = 0;
    }
    if (outside) {
      this.clamps[ClampKind.WORKSPACE]++;
      count++;
    }
    for (let i = 0; i < 6; i++) this.#velocity[i] = setpoint[7 + i];
    return count;
  }

  /** Clamp a wrench set-point in place to the force and moment limits. @returns 1 when clamped. @alloc none */
  clampWrench(wrench: Float64Array): number {
    const clamped =
      scaleTo(wrench, 0, this.inForce[LimitSlot.FORCE]) +
      scaleTo(wrench, 3, this.inForce[LimitSlot.MOMENT]);
    if (clamped === 0) return 0;
    this.clamps[ClampKind.FORCE]++;
    return 1;
  }

  /** The robot's force and moment limit on each axis, for modes in which no wrench is set. @alloc none */
  abortWrench(wrench: Float64Array): void {
    for (let i = 0; i < 3; i++) {
      wrench[i] = this.inForce[LimitSlot.FORCE];
      wrench[3 + i] = this.inForce[LimitSlot.MOMENT];
    }
  }

  readonly stateLength: number = CLAMP_KINDS.length + 9 + LIMIT_FIELDS.length;

  saveState(into: Float64Array, at: number): void {
    into.set(this.clamps, at);
    into.set(this.#center, at + CLAMP_KINDS.length);
    into.set(this.#velocity, at + CLAMP_KINDS.length + 3);
    into.set(this.inForce, at + CLAMP_KINDS.length + 9);
  }

  loadState(from: Float64Array, at: number): void {
    loadArray(this.clamps, from, at);
    loadArray(this.#center, from, at + CLAMP_KINDS.length);
    loadArray(this.#velocity, from, at + CLAMP_KINDS.length + 3);
    loadArray(this.inForce, from, at + CLAMP_KINDS.length + 9);
  }

  #limitAcceleration(setpoint: Float64Array, period_s: number): boolean {
    const most = this.inForce[LimitSlot.ACCELERATION] * period_s;
    const last = this.#velocity;
    const dx = setpoint[7] - last[0];
    const dy = setpoint[8] - last[1];
    const dz = setpoint[9] - last[2];
    const change = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (change <= most * (1 + 1e-9)) return false;
    const scale = most / change;
    setpoint[7] = last[0] + dx * scale;
    setpoint[8] = last[1] + dy * scale;
    setpoint[9] = last[2] + dz * scale;
    return true;
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
