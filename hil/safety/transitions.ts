/**
 * The transition table of the safety machine as data, and the pure function that reads it. A row applies in its states when
 * all its conditions hold; the first row that applies decides. docs/safety.md shows the same table with its defaults.
 */
import { indicesOf, type NameIndices } from '../../src/base/name-indices.ts';
import {
  FaultCode,
  type FaultName,
  SAFETY_STATES,
  SafetyState,
  type SafetyStateName,
} from '../contract/codes.ts';

/** What a guard may ask; each is one 0/1 slot that `SafetyMachine` derives from the inputs and its timers. */
export const CONDITIONS = [
  'LINK_DOWN', //            a link is required and its session is offline
  'LINK_UP', //              no link is required, or a peer talks
  'LINK_SYNCED', //          no link is required, or handshake and clock sync are done
  'LINK_BROKEN', //          a link is required and not synced
  'STATE_PRESENT', //        no link is required, or STATE arrives
  'ROBOT_EMERGENCY',
  'ROBOT_PROTECTIVE',
  'ROBOT_NORMAL',
  'ROBOT_FAULT_STOP', //     the robot reports a fault that ends the motion
  'ROBOT_FAULT_HOLD', //     it reports one that holds, or that it applies nothing
  'STOP_CATEGORY_0',
  'STOP_CATEGORY_1',
  'STOP_CATEGORY_2',
  'HOLD_ASKED',
  'SHUTDOWN',
  'INTERNAL_ERROR',
  'MODEL_NOT_FINITE',
  'LINK_LOST', //            STATE missing for the stop limit
  'STATE_MISSING', //        STATE missing for the hold limit
  'STATE_INVALID', //        the same, because STATE was rejected for its values
  'QUALITY_LOW',
  'OVERRUN_CONSECUTIVE',
  'OVERRUN_BUCKET',
  'OVERRUN_SINGLE',
  'INPUT_STALE',
  'DEADMAN_RELEASED',
  'AUTHORITY_CHANGED',
  'FORCE_LIMIT',
  'VELOCITY_LIMIT',
  'WORKSPACE_LIMIT',
  'FOLLOWING_STOP', //       the measured pose is twice as far from the set-point as is allowed
  'FOLLOWING_HOLD', //       it is further than is allowed
  'ECHO_STOP', //            the robot has applied no newer set-point for the stop limit
  'ECHO_HOLD', //            the same for the hold limit, or what it applies is too old
  'TWIST_MISMATCH', //       the reported twist is not that of the poses
  'RECORDER_LOST',
  'ENERGY_CREATED', //       a contact created more energy than is allowed
  'PERMIT_LOST', //          the prediction exceeds its limits, without an acknowledgement
  'SETPOINT_LIMITED', //     limits have been taking from the motion for longer than any command takes
  'HOLD_TIMEOUT',
  'READY', //                every guard of MONITOR_READY
  'NOT_READY',
  'ARM', //                  asked for, with authority, deadman pressed anew and neutral sticks
  'ALIGNED', //              set-point on the measured pose for the required frames, zero twist
  'NOT_ARMED', //            the robot has refused ARM, or not answered it in time
  'ARMING_TIMEOUT',
  'CONTACT',
  'FREE',
  'RESUME', //               every guard of leaving HOLD for motion
  'CLEAR',
  'HELD', //                 the set-point has come to rest
  'AT_REST', //              the robot reports rest
  'STOPPING_TIMEOUT',
  'CONTACT_CROSSED', //      bodies of a contact moved through each other
] as const;
export type ConditionName = (typeof CONDITIONS)[number];
/** Slot of each condition. */
export const Condition: NameIndices<typeof CONDITIONS> = indicesOf(CONDITIONS);

/** One row of the table. */
export interface TransitionRow {
  readonly from: readonly SafetyStateName[];
  readonly when: readonly ConditionName[];
  readonly to: SafetyStateName;
  readonly cause: FaultName | null;
  /** The cause joins the latched faults. */
  readonly latch: boolean;
}

/** States in which the robot may be moving under our set-points. */
export const MOTION_STATES: readonly SafetyStateName[] = [
  'ARMING',
  'ACTIVE_FREE',
  'ACTIVE_CONTACT',
  'HOLD',
];
/** States in which the operator's command moves the arm. */
export const ACTIVE_STATES: readonly SafetyStateName[] = ['ACTIVE_FREE', 'ACTIVE_CONTACT'];
const synced: readonly SafetyStateName[] = ['SYNCED', 'MONITOR_WAIT', 'MONITOR_READY'];
const unlinked: readonly SafetyStateName[] = ['OFFLINE', 'CONNECTING'];
const resting: readonly SafetyStateName[] = [...unlinked, ...synced];

const row = (
  from: readonly SafetyStateName[],
  when: readonly ConditionName[],
  to: SafetyStateName,
  cause: FaultName | null = null,
  latch = false,
): TransitionRow => ({ from, when, to, cause, latch });

/** Causes that stop, in the order in which they are named when several come at once. */
const STOP_ROWS: readonly (readonly [ConditionName, FaultName])[] = [
  ['INTERNAL_ERROR', 'INTERNAL_ERROR'],
  ['MODEL_NOT_FINITE', 'MODEL_NOT_FINITE'],
  ['ROBOT_PROTECTIVE', 'ROBOT_PROTECTIVE_STOP'],
  ['ROBOT_FAULT_STOP', 'ROBOT_FAULT'],
  ['STOP_CATEGORY_1', 'OPERATOR_STOP'],
  ['SHUTDOWN', 'SHUTDOWN'],
  ['LINK_LOST', 'LINK_LOST'],
  ['FORCE_LIMIT', 'FORCE_LIMIT'],
  ['VELOCITY_LIMIT', 'VELOCITY_LIMIT'],
  ['WORKSPACE_LIMIT', 'WORKSPACE_LIMIT'],
  ['FOLLOWING_STOP', 'FOLLOWING_ERROR'],
  ['ECHO_STOP', 'ECHO_LOST'],
  ['RECORDER_LOST', 'RECORDER_LOST'],
];
/** Causes that hold, in the same sense. They also end an ARMING. */
const HOLD_ROWS: readonly (readonly [ConditionName, FaultName])[] = [
  ['STOP_CATEGORY_2', 'OPERATOR_STOP'],
  ['HOLD_ASKED', 'OPERATOR_HOLD'],
  ['STATE_INVALID', 'STATE_INVALID'],
  ['STATE_MISSING', 'STATE_MISSING'],
  ['ROBOT_FAULT_HOLD', 'ROBOT_FAULT'],
  ['ECHO_HOLD', 'ECHO_LOST'],
  ['FOLLOWING_HOLD', 'FOLLOWING_ERROR'],
  ['TWIST_MISMATCH', 'TWIST_MISMATCH'],
  ['AUTHORITY_CHANGED', 'AUTHORITY_CHANGED'],
  ['DEADMAN_RELEASED', 'DEADMAN_RELEASED'],
  ['INPUT_STALE', 'INPUT_STALE'],
  ['QUALITY_LOW', 'QUALITY_LOW'],
  ['OVERRUN_CONSECUTIVE', 'OVERRUN_CONSECUTIVE'],
  ['OVERRUN_BUCKET', 'OVERRUN_BUCKET'],
  ['OVERRUN_SINGLE', 'OVERRUN_SINGLE'],
  ['ENERGY_CREATED', 'ENERGY_CREATED'],
  ['CONTACT_CROSSED', 'CONTACT_CROSSED'],
  ['PERMIT_LOST', 'PERMIT_LOST'],
  ['SETPOINT_LIMITED', 'SETPOINT_LIMITED'],
];

/** The table, highest priority first. */
export const TRANSITIONS: readonly TransitionRow[] = [
  // emergency stop: from everywhere, out only by CLEAR and a normal robot
  row(
    [...resting, ...MOTION_STATES, 'STOPPING', 'FAULT'],
    ['ROBOT_EMERGENCY'],
    'ESTOP',
    'ROBOT_EMERGENCY_STOP',
    true,
  ),
  row(
    [...resting, ...MOTION_STATES, 'STOPPING', 'FAULT'],
    ['STOP_CATEGORY_0'],
    'ESTOP',
    'OPERATOR_STOP',
    true,
  ),
  row(['ESTOP'], ['CLEAR', 'ROBOT_NORMAL'], 'MONITOR_WAIT'),
  row(['FAULT'], ['CLEAR'], 'MONITOR_WAIT'),

  // loss of link: the robot stops itself by the time to live of the last set-point
  row(MOTION_STATES, ['LINK_DOWN'], 'OFFLINE', 'LINK_LOST', true),
  row(MOTION_STATES, ['LINK_BROKEN'], 'CONNECTING', 'LINK_LOST', true),
  row(['STOPPING'], ['LINK_BROKEN'], 'FAULT', 'LINK_LOST', true),

  // causes that stop; where no set-point moves there is nothing to stop, the fault is latched at once
  ...STOP_ROWS.map(([when, cause]) => row(MOTION_STATES, [when], 'STOPPING', cause, true)),
  row(['HOLD'], ['HOLD_TIMEOUT'], 'STOPPING', 'HOLD_TIMEOUT', true),
  row(synced, ['INTERNAL_ERROR'], 'FAULT', 'INTERNAL_ERROR', true),
  row(synced, ['MODEL_NOT_FINITE'], 'FAULT', 'MODEL_NOT_FINITE', true),
  row(synced, ['STOP_CATEGORY_1'], 'STOPPING', 'OPERATOR_STOP', true),
  row(synced, ['SHUTDOWN'], 'STOPPING', 'SHUTDOWN', true),
  row(unlinked, ['INTERNAL_ERROR'], 'FAULT', 'INTERNAL_ERROR', true),
  row(unlinked, ['MODEL_NOT_FINITE'], 'FAULT', 'MODEL_NOT_FINITE', true),
  row(unlinked, ['STOP_CATEGORY_1'], 'FAULT', 'OPERATOR_STOP', true),
  row(unlinked, ['SHUTDOWN'], 'FAULT', 'SHUTDOWN', true),
  row(['STOPPING'], ['AT_REST'], 'FAULT'),
  row(['STOPPING'], ['STOPPING_TIMEOUT'], 'FAULT'),

  // causes that hold
  ...HOLD_ROWS.map(([when, cause]) => row(ACTIVE_STATES, [when], 'HOLD', cause)),
  ...HOLD_ROWS.map(([when, cause]) => row(['ARMING'], [when], 'MONITOR_WAIT', cause)),

  // the way up
  row(synced, ['LINK_DOWN'], 'OFFLINE'),
  row(synced, ['LINK_BROKEN'], 'CONNECTING'),
  row(['CONNECTING'], ['LINK_DOWN'], 'OFFLINE'),
  row(['OFFLINE'], ['LINK_UP'], 'CONNECTING'),
  row(['CONNECTING'], ['LINK_SYNCED'], 'SYNCED'),
  row(['SYNCED'], ['STATE_PRESENT'], 'MONITOR_WAIT'),
  row(['MONITOR_WAIT'], ['READY'], 'MONITOR_READY'),
  row(['MONITOR_READY'], ['NOT_READY'], 'MONITOR_WAIT'),
  row(['MONITOR_READY'], ['ARM'], 'ARMING'),
  row(['ARMING'], ['NOT_ARMED'], 'MONITOR_WAIT', 'ROBOT_NOT_ARMED'),
  row(['ARMING'], ['ARMING_TIMEOUT'], 'MONITOR_WAIT', 'POSE_MISMATCH'),
  row(['ARMING'], ['ALIGNED', 'CONTACT'], 'ACTIVE_CONTACT'),
  row(['ARMING'], ['ALIGNED', 'FREE'], 'ACTIVE_FREE'),
  row(['ACTIVE_FREE'], ['CONTACT'], 'ACTIVE_CONTACT'),
  row(['ACTIVE_CONTACT'], ['FREE'], 'ACTIVE_FREE'),
  row(['HOLD'], ['CLEAR', 'HELD'], 'MONITOR_WAIT'),
  row(['HOLD'], ['RESUME', 'CONTACT'], 'ACTIVE_CONTACT'),
  row(['HOLD'], ['RESUME', 'FREE'], 'ACTIVE_FREE'),
];

// The table in typed arrays: rows of each state in priority order, conditions of each row.
const WIDEST = 2;
const rowStart = new Int32Array(SAFETY_STATES.length + 1);
const rowList: number[] = [];
for (let state = 0; state < SAFETY_STATES.length; state++) {
  rowStart[state] = rowList.length;
  TRANSITIONS.forEach((entry, index) => {
    if (entry.from.includes(SAFETY_STATES[state])) rowList.push(index);
  });
}
rowStart[SAFETY_STATES.length] = rowList.length;
const rowsOfState = Int32Array.from(rowList);
const rowConditions = new Int32Array(TRANSITIONS.length * WIDEST);
TRANSITIONS.forEach((entry, index) => {
  for (let k = 0; k < WIDEST; k++) {
    rowConditions[index * WIDEST + k] = Condition[entry.when[Math.min(k, entry.when.length - 1)]];
  }
});
const rowTo = Int32Array.from(TRANSITIONS, (entry) => SafetyState[entry.to]);
const rowCause = Int32Array.from(TRANSITIONS, (entry) =>
  entry.cause === null ? -1 : FaultCode[entry.cause],
);
const rowLatch = Uint8Array.from(TRANSITIONS, (entry) => (entry.latch ? 1 : 0));

/**
 * First row of the table that applies. Pure.
 * @param conditions one 0/1 slot for each of CONDITIONS
 * @returns index in TRANSITIONS, −1 when the state stays
 * @alloc none
 */
export function nextRow(state: number, conditions: Uint8Array): number {
  for (let at = rowStart[state]; at < rowStart[state + 1]; at++) {
    const index = rowsOfState[at];
    const first = index * WIDEST;
    if (conditions[rowConditions[first]] === 1 && conditions[rowConditions[first + 1]] === 1) {
      return index;
    }
  }
  return -1;
}

/** The state after this tick. Pure. @alloc none */
export function nextState(state: number, conditions: Uint8Array): number {
  const index = nextRow(state, conditions);
  return index < 0 ? state : rowTo[index];
}

/** State that a row leads to. */
export function rowTarget(index: number): number {
  return rowTo[index];
}

/** FAULT_CODES index of a row's cause, −1 none. */
export function rowCauseIndex(index: number): number {
  return rowCause[index];
}

/** Whether a row latches its cause. */
export function rowLatches(index: number): boolean {
  return rowLatch[index] === 1;
}

const bitsOf = (
  rows: readonly (readonly [ConditionName, FaultName])[],
): { conditions: Int32Array; faults: Int32Array } => ({
  conditions: Int32Array.from(rows, ([condition]) => Condition[condition]),
  faults: Int32Array.from(rows, ([, fault]) => FaultCode[fault]),
});
const stopBits = bitsOf(STOP_ROWS);
const holdBits = bitsOf(HOLD_ROWS);

/** Every cause to stop that is present, as fault bits. @alloc none */
export function stopCauseBits(conditions: Uint8Array): number {
  let bits = 0;
  for (let i = 0; i < stopBits.conditions.length; i++) {
    if (conditions[stopBits.conditions[i]] === 1) bits |= 1 << stopBits.faults[i];
  }
  return bits;
}

/** Every cause to hold that is present, as fault bits. @alloc none */
export function holdCauseBits(conditions: Uint8Array): number {
  let bits = 0;
  for (let i = 0; i < holdBits.conditions.length; i++) {
    if (conditions[holdBits.conditions[i]] === 1) bits |= 1 << holdBits.faults[i];
  }
  return bits;
}
