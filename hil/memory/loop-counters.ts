/** Counters of the loop in shared memory: slots are looked up once, and every tick adds to them without allocation. */
import {
  FORCE_BUCKETS,
  GAIN_BUCKETS,
  FRAME_ERRORS,
  LATENCY_BUCKETS,
  LOOP_FAMILIES,
  LOOP_STAGES,
  RESTITUTION_BUCKETS,
  counterSlot,
  layoutCounters,
} from '../contract/counters.ts';
import { INJECTIONS } from '../contract/injections.ts';
import { LIMIT_FIELDS } from '../contract/limit-fields.ts';
import { ROBOT_FAULT_BITS } from '../contract/robot-faults.ts';

const layout = layoutCounters(LOOP_FAMILIES);
const slot = (name: string, ...labels: string[]): number =>
  counterSlot(layout, LOOP_FAMILIES, name, ...labels);

/** Slots of families, and of the first series of labelled families (the others follow in order). */
export const LoopSlot = Object.freeze({
  TICKS: slot('loop_ticks_total'),
  SLIPPED: slot('loop_slipped_ticks_total'),
  OVERRUNS: slot('loop_overruns_total', 'late_wake'),
  LATENESS: slot('loop_wake_lateness_seconds'),
  LATENESS_MAX: slot('loop_wake_lateness_max_seconds'),
  STAGE: slot('loop_stage_duration_seconds', LOOP_STAGES[0]),
  MARGIN: slot('loop_frame_margin_seconds'),
  SUBSTEP_BOUND: slot('loop_substep_bound_total'),
  PAIRS_REFUSED: slot('loop_cell_pairs_refused_total'),
  WORKERS: slot('loop_workers'),
  SIM_TIME: slot('sim_time_seconds_total'),
  SIM_FROZEN: slot('sim_frozen_seconds_total'),
  CONTACTS: slot('contacts_total'),
  CONTACT_ACTIVE: slot('contact_active'),
  CONTACT_PEAK: slot('contact_peak_force_newtons'),
  CONTACT_FORCE: slot('contact_force_newtons', 'x'),
  CONTACT_MOMENT: slot('contact_moment_newton_meters', 'x'),
  CONTACT_PAIRS: slot('contact_pairs'),
  PENETRATION: slot('contact_penetration_meters'),
  SUBSTEPS: slot('loop_substeps'),
  ENERGY: slot('model_energy_joules', 'kinetic'),
  CLAMP_VELOCITY: slot('limit_clamps_total', 'velocity'),
  CLAMP_ACCELERATION: slot('limit_clamps_total', 'acceleration'),
  CLAMP_FORCE: slot('limit_clamps_total', 'force'),
  CLAMP_WORKSPACE: slot('limit_clamps_total', 'workspace'),
  CLAMP_JERK: slot('limit_clamps_total', 'jerk'),
  SETPOINT_LIMITED: slot('setpoint_limited_seconds_total'),
  SETPOINT_TAKEN: slot('setpoint_limited_joules_total'),
  LIMITS: slot('limit_in_force', LIMIT_FIELDS[0]),
  ROBOT_FAULT: slot('robot_fault', ROBOT_FAULT_BITS[0].name.toLowerCase()),
  FOLLOWING: slot('robot_following_error_meters'),
  FOLLOWING_LIMIT: slot('robot_following_limit_meters'),
  FOLLOWING_ANGLE: slot('robot_following_error_radians'),
  FOLLOWING_ANGLE_LIMIT: slot('robot_following_limit_radians'),
  ECHO_AGE: slot('robot_echo_age_seconds'),
  POSE_SPEED: slot('robot_pose_speed_meters_per_second'),
  POSE_ANGULAR_SPEED: slot('robot_pose_speed_radians_per_second'),
  LINK_UP: slot('robot_link_up'),
  LINK_QUALITY: slot('robot_link_quality'),
  LOST_IN_ROW: slot('robot_consecutive_lost_frames'),
  SUCCESS: slot('robot_command_success_ratio'),
  FRAMES: slot('robot_frames_total', 'rx', 'setpoint'),
  LOST: slot('robot_frames_lost_total', 'rx'),
  FRAME_ERRORS: slot('robot_frame_errors_total', FRAME_ERRORS[0]),
  SEND_FAILURES: slot('robot_send_failures_total'),
  RTT: slot('robot_rtt_seconds'),
  STATE_AGE: slot('robot_state_age_seconds'),
  STATE_TO_SETPOINT: slot('robot_state_to_setpoint_seconds'),
  OFFSET: slot('robot_clock_offset_seconds'),
  DELAY: slot('loop_delay_seconds', 'total'),
  MARGIN_RATIO: slot('loop_stability_margin_ratio'),
  RESTITUTION_PREDICTED: slot('loop_predicted_restitution_ratio', 'none'),
  STIFFNESS_LIMIT: slot('loop_stiffness_limit_newtons_per_meter'),
  RESTITUTION: slot('contact_restitution_ratio', 'sim'),
  ENERGY_CREATED: slot('loop_energy_created_joules_total'),
  ENERGY_GAIN: slot('contact_energy_gain_ratio'),
  GUARD_DISSIPATED: slot('passivity_dissipated_joules_total'),
  GUARD_ACTIVE: slot('passivity_active_ticks_total'),
  GUARD_CLAMPED: slot('passivity_clamped_ticks_total'),
  SERIAL_BYTES: slot('serial_bytes_total', 'rx'),
  RESYNCS: slot('serial_resyncs_total'),
  CLOCK_STEPS: slot('robot_clock_steps_total'),
  INPUT_AGE: slot('operator_input_age_seconds'),
  INPUTS: slot('operator_inputs_total'),
  INPUTS_REFUSED: slot('operator_inputs_refused_total'),
  SAFETY_STATE: slot('safety_state', 'OFFLINE'),
  TRANSITIONS: slot('safety_transitions_total', 'OFFLINE'),
  FAULTS: slot('faults_total', 'STATE_MISSING'),
  EVENTS_DROPPED: slot('events_dropped_total'),
  INJECTED: slot('injected_faults_total', INJECTIONS[0]),
  INJECTED_NOW: slot('injected_fault_active', INJECTIONS[0]),
});

const LATENCIES = Float64Array.from(LATENCY_BUCKETS);
const LATENCY_WIDTH = LATENCIES.length + 2;
const FORCES = Float64Array.from(FORCE_BUCKETS);
const RESTITUTIONS = Float64Array.from(RESTITUTION_BUCKETS);
const RESTITUTION_WIDTH = RESTITUTIONS.length + 2;
const GAINS = Float64Array.from(GAIN_BUCKETS);

/**
 * The loop's block of counters. An observed value is passed in `value[0]`, because a double
 * argument might be boxed.
 */
export class LoopCounters {
  readonly slots: Float64Array;
  readonly value: Float64Array = new Float64Array(1);

  constructor(buffer: SharedArrayBuffer) {
    this.slots = new Float64Array(buffer);
  }

  /** Adds `value[0]`, s, to the latency histogram at `at`. */
  observeLatency(at: number): void {
    this.#observe(at, LATENCIES);
  }

  /** Adds `value[0]`, s, to the duration histogram of stage number `stage`. */
  observeStage(stage: number): void {
    this.#observe(LoopSlot.STAGE + stage * LATENCY_WIDTH, LATENCIES);
  }

  /** Adds `value[0]`, N, to the force histogram at `at`. */
  observeForce(at: number): void {
    this.#observe(at, FORCES);
  }

  /** Adds `value[0]` to the restitution histogram of a side, 0 simulated, 1 hardware. */
  observeRestitution(side: number): void {
    this.#observe(LoopSlot.RESTITUTION + side * RESTITUTION_WIDTH, RESTITUTIONS);
  }

  /** Adds `value[0]` to the histogram of energy gain. */
  observeGain(): void {
    this.#observe(LoopSlot.ENERGY_GAIN, GAINS);
  }

  #observe(at: number, buckets: Float64Array): void {
    const value = this.value[0];
    let bucket = 0;
    while (bucket < buckets.length && value > buckets[bucket]) bucket++;
    this.slots[at + bucket] += 1;
    this.slots[at + buckets.length + 1] += value;
  }
}
