/** One sentence for each fault code and for each alarm of the server's own: the log, the alarms and the console read them here. */
import type { FaultName } from '../../hil/contract/codes.ts';

/** Alarms that the server raises by itself. */
export const SERVER_ALARMS = [
  'LINK_DOWN',
  'LOOP_ENDED',
  'RECORDER_FAILED',
  'OVERRUN_BURST',
  'ROBOT_CLOCK_STEPPED',
] as const;
export type AlarmCode = FaultName | (typeof SERVER_ALARMS)[number];

/** What happened, in words. */
export const FAULT_WORDS: Readonly<Record<AlarmCode, string>> = {
  STATE_MISSING: 'The robot’s state was missing in 4 ticks in a row.',
  LINK_LOST: 'The robot’s state was missing in 20 ticks in a row, or the connection ended.',
  STATE_INVALID: 'The robot sent values that no limit allows.',
  QUALITY_LOW: 'The quality of the robot link was poor.',
  OVERRUN_CONSECUTIVE: 'Too many ticks in a row missed their period.',
  OVERRUN_BUCKET: 'Too many of the recent ticks missed their period.',
  OVERRUN_SINGLE: 'One tick was late by more than its limit.',
  INPUT_STALE: 'The operator’s input was too old.',
  DEADMAN_RELEASED: 'The operator let go of the deadman.',
  AUTHORITY_CHANGED: 'The station that was flying lost its authority.',
  OPERATOR_STOP: 'Somebody pressed STOP.',
  OPERATOR_HOLD: 'Somebody asked for a hold.',
  ROBOT_PROTECTIVE_STOP: 'The robot reports a protective stop.',
  ROBOT_EMERGENCY_STOP: 'The robot reports an emergency stop.',
  FORCE_LIMIT: 'The measured force or moment was above its limit.',
  VELOCITY_LIMIT: 'The measured speed was above its limit.',
  WORKSPACE_LIMIT: 'The tool left its workspace.',
  HOLD_TIMEOUT: 'A hold did not bring the set-point to rest in time.',
  MODEL_NOT_FINITE: 'A step of the model gave a value that is not finite.',
  INTERNAL_ERROR: 'The loop caught an error of its own.',
  POSE_MISMATCH: 'The robot did not come to the set-point while arming.',
  SHUTDOWN: 'The service was asked to end.',
  RECORDER_LOST: 'The recording that is required was lost.',
  ENERGY_CREATED: 'A contact got more energy from the loop than is allowed.',
  PERMIT_LOST: 'The predicted contact exceeds its limits, and nobody has acknowledged that.',
  ROBOT_NOT_ARMED: 'The robot refused to arm, or did not answer.',
  FOLLOWING_ERROR: 'The robot was further from its set-point than is allowed.',
  ECHO_LOST: 'The robot applied no newer set-points, or much too old ones.',
  TWIST_MISMATCH: 'The robot told another speed than its poses show.',
  SETPOINT_LIMITED:
    'The limits of speed, acceleration, jerk or workspace kept the arm from its motion for too long.',
  CONTACT_CROSSED: 'Two bodies moved through each other within one tick.',
  ROBOT_FAULT: 'The robot tells a fault, or that it does not apply the set-points.',
  LINK_DOWN: 'The robot is not connected.',
  LOOP_ENDED:
    'The loop does not tick any more: load the scenario again, or end the service and start it again.',
  RECORDER_FAILED: 'The recorder cannot write; nothing is recorded.',
  OVERRUN_BURST: 'Ten or more ticks missed their period within 10 s.',
  ROBOT_CLOCK_STEPPED:
    'The clock of the robot jumped; its measurements were without an age for a moment.',
};
