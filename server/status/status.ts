/** A telemetry row as named fields, with states and faults by name. */
import type { Settings } from '../../config/settings.ts';
import { Column, ROW_WIDTH } from '../../hil/contract/columns.ts';
import { LOOP_STAGES } from '../../hil/contract/counters.ts';
import { injectedNow } from '../../hil/faults/fault-injection.ts';
import { LoopSlot } from '../../hil/memory/loop-counters.ts';
import { LIMIT_FIELDS } from '../../hil/contract/limit-fields.ts';
import type { Runtime } from '../../hil/threads/runtime-types.ts';
import {
  SCENE_FACE,
  SCENE_JOINT,
  SCENE_POINT,
  SCENE_POSE,
  SCENE_WIDTH,
  SceneColumn,
  touchNumbers,
} from '../../hil/contract/scene-columns.ts';
import { robotFaultAnswer } from '../../hil/contract/robot-faults.ts';
import {
  CTL_MODES,
  FAULT_CODES,
  LINK_QUALITIES,
  LOOP_MODES,
  MISS_CAUSES,
  RobotSafety,
  SAFETY_STATES,
  VALUE_QUALITIES,
} from '../../hil/contract/codes.ts';
import { ARM_READOUT, ARM_STATUSES, JOINT_READOUT } from '../../src/model/arm-spec.ts';
import { VALIDITY_FLAGS } from '../../src/system/system.ts';
import { accommodationOf, handModeOf } from './hand-status.ts';
import { firstTouchOf } from './first-touch.ts';
import { energyLimitsOf, guardTicksOf, loopEnergyOf } from './energy-status.ts';
import type {
  JointsFrame,
  LinkStatus,
  SceneFrame,
  Status,
  TimingStatus,
  Topics,
} from '../client/messages.ts';

/** Names of the set bits. */
export function bitNames(bits: number, names: readonly string[] = FAULT_CODES): string[] {
  return names.filter((_, index) => Math.floor(bits / 2 ** index) % 2 === 1);
}

const nameOf = (names: readonly string[], index: number): string => names[index] ?? 'unknown';
const list = (row: Float64Array, at: number, count: number): number[] =>
  Array.from(row.subarray(at, at + count));
/** JSON has no NaN or infinity. */
const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/**
 * Lateness of the wake-up behind the missed release, s, including the dropped periods, as in
 * /metrics. The column of the row counts from the release that is served.
 */
export function lateness_s(row: Float64Array, period_s: number): number {
  return row[Column.lateness_s] + row[Column.slipped] * period_s;
}

type StageTimes = Pick<TimingStatus, `stage_${(typeof LOOP_STAGES)[number]}_s`>;

/** Durations of the stages of a tick, s. */
function stageTimes(row: Float64Array): StageTimes {
  const times = LOOP_STAGES.map((name) => {
    const column = `stage_${name}_s` as const;
    return [column, row[Column[column]]] as const;
  });
  return Object.fromEntries(times) as StageTimes;
}

/** Topics of the telemetry socket: each makes a plain object from one row of a loop with that period. */
export const TOPICS = {
  state: (row: Float64Array) => ({
    tick: row[Column.tick],
    sim_time_s: row[Column.sim_time_s],
    mode: nameOf(LOOP_MODES, row[Column.mode]),
    state: nameOf(SAFETY_STATES, row[Column.safety_state]),
    faults: bitNames(row[Column.fault_bits]),
    holds: bitNames(row[Column.hold_bits]),
    ctl_mode: nameOf(CTL_MODES, row[Column.ctl_mode]),
    frozen: row[Column.frozen] !== 0,
    setpoint: {
      position_m: list(row, Column.setpoint_p_x_m, 3),
      orientation: list(row, Column.setpoint_q_x, 4),
      twist: list(row, Column.setpoint_v_x_mps, 6),
    },
    measured: {
      position_m: list(row, Column.measured_p_x_m, 3),
      orientation: list(row, Column.measured_q_x, 4),
      twist: list(row, Column.measured_v_x_mps, 6),
    },
    link: {
      up: row[Column.link_up] !== 0,
      quality: nameOf(LINK_QUALITIES, row[Column.link_quality]),
      success_ratio: row[Column.link_success_ratio],
      lost_in_row: row[Column.link_lost_in_row],
      state_age_s: finite(row[Column.state_age_s]),
      state_quality: VALUE_QUALITIES[row[Column.state_quality]] ?? 'invalid',
      rtt_s: finite(row[Column.rtt_s]),
      clock_offset_s: finite(row[Column.clock_offset_s]),
      loop_delay_ticks: row[Column.loop_delay_ticks],
      robot_safety: row[Column.robot_safety],
      robot_fault: row[Column.robot_fault],
      robot_emulated: row[Column.robot_emulated] !== 0,
    },
  }),
  wrench: (row: Float64Array) => ({
    setpoint: list(row, Column.setpoint_force_x_N, 6),
    measured: list(row, Column.measured_force_x_N, 6),
    model: list(row, Column.model_force_x_N, 6),
  }),
  timing: (row: Float64Array, period_s: number) => ({
    period: row[Column.period],
    lateness_s: lateness_s(row, period_s),
    margin_s: row[Column.margin_s],
    ...stageTimes(row),
    slipped_total: row[Column.period] - row[Column.tick],
    miss_cause: row[Column.miss_cause] < 0 ? null : nameOf(MISS_CAUSES, row[Column.miss_cause]),
    substeps: row[Column.substeps],
  }),
  contact: (row: Float64Array) => ({
    active: row[Column.contact_active],
    count: row[Column.contact_count],
    pairs: row[Column.contact_pairs],
    penetration_m: row[Column.penetration_m],
    penetration_rate_mps: row[Column.penetration_rate_mps],
    normal_force_N: row[Column.normal_force_N],
    friction_force_N: row[Column.friction_force_N],
    stick: row[Column.stick],
    dwell: row[Column.dwell],
    least_distance_m: finite(row[Column.least_distance_m]),
    standoff_reserve: finite(row[Column.standoff_reserve]),
    constraint_drift_m: finite(row[Column.constraint_drift_m]),
    constraint_drift_rad: finite(row[Column.constraint_drift_rad]),
    constraint_rate_mps: finite(row[Column.constraint_rate_mps]),
    constraint_rate_radps: finite(row[Column.constraint_rate_radps]),
    touch_curvature: finite(row[Column.touch_curvature]),
    touch_newton_steps: row[Column.touch_newton_steps],
    touch_places: row[Column.touch_places],
    validity: bitNames(row[Column.contact_validity], VALIDITY_FLAGS),
  }),
  energy: (row: Float64Array) => ({
    kinetic_J: row[Column.energy_kinetic_J],
    potential_J: row[Column.energy_potential_J],
    elastic_J: row[Column.energy_elastic_J],
    dissipated_J: row[Column.energy_dissipated_J],
    external_J: row[Column.energy_external_J],
    balance_J: row[Column.energy_balance_J],
  }),
  loop_energy: loopEnergyOf,
  operator: (row: Float64Array) => ({
    authority: row[Column.authority],
    deadman: row[Column.deadman] !== 0,
    input_age_s: finite(row[Column.input_age_s]),
    command: list(row, Column.command_v_x_mps, 6),
  }),
} as const satisfies {
  readonly [T in keyof Topics]?: (row: Float64Array, period_s: number) => Topics[T];
};
/** Topics made from a telemetry row. */
export type RowTopic = keyof typeof TOPICS;

/** Poses in the order of `GET /api/scene`, and contact points. */
export function sceneTopic(row: Float64Array): SceneFrame {
  const bodies = row[SceneColumn.BODIES];
  const points = row[SceneColumn.POINTS];
  return {
    sim_time_s: row[SceneColumn.TIME],
    touching: row[SceneColumn.TOUCHING],
    poses: list(row, SceneColumn.POSES, bodies * SCENE_POSE),
    points: list(row, SceneColumn.FIRST_POINT, points * SCENE_POINT),
    faces: list(row, SceneColumn.FIRST_FACE, points * SCENE_FACE),
    touches: list(row, SceneColumn.FIRST_TOUCH, touchNumbers(row)),
  };
}

/** Joints of the simulated arm from a scene row. */
export function jointsTopic(row: Float64Array): JointsFrame {
  const count = row[SceneColumn.JOINTS];
  const arm = (name: (typeof ARM_READOUT)[number]): number =>
    count > 0 ? row[SceneColumn.ARM + ARM_READOUT.indexOf(name)] : 0;
  const joints = (name: (typeof JOINT_READOUT)[number]): number[] => {
    const at = SceneColumn.FIRST_JOINT + JOINT_READOUT.indexOf(name);
    return Array.from({ length: count }, (_, j) => row[at + j * SCENE_JOINT]);
  };
  return {
    sim_time_s: row[SceneColumn.TIME],
    status: count > 0 ? nameOf(ARM_STATUSES, arm('status')) : null,
    condition: finite(arm('condition')),
    manipulability: arm('manipulability'),
    rate_scale: arm('rateScale'),
    deflection_m: [arm('deflectionX'), arm('deflectionY'), arm('deflectionZ')],
    deflection_rad: arm('deflectionAngle'),
    brake: arm('brake') === 1,
    position: joints('position'),
    rate: joints('rate'),
    reference: joints('reference'),
    torque: joints('torque'),
    deflection: joints('deflection'),
    margin: joints('margin').map(finite),
    bending_m: joints('bending'),
  };
}

/** A scene row to read into. */
export function makeSceneRow(): Float64Array {
  return new Float64Array(SCENE_WIDTH);
}

/** Force that the accommodation law follows: measured on hardware, modelled otherwise. */
export function toolForce_N(row: Float64Array): number[] {
  const hardware = nameOf(LOOP_MODES, row[Column.mode]) === 'hardware';
  return list(row, hardware ? Column.measured_force_x_N : Column.model_force_x_N, 3);
}

/** Column whose largest value the stream keeps between two messages. */
export const NORMAL_FORCE_COLUMN = Column.normal_force_N;

/** Tick and time of a row. */
export function instantOf(row: Float64Array): { tick: number; time_s: number } {
  return { tick: row[Column.tick], time_s: row[Column.time_s] };
}

/** Names of the latched faults and of the causes of a present HOLD. */
export function causeNames(row: Float64Array): string[] {
  const holds =
    nameOf(SAFETY_STATES, row[Column.safety_state]) === 'HOLD' ? row[Column.hold_bits] : 0;
  return [...bitNames(row[Column.fault_bits]), ...bitNames(holds)];
}

/** Whether a fault is latched, as always in FAULT and ESTOP: CLEAR then takes a reason. */
export function hasLatchedFault(row: Float64Array): boolean {
  return row[Column.fault_bits] !== 0;
}

/** States in which set-points may move the arm; in HOLD they come to rest. */
const ENGAGED: readonly string[] = ['ARMING', 'ACTIVE_FREE', 'ACTIVE_CONTACT', 'STOPPING'];
/** Twist below which a set-point is at rest, m/s and rad/s: the value of the safety machine. */
const REST_TWIST = 1e-6;

/** Motion of the arm, for a change of authority: it needs a set-point at rest, and with consent a released deadman. */
export interface ArmMotion {
  readonly deadman: boolean;
  /** ARMING, ACTIVE or STOPPING: authority stays with its holder in these states. */
  readonly engaged: boolean;
  /** Whether the set-point has a twist. */
  readonly moving: boolean;
}

/** Motion in a row. Without a command the set-point only follows the robot. */
export function armMotion(row: Float64Array): ArmMotion {
  const state = nameOf(SAFETY_STATES, row[Column.safety_state]);
  const engaged = ENGAGED.includes(state);
  const twist = list(row, Column.setpoint_v_x_mps, 6);
  const moves = Math.hypot(...twist) > REST_TWIST;
  return {
    deadman: row[Column.deadman] !== 0,
    engaged,
    moving: moves && (engaged || state === 'HOLD'),
  };
}

const BLOCKERS: Readonly<Record<string, string>> = {
  OFFLINE: 'The robot is not connected.',
  CONNECTING: 'The robot is connecting.',
  SYNCED: 'Clocks are synchronised; waiting for the first STATE.',
  MONITOR_WAIT: 'The link must be good for 1 s, without a fault.',
  ARMING: 'Arming is under way.',
  ACTIVE_FREE: 'Already active.',
  ACTIVE_CONTACT: 'Already active.',
  HOLD: 'In HOLD: release and press the deadman, then resume.',
  STOPPING: 'Stopping.',
  FAULT: 'A fault is latched: clear it first.',
  ESTOP: 'Emergency stop: release it at the robot, then clear.',
};

/**
 * Reasons why ARM is not accepted, most important first; empty when it is. `recorderLost`:
 * recording is required and the recorder does not work. `permitRequired`: a missing contact permit
 * blocks ARM.
 */
export function armBlockers(
  row: Float64Array,
  recorderLost: boolean,
  permitRequired = true,
): string[] {
  const state = nameOf(SAFETY_STATES, row[Column.safety_state]);
  const blockers: string[] = [];
  if (recorderLost && !ENGAGED.includes(state)) {
    blockers.push('Recording is required, and the recorder does not work.');
  }
  if (state === 'MONITOR_WAIT' && row[Column.robot_safety] === RobotSafety.PROTECTIVE) {
    return [...blockers, 'The robot is in protective stop: remove the cause, then clear.'];
  }
  if (state === 'MONITOR_WAIT' && robotFaultAnswer(row[Column.robot_fault]) > 0) {
    return [...blockers, 'The robot tells a fault: remove its cause, then clear.'];
  }
  if (state !== 'MONITOR_READY') return [...blockers, BLOCKERS[state] ?? state];
  if (row[Column.authority] === 0) blockers.push('Nobody holds authority.');
  else if (row[Column.deadman] === 0) blockers.push('The deadman is not pressed.');
  if (permitRequired && loopEnergyOf(row).permit === 'needed') {
    blockers.push('The contact permit must be acknowledged.');
  }
  return blockers;
}

/** Who is at the link, and who was refused last. */
function robotAtLink(runtime: Runtime, up: boolean): Pick<LinkStatus, 'robot' | 'last_reject'> {
  const { facts, lastReject } = runtime.robot?.() ?? { facts: null, lastReject: null };
  if (lastReject === null) return { robot: up ? facts : null, last_reject: null };
  const { at_ms, ...refusal } = lastReject;
  const age_s = (performance.now() - at_ms) / 1000;
  return { robot: up ? facts : null, last_reject: { ...refusal, age_s } };
}

/** The whole session, for `GET /api/session` and the 10 Hz `status` message. */
export function sessionStatus(
  runtime: Runtime,
  row: Float64Array,
  settings: Settings,
  authority: Status['authority'],
): Status {
  const running = runtime.readNewest(row);
  const recording = runtime.recording?.();
  const head = {
    scenario: runtime.scenario,
    mode: runtime.mode,
    robot_address: runtime.robotAddress,
    running,
    authority,
    fault_injection: settings.allow_fault_injection,
    ...(settings.allow_fault_injection
      ? { injected: injectedNow(runtime.shared.loopCounters) }
      : {}),
    ...(recording === undefined ? {} : { recording }),
    ...(runtime.replay === true ? { replay: true } : {}),
  };
  if (!running) return { ...head, state: 'OFFLINE', faults: [], holds: [], arm_blockers: [] };
  const accommodation = accommodationOf(row);
  const counters = new Float64Array(runtime.shared.loopCounters);
  const state = TOPICS.state(row);
  const recorderLost = settings.recording.required && recording?.state === 'failed';
  return {
    ...head,
    ...(accommodation === null ? {} : { accommodation, hand_mode: handModeOf(row) }),
    ...state,
    link: { ...state.link, ...robotAtLink(runtime, state.link.up) },
    time_s: row[Column.time_s],
    tool_force_N: toolForce_N(row),
    wrench: TOPICS.wrench(row),
    timing: TOPICS.timing(row, settings.loop.period_s),
    contact: TOPICS.contact(row),
    energy: TOPICS.energy(row),
    loop_energy: loopEnergyOf(row),
    energy_limits: energyLimitsOf(settings),
    ...firstTouchOf(runtime, row),
    guard_ticks: guardTicksOf(counters),
    limits: Object.fromEntries(
      LIMIT_FIELDS.map((name, i) => [name, counters[LoopSlot.limit_in_force + i]]),
    ),
    operator: TOPICS.operator(row),
    arm_blockers: armBlockers(row, recorderLost, settings.energy.permit === 'required'),
  };
}

/** A row to read into. */
export function makeRow(): Float64Array {
  return new Float64Array(ROW_WIDTH);
}
