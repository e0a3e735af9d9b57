/** Options of the emulated ground robot. The defaults are figures of the facility that it represents. */
import type { Quadruple, SystemModel, Triple } from '../../src/model/model.ts';
import type { TreeModel } from '../../src/model/tree-model.ts';
import type { Link } from '../contract/link.ts';
import type { SensorErrors } from './force-sensor.ts';
import type { PayloadResidual } from './residual-payload.ts';

/** Disturbance of one direction of a link. */
export interface Impairment {
  /** Share of frames dropped, 0–1. */
  readonly loss: number;
  /** Share of frames delivered twice, 0–1. */
  readonly duplicate: number;
  /** Share of frames delayed so that later ones overtake them, 0–1. */
  readonly reorder: number;
  /** Delay of every frame, and width of the uniform delay added to it, s. */
  readonly latency_s: number;
  readonly jitter_s: number;
}

export const NO_IMPAIRMENT: Impairment = {
  loss: 0,
  duplicate: 0,
  reorder: 0,
  latency_s: 0,
  jitter_s: 0,
};

/** Limits of the arm. HELLO reports them to the loop. */
export interface RobotLimits {
  readonly speed_mps: number;
  readonly angular_speed_radps: number;
  /** Largest acceleration while following set-points. */
  readonly acceleration_mps2: number;
  readonly angular_acceleration_radps2: number;
  /** Constant deceleration of every stop by the robot (a_max of the loss rules). */
  readonly stop_deceleration_mps2: number;
  readonly stop_angular_deceleration_radps2: number;
  /** Measured force that stops the robot after three samples. */
  readonly force_N: number;
  readonly moment_Nm: number;
  /** Half-size of the cube about the start pose within reach of the arm. */
  readonly workspace_m: number;
}

/** Standard deviations of the measurements, and encoder steps. */
export interface RobotNoise {
  readonly position_m: number;
  readonly angle_rad: number;
  readonly velocity_mps: number;
  readonly angular_velocity_radps: number;
  readonly force_N: number;
  readonly moment_Nm: number;
  /** Encoder steps at the tool; 0 for a measurement without steps. */
  readonly position_step_m: number;
  readonly angle_step_rad: number;
}

export interface EmulatorOptions {
  /** Frames to and from the loop. */
  readonly link: Link;
  /** Cycle of the controller, s. */
  readonly period_s: number;
  /** Pre-shared key of the link; empty for none. */
  readonly key: string;
  /** Tool pose at start, base frame. */
  readonly position: Triple;
  readonly orientation: Quadruple;
  /**
   * `second-order` follows set-points like an arm, with its limits. `ideal` is where the set-points
   * were `delay_s` ago, without dynamics or limits: a pure delay, for tests of the effect of a
   * delay.
   */
  readonly tracking: 'second-order' | 'ideal';
  /** Natural frequency of set-point tracking, Hz, and its damping ratio. */
  readonly bandwidth_Hz: number;
  readonly damping: number;
  /** Arm of six joints that carries the tool; null: the tool moves without an arm. Not with `ideal`. */
  readonly arm: TreeModel | null;
  /** Time from receiving a set-point to applying it, s. An ideal robot supports fractions of a period. */
  readonly delay_s: number;
  /** Age of the measured force, s, and the age that STATE reports (ft_age); null: the true age. */
  readonly force_delay_s: number;
  readonly force_age_s: number | null;
  /** Errors of the force sensor beside noise; null for none. */
  readonly sensor: SensorErrors | null;
  /** What hangs on the force sensor and the bench does not compensate; null for nothing. */
  readonly payload: PayloadResidual | null;
  readonly limits: RobotLimits;
  readonly noise: RobotNoise;
  /** Contact of the tool: the tool is the body named `payload`; stiffness of its plate, N/m, for one that yields. Null for none. */
  readonly wall: {
    readonly model: SystemModel;
    readonly payload: string;
    readonly plateStiffness?: number;
  } | null;
  /** Impairment from the loop to the robot, and back. */
  readonly impairIn: Impairment;
  readonly impairOut: Impairment;
  readonly seed: number;
}

export const DEFAULT_LIMITS: RobotLimits = {
  speed_mps: 0.25,
  angular_speed_radps: 1,
  acceleration_mps2: 10,
  angular_acceleration_radps2: 40,
  stop_deceleration_mps2: 5,
  stop_angular_deceleration_radps2: 20,
  force_N: 500,
  moment_Nm: 150,
  workspace_m: 2,
};

/** Encoder noise 2 µm at the tool and 1 N at the force plate (`Gonthier 2007, 5.1.4`); 0.1 m lever for moments. */
export const DEFAULT_NOISE: RobotNoise = {
  position_m: 2e-6,
  angle_rad: 2e-6,
  velocity_mps: 2e-5,
  angular_velocity_radps: 2e-5,
  force_N: 1,
  moment_Nm: 0.1,
  position_step_m: 5e-7,
  angle_step_rad: 7.5e-7,
};

/** Options of the standard robot on a link. */
export function defaultEmulatorOptions(link: Link): EmulatorOptions {
  return {
    link,
    period_s: 0.001,
    key: '',
    position: [0, 0, 0],
    orientation: [0, 0, 0, 1],
    tracking: 'second-order',
    bandwidth_Hz: 50,
    damping: 1,
    arm: null,
    delay_s: 0.001,
    force_delay_s: 0,
    force_age_s: null,
    sensor: null,
    payload: null,
    limits: DEFAULT_LIMITS,
    noise: DEFAULT_NOISE,
    wall: null,
    impairIn: NO_IMPAIRMENT,
    impairOut: NO_IMPAIRMENT,
    seed: 1,
  };
}

/** Scales all noise and encoder steps by `factor`; 0 gives an exact robot. */
export function scaleNoise(noise: RobotNoise, factor: number): RobotNoise {
  return {
    position_m: noise.position_m * factor,
    angle_rad: noise.angle_rad * factor,
    velocity_mps: noise.velocity_mps * factor,
    angular_velocity_radps: noise.angular_velocity_radps * factor,
    force_N: noise.force_N * factor,
    moment_Nm: noise.moment_Nm * factor,
    position_step_m: noise.position_step_m * factor,
    angle_step_rad: noise.angle_step_rad * factor,
  };
}
