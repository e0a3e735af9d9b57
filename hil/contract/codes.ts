/** States, causes and fault codes of the safety machine: numbers on the wire and in rows, names everywhere a person reads. */
import {
  type CodeIndices,
  codesOf,
  indicesOf,
  type NameIndices,
} from '../../src/base/name-indices.ts';
import { LOOP_MODES, LoopMode } from '../../src/control/tool-port.ts';

/** States of `hil-anchors 9.3`, in order. */
export const SAFETY_STATES = [
  'OFFLINE',
  'CONNECTING',
  'SYNCED',
  'MONITOR_WAIT',
  'MONITOR_READY',
  'ARMING',
  'ACTIVE_FREE',
  'ACTIVE_CONTACT',
  'HOLD',
  'STOPPING',
  'FAULT',
  'ESTOP',
] as const;
export type SafetyStateName = (typeof SAFETY_STATES)[number];
export const SafetyState: NameIndices<typeof SAFETY_STATES> = indicesOf(SAFETY_STATES);

/** Field `safety` of STATE: what the robot reports about itself. */
export const RobotSafety = Object.freeze({ NORMAL: 0, PROTECTIVE: 1, EMERGENCY: 2, REDUCED: 3 });

/** One fault a cause; the index is the bit in the fault word. Never reuse or reorder: append. All 32 bits have a cause. */
export const FAULT_CODES = [
  'STATE_MISSING',
  'LINK_LOST',
  'STATE_INVALID',
  'QUALITY_LOW',
  'OVERRUN_CONSECUTIVE',
  'OVERRUN_BUCKET',
  'OVERRUN_SINGLE',
  'INPUT_STALE',
  'DEADMAN_RELEASED',
  'AUTHORITY_CHANGED',
  'OPERATOR_STOP',
  'OPERATOR_HOLD',
  'ROBOT_PROTECTIVE_STOP',
  'ROBOT_EMERGENCY_STOP',
  'FORCE_LIMIT',
  'VELOCITY_LIMIT',
  'WORKSPACE_LIMIT',
  'HOLD_TIMEOUT',
  'MODEL_NOT_FINITE',
  'INTERNAL_ERROR',
  'POSE_MISMATCH',
  'SHUTDOWN',
  'RECORDER_LOST',
  'ENERGY_CREATED',
  'PERMIT_LOST',
  'ROBOT_NOT_ARMED',
  'FOLLOWING_ERROR',
  'ECHO_LOST',
  'TWIST_MISMATCH',
  'SETPOINT_LIMITED',
  'ROBOT_FAULT',
  'CONTACT_CROSSED',
] as const;
export type FaultName = (typeof FAULT_CODES)[number];
export const FaultCode: NameIndices<typeof FAULT_CODES> = indicesOf(FAULT_CODES);

/** Why a release was late or a tick too long. */
export const MISS_CAUSES = ['late_wake', 'step_long', 'io_block', 'clock_jump', 'stall'] as const;
export const MissCause: CodeIndices<typeof MISS_CAUSES> = codesOf(MISS_CAUSES);

/** Loop modes. docs/architecture.md and docs/operations.md describe them. */
export { LOOP_MODES, LoopMode };
export type LoopModeName = (typeof LOOP_MODES)[number];

/** Control mode of a SETPOINT frame (HLP/1). */
export const CTL_MODES = ['idle', 'hold', 'track', 'contact', 'stop'] as const;
export const CtlMode: CodeIndices<typeof CTL_MODES> = codesOf(CTL_MODES);

/** Quality of a value that a person or a peer is shown. */
export const VALUE_QUALITIES = ['good', 'held', 'extrapolated', 'stale', 'invalid'] as const;
export const ValueQuality: CodeIndices<typeof VALUE_QUALITIES> = codesOf(VALUE_QUALITIES);
export const LINK_QUALITIES = ['poor', 'fair', 'good', 'excellent'] as const;
export const LinkQuality: CodeIndices<typeof LINK_QUALITIES> = codesOf(LINK_QUALITIES);
