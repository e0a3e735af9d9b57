/** A telemetry row as people and pages read it: named fields, states and faults by name. */
import type { Settings } from '../../config/settings.ts';
import { columnIndex, ROW_WIDTH } from '../../hil/contract/columns.ts';
import { LOOP_STAGES } from '../../hil/contract/counters.ts';
import { injectedNow } from '../../hil/faults/fault-injection.ts';
import { LoopSlot } from '../../hil/memory/loop-counters.ts';
import { LIMIT_FIELDS } from '../../hil/contract/limit-fields.ts';
import type { Runtime } from '../../hil/threads/runtime-types.ts';
import {
  SCENE_JOINT,
  SCENE_POINT,
  SCENE_POSE,
  SCENE_WIDTH,
  SceneColumn,
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
import { accommodationOf, handModeOf } from './hand-status.ts';
import { energyLimitsOf, guardTicksOf, loopEnergyOf } from './energy-status.ts';
import type { JointsFrame, SceneFrame, Status, TimingStatus, Topics } from '../client/messages.ts';

const column = {
  tick: columnIndex('tick'),
  period: columnIndex('period'),
  time: columnIndex('time_s'),
  simTime: columnIndex('sim_time_s'),
  mode: columnIndex('mode'),
  safety: columnIndex('safety_state'),
  faults: columnIndex('fault_bits'),
  holds: columnIndex('hold_bits'),
  ctlMode: columnIndex('ctl_mode'),
  frozen: columnIndex('frozen'),
  lateness: columnIndex('lateness_s'),
  stages: columnIndex('stage_rx_s'),
  margin: columnIndex('margin_s'),
  slipped: columnIndex('slipped'),
  missCause: columnIndex('miss_cause'),
  substeps: columnIndex('substeps'),
  linkUp: columnIndex('link_up'),
  linkQuality: columnIndex('link_quality'),
  success: columnIndex('link_success_ratio'),
  lost: columnIndex('link_lost_in_row'),
  stateAge: columnIndex('state_age_s'),
  stateQuality: columnIndex('state_quality'),
  rtt: columnIndex('rtt_s'),
  offset: columnIndex('clock_offset_s'),
  delay: columnIndex('loop_delay_ticks'),
  robotSafety: columnIndex('robot_safety'),
  robotFault: columnIndex('robot_fault'),
  robotEmulated: columnIndex('robot_emulated'),
  inputAge: columnIndex('input_age_s'),
  deadman: columnIndex('deadman'),
  authority: columnIndex('authority'),
  command: columnIndex('command_v_x_mps'),
  setpointPosition: columnIndex('setpoint_p_x_m'),
  setpointOrientation: columnIndex('setpoint_q_x'),
  setpointTwist: columnIndex('setpoint_v_x_mps'),
  setpointWrench: columnIndex('setpoint_force_x_N'),
  measuredPosition: columnIndex('measured_p_x_m'),
  measuredOrientation: columnIndex('measured_q_x'),
  measuredTwist: columnIndex('measured_v_x_mps'),
  measuredWrench: columnIndex('measured_force_x_N'),
  modelWrench: columnIndex('model_force_x_N'),
  contactActive: columnIndex('contact_active'),
  contactCount: columnIndex('contact_count'),
  penetration: columnIndex('penetration_m'),
  penetrationRate: columnIndex('penetration_rate_mps'),
  normalForce: columnIndex('normal_force_N'),
  frictionForce: columnIndex('friction_force_N'),
  stick: columnIndex('stick'),
  dwell: columnIndex('dwell'),
  contactPairs: columnIndex('contact_pairs'),
  energy: columnIndex('energy_kinetic_J'),
};

/** Names of the bits that are set. */
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
  return row[column.lateness] + row[column.slipped] * period_s;
}

type StageTimes = Pick<TimingStatus, `stage_${(typeof LOOP_STAGES)[number]}_s`>;

/** Durations of the stages of a tick, s. */
function stageTimes(row: Float64Array): StageTimes {
  const times = LOOP_STAGES.map((name, i) => [`stage_${name}_s`, row[column.stages + i]] as const);
  return Object.fromEntries(times) as StageTimes;
}

/** Topics of the telemetry socket, each a plain object made from one row of a loop with that period. */
export const TOPICS = {
  state: (row: Float64Array) => ({
    tick: row[column.tick],
    sim_time_s: row[column.simTime],
    mode: nameOf(LOOP_MODES, row[column.mode]),
    state: nameOf(SAFETY_STATES, row[column.safety]),
    faults: bitNames(row[column.faults]),
    holds: bitNames(row[column.holds]),
    ctl_mode: nameOf(CTL_MODES, row[column.ctlMode]),
    frozen: row[column.frozen] !== 0,
    setpoint: {
      position_m: list(row, column.setpointPosition, 3),
      orientation: list(row, column.setpointOrientation, 4),
      twist: list(row, column.setpointTwist, 6),
    },
    measured: {
      position_m: list(row, column.measuredPosition, 3),
      orientation: list(row, column.measuredOrientation, 4),
      twist: list(row, column.measuredTwist, 6),
    },
    link: {
      up: row[column.linkUp] !== 0,
      quality: nameOf(LINK_QUALITIES, row[column.linkQuality]),
      success_ratio: row[column.success],
      lost_in_row: row[column.lost],
      state_age_s: finite(row[column.stateAge]),
      state_quality: VALUE_QUALITIES[row[column.stateQuality]] ?? 'invalid',
      rtt_s: finite(row[column.rtt]),
      clock_offset_s: finite(row[column.offset]),
      loop_delay_ticks: row[column.delay],
      robot_safety: row[column.robotSafety],
      robot_fault: row[column.robotFault],
      robot_emulated: row[column.robotEmulated] !== 0,
    },
  }),
  wrench: (row: Float64Array) => ({
    setpoint: list(row, column.setpointWrench, 6),
    measured: list(row, column.measuredWrench, 6),
    model: list(row, column.modelWrench, 6),
  }),
  timing: (row: Float64Array, period_s: number) => ({
    period: row[column.period],
    lateness_s: lateness_s(row, period_s),
    margin_s: row[column.margin],
    ...stageTimes(row),
    slipped_total: row[column.period] - row[column.tick],
    miss_cause: row[column.missCause] < 0 ? null : nameOf(MISS_CAUSES, row[column.missCause]),
    substeps: row[column.substeps],
  }),
  contact: (row: Float64Array) => ({
    active: row[column.contactActive],
    count: row[column.contactCount],
    pairs: row[column.contactPairs],
    penetration_m: row[column.penetration],
    penetration_rate_mps: row[column.penetrationRate],
    normal_force_N: row[column.normalForce],
    friction_force_N: row[column.frictionForce],
    stick: row[column.stick],
    dwell: row[column.dwell],
  }),
  energy: (row: Float64Array) => ({
    kinetic_J: row[column.energy],
    potential_J: row[column.energy + 1],
    elastic_J: row[column.energy + 2],
    dissipated_J: row[column.energy + 3],
    external_J: row[column.energy + 4],
    balance_J: row[column.energy + 5],
  }),
  loop_energy: loopEnergyOf,
  operator: (row: Float64Array) => ({
    authority: row[column.authority],
    deadman: row[column.deadman] !== 0,
    input_age_s: finite(row[column.inputAge]),
    command: list(row, column.command, 6),
  }),
} as const satisfies {
  readonly [T in keyof Topics]?: (row: Float64Array, period_s: number) => Topics[T];
};
/** Topics made from a telemetry row. */
export type RowTopic = keyof typeof TOPICS;

/** Poses in the order of `GET /api/scene`, and where bodies touch. */
export function sceneTopic(row: Float64Array): SceneFrame {
  const bodies = row[SceneColumn.BODIES];
  const points = row[SceneColumn.POINTS];
  return {
    sim_time_s: row[SceneColumn.TIME],
    touching: row[SceneColumn.TOUCHING],
    poses: list(row, SceneColumn.POSES, bodies * SCENE_POSE),
    points: list(row, SceneColumn.FIRST_POINT, points * SCENE_POINT),
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
  const hardware = nameOf(LOOP_MODES, row[column.mode]) === 'hardware';
  return list(row, hardware ? column.measuredWrench : column.modelWrench, 3);
}

/** Column whose largest value the stream keeps between two messages. */
export const NORMAL_FORCE_COLUMN = column.normalForce;

/** Tick and time of a row. */
export function instantOf(row: Float64Array): { tick: number; time_s: number } {
  return { tick: row[column.tick], time_s: row[column.time] };
}

/** Names of the latched faults and of the causes of a present HOLD. */
export function causeNames(row: Float64Array): string[] {
  const holds = nameOf(SAFETY_STATES, row[column.safety]) === 'HOLD' ? row[column.holds] : 0;
  return [...bitNames(row[column.faults]), ...bitNames(holds)];
}

/** Whether a fault is latched, as always in FAULT and ESTOP: CLEAR then takes a reason. */
export function hasLatchedFault(row: Float64Array): boolean {
  return row[column.faults] !== 0;
}

/** States in which set-points may move the arm; in HOLD they come to rest. */
const ENGAGED: readonly string[] = ['ARMING', 'ACTIVE_FREE', 'ACTIVE_CONTACT', 'STOPPING'];
/** A set-point slower than this rests, m/s and rad/s: the safety machine's own measure. */
const REST_TWIST = 1e-6;

/** What a hand-over of authority depends on: it is for a set-point at rest, and a consented one for a deadman that is released. */
export interface ArmMotion {
  readonly deadman: boolean;
  /** ARMING, ACTIVE or STOPPING: authority stays with its holder in these states. */
  readonly engaged: boolean;
  /** The set-point has a twist. */
  readonly moving: boolean;
}

/** The motion of a row. Where nothing is commanded the set-point only follows the robot. */
export function armMotion(row: Float64Array): ArmMotion {
  const state = nameOf(SAFETY_STATES, row[column.safety]);
  const engaged = ENGAGED.includes(state);
  const twist = list(row, column.setpointTwist, 6);
  const moves = Math.hypot(...twist) > REST_TWIST;
  return {
    deadman: row[column.deadman] !== 0,
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
  const state = nameOf(SAFETY_STATES, row[column.safety]);
  const blockers: string[] = [];
  if (recorderLost && !ENGAGED.includes(state)) {
    blockers.push('Recording is required, and the recorder does not work.');
  }
  if (state === 'MONITOR_WAIT' && row[column.robotSafety] === RobotSafety.PROTECTIVE) {
    return [...blockers, 'The robot is in protective stop: remove the cause, then clear.'];
  }
  if (state === 'MONITOR_WAIT' && robotFaultAnswer(row[column.robotFault]) > 0) {
    return [...blockers, 'The robot tells a fault: remove its cause, then clear.'];
  }
  if (state !== 'MONITOR_READY') return [...blockers, BLOCKERS[state] ?? state];
  if (row[column.authority] === 0) blockers.push('Nobody holds authority.');
  else if (row[column.deadman] === 0) blockers.push('The deadman is not pressed.');
  if (permitRequired && loopEnergyOf(row).permit === 'needed') {
    blockers.push('The contact permit must be acknowledged.');
  }
  return blockers;
}

/** The whole session, as `GET /api/session` and the 10 Hz `status` message give it. */
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
  const recorderLost = settings.recording.required && recording?.state === 'failed';
  return {
    ...head,
    ...(accommodation === null ? {} : { accommodation, hand_mode: handModeOf(row) }),
    ...TOPICS.state(row),
    time_s: row[column.time],
    tool_force_N: toolForce_N(row),
    wrench: TOPICS.wrench(row),
    timing: TOPICS.timing(row, settings.loop.period_s),
    contact: TOPICS.contact(row),
    energy: TOPICS.energy(row),
    loop_energy: loopEnergyOf(row),
    energy_limits: energyLimitsOf(settings),
    guard_ticks: guardTicksOf(counters),
    limits: Object.fromEntries(
      LIMIT_FIELDS.map((name, i) => [name, counters[LoopSlot.LIMITS + i]]),
    ),
    operator: TOPICS.operator(row),
    arm_blockers: armBlockers(row, recorderLost, settings.energy.permit === 'required'),
  };
}

/** A row to read into. */
export function makeRow(): Float64Array {
  return new Float64Array(ROW_WIDTH);
}
