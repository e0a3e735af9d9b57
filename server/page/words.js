// Words and numbers of the status page: names of the states, causes in a sentence each, figures with their unit.
/* exported STATES, LEVELS, CAUSES, words, cause, norm, fixed, time */
'use strict';

const STATES = [
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
];
const LEVELS = {
  MONITOR_READY: 'good',
  ACTIVE_FREE: 'good',
  ACTIVE_CONTACT: 'good',
  ARMING: 'warn',
  HOLD: 'warn',
  STOPPING: 'warn',
  FAULT: 'bad',
  ESTOP: 'bad',
};
const CAUSES = {
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
};

const words = (name) =>
  name === 'ESTOP' ? 'emergency stop' : name.toLowerCase().replaceAll('_', ' ');
const cause = (name) => CAUSES[name] ?? words(name);
const norm = (v) => Math.hypot(v[0], v[1], v[2]);

/** So many decimals, a real minus, and no minus before a zero. */
function fixed(value, decimals) {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−');
}

/** A duration in the unit that suits it; what has never happened has no age. */
function time(s) {
  if (s === null || Math.abs(s) > 1e6) return '—';
  if (Math.abs(s) < 1e-3) return `${fixed(s * 1e6, 0)} µs`;
  return Math.abs(s) < 1 ? `${fixed(s * 1e3, 1)} ms` : `${fixed(s, 1)} s`;
}
