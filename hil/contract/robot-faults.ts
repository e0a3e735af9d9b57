/**
 * What the bits of STATE.fault and the codes of FAULT mean, and what the loop answers (docs/protocol.md, Robot faults). A code is the number of
 * its bit. Bits 0 to 15 stop, 16 to 23 hold, 24 to 31 warn, and a bit that has no name here stops, wherever it is: a robot of a later
 * version is not misread as harmless.
 */

/** Bits from 0: the motion is over. Never reorder: append. */
export const STOP_FAULTS = [
  'TTL_EXPIRED',
  'SETPOINTS_LOST',
  'POSE_MISMATCH',
  'FORCE_LIMIT',
  'JOINT_LIMIT',
  'SINGULARITY',
  'DRIVE',
  'SENSOR',
  'COLLISION',
] as const;
/** Bits from 16: the motion waits. */
export const HOLD_FAULTS = ['PAUSED', 'DRIVE_HOT'] as const;
/** Bits from 24: an operator should check. */
export const WARN_FAULTS = ['DRIVE_WARM', 'JOINT_LIMIT_NEAR', 'SENSOR_DOUBTFUL'] as const;
const FIRST_HOLD = 16;
const FIRST_WARN = 24;

export const FAULT_ANSWERS = ['stop', 'hold', 'warn'] as const;

/** One named bit. */
export interface RobotFaultBit {
  readonly bit: number;
  readonly name: string;
  readonly answer: (typeof FAULT_ANSWERS)[number];
}

const bits = (
  names: readonly string[],
  first: number,
  answer: RobotFaultBit['answer'],
): RobotFaultBit[] => names.map((name, index) => ({ bit: first + index, name, answer }));

/** Every bit that has a name. */
export const ROBOT_FAULT_BITS: readonly RobotFaultBit[] = [
  ...bits(STOP_FAULTS, 0, 'stop'),
  ...bits(HOLD_FAULTS, FIRST_HOLD, 'hold'),
  ...bits(WARN_FAULTS, FIRST_WARN, 'warn'),
];

const maskOf = (answer: RobotFaultBit['answer']): number =>
  ROBOT_FAULT_BITS.filter((row) => row.answer === answer).reduce((m, row) => m | (1 << row.bit), 0);
const HOLD_MASK = maskOf('hold');
const WARN_MASK = maskOf('warn');
/** A FAULT whose code is no bit: one without a name. */
const UNKNOWN_BIT = 31;

/** The bits of a fault word that stop: those that are not named as something else. @alloc none */
export function stopFaults(word: number): number {
  return (word & ~(HOLD_MASK | WARN_MASK)) >>> 0;
}

/** What the loop answers to a fault word: 0 nothing, 1 hold, 2 stop. @alloc none */
export function robotFaultAnswer(word: number): number {
  if (stopFaults(word) !== 0) return 2;
  return (word & HOLD_MASK) !== 0 ? 1 : 0;
}

/** The bit that a code of FAULT stands for, as a word. @alloc none */
export function robotFaultBit(code: number): number {
  return (1 << (code < UNKNOWN_BIT ? code : UNKNOWN_BIT)) >>> 0;
}
