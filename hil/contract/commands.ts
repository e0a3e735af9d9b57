/**
 * The commands of the loop, each defined once: its number in a record, its message, the role that may send it, what refuses it, and
 * how its arguments are written. The operator port and the safety machine read this table, and so does the server.
 *
 * A record is a row of doubles in a single-producer single-consumer ring: kind, id of the request, time of receipt (loop clock), arguments.
 * All records of one batch are taken together at the top of a tick.
 */
import { SAFETY_STATES, type SafetyStateName } from './codes.ts';
import type { Role } from './roles.ts';
import {
  type CodeIndices,
  codesOf,
  indicesOf,
  type NameIndices,
} from '../../src/base/name-indices.ts';

/** Head of a record; its arguments follow. */
export const COMMAND_HEAD = ['kind', 'request', 'received_us'] as const;
export const CommandColumn: NameIndices<typeof COMMAND_HEAD> = indicesOf(COMMAND_HEAD);
export const COMMAND_ARGUMENT: number = COMMAND_HEAD.length;
export const COMMAND_WIDTH = 20;

/** Arguments of INPUT: axes of the hand, marks, order and age of the reading, orientation of the camera. */
export const INPUT_ARGUMENTS = [
  'axis_x',
  'axis_y',
  'axis_z',
  'axis_rx',
  'axis_ry',
  'axis_rz',
  'deadman',
  'gear',
  'frame',
  'sequence',
  'send_age_s',
  'camera_x',
  'camera_y',
  'camera_z',
  'camera_w',
] as const;
export const InputArgument: NameIndices<typeof INPUT_ARGUMENTS> = indicesOf(INPUT_ARGUMENTS);

/** Arguments of ENERGY, and what of them is set. */
export const ENERGY_ARGUMENTS = ['compensation', 'guard', 'removal', 'position_lead'] as const;
export const EnergyArgument: NameIndices<typeof ENERGY_ARGUMENTS> = indicesOf(ENERGY_ARGUMENTS);

/** Arguments of HAND_MODE. */
export const HAND_MODE_ARGUMENTS = ['mode', 'joint', 'axis'] as const;
export const HandModeArgument: NameIndices<typeof HAND_MODE_ARGUMENTS> =
  indicesOf(HAND_MODE_ARGUMENTS);

/** Answers to a command, and the text of each for the operator. The index travels in the event ring: append, never renumber. */
export const ANSWERS = {
  ok: '',
  not_ready: 'The loop is not ready for this: see state and arm_blockers in the status.',
  no_authority: 'Only the holder of authority may do this.',
  deadman_not_pressed: 'Press and hold the deadman first.',
  not_neutral: 'Centre the hand controllers first.',
  pose_mismatch: 'The set-point does not agree with the measured pose yet.',
  fault_latched: 'A fault is latched: clear it first.',
  robot_not_normal: 'The robot does not report a normal safety state.',
  wrong_state: 'This cannot be done in the present state.',
  not_allowed: 'This is not allowed here.',
  permit_needed:
    'The predicted contact exceeds its limits: acknowledge the contact permit first, or change the compensation.',
  not_combinable:
    'This compensation does not go with what else is set: see docs/theory/loop-energy.md.',
  flown: 'The arm is flown: release the deadman first, the mode is changed while the arm is held.',
  moving: 'The set-point still moves; wait until it rests.',
  in_contact: 'The tool touches: back off first, a single joint turns without accommodation.',
  no_joint: 'No such joint can be turned by itself: see driven of the joints of GET /api/robot.',
  single_joint: 'A single joint turns without accommodation: go to rate mode first.',
  too_late: 'The loop stood still when this was asked: ask again.',
} as const;
export type AnswerName = keyof typeof ANSWERS;
/** Answers by index; 0 is accepted. */
export const COMMAND_RESULTS = Object.keys(ANSWERS) as readonly AnswerName[];
export const CommandResult: CodeIndices<typeof COMMAND_RESULTS> = codesOf(COMMAND_RESULTS);

/** What the hand controllers do to the arm, by index: twist of the tool, way of the tool from the clutch point, rate of one joint. */
export const HAND_MODES = ['rate', 'position', 'joint'] as const;
export const HandModeIndex: CodeIndices<typeof HAND_MODES> = codesOf(HAND_MODES);
/** Full stick in position mode is the way of full rate in this time, s. */
export const RANGE_s = 5;

/** Compensations of the delay of the force, by index. */
export const COMPENSATIONS = ['none', 'model', 'lead', 'damping'] as const;
export const CompensationIndex: CodeIndices<typeof COMPENSATIONS> = codesOf(COMPENSATIONS);
/** Contact permit, by index: no contact is predicted, within the limits, acknowledged, needs to be acknowledged. */
export const PERMIT_STATES = ['none', 'valid', 'acknowledged', 'needed'] as const;
export const PermitState: CodeIndices<typeof PERMIT_STATES> = codesOf(PERMIT_STATES);

export { INJECTIONS } from './injections.ts';

/** What the safety machine can require for a command. */
export const REQUIREMENTS = [
  'NO_FAULT', //     no fault is latched
  'AUTHORITY', //    a session holds authority
  'DEADMAN', //      pressed, and seen released with neutral sticks since the last motion
  'NEUTRAL', //      the sticks are centred
  'PERMIT', //       no contact permit is missing
  'NO_CAUSE', //     no cause to hold or stop is present but those that the operator's own hand ends
  'ALIGNED', //      the set-point agrees with the measured pose
  'RESTED', //       the set-point has come to rest
  'ROBOT', //        a robot is linked in this mode
  'SYNCED', //       its session is synchronised
  'ROBOT_NORMAL', // it reports a normal safety state
] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

/** Refuses a command in some states, there always or unless a requirement holds. The first that applies gives the answer. */
export interface Refusal {
  readonly answer: AnswerName;
  readonly states: readonly SafetyStateName[];
  readonly unless: Requirement | null;
}

const refusedIn = (states: readonly SafetyStateName[], answer: AnswerName): Refusal => ({
  answer,
  states,
  unless: null,
});
const onlyIn = (states: readonly SafetyStateName[], answer: AnswerName): Refusal =>
  refusedIn(
    SAFETY_STATES.filter((state) => !states.includes(state)),
    answer,
  );
const needs = (
  unless: Requirement,
  answer: AnswerName,
  states: readonly SafetyStateName[] = SAFETY_STATES,
): Refusal => ({ answer, states, unless });

/** Set-points may begin to move. */
const MOVING = ['ARMING', 'ACTIVE_FREE', 'ACTIVE_CONTACT'] as const;

/** What a client leaves out keeps what is set. */
const numberOf = (value: number | boolean | undefined): number => Number(value ?? NaN);

/** One command. */
export interface Command {
  /** Number in a record and in recordings: append, never renumber. */
  readonly kind: number;
  /** Type of the message of the operator socket that carries it; null: none does. */
  readonly message: string | null;
  /** Weakest role that may ask for it without authority; null: the holder only. */
  readonly role: Role | null;
  /** It may begin a motion: not while a scenario is loaded, and sent only by a client whose delay is known to be short. */
  readonly begins: boolean;
  /** Refused as `too_late` when it is older than its sender waits. What stops or clears is good at any age. */
  readonly expires: boolean;
  /** What refuses it; null: the safety machine is not asked. */
  readonly refusals: readonly Refusal[] | null;
  /** Arguments of the record from the fields of the message. */
  readonly encode: (fields: never) => readonly number[];
}

/** A command without a message: the other commands override some of these. */
const PLAIN = {
  message: null,
  role: null,
  begins: false,
  expires: false,
  refusals: null,
  encode: (): readonly number[] => [],
} as const;

/** Every command by name. */
export const COMMANDS = {
  /**
   * Reading of the hand controllers: axes[6] −1..1, deadman 0/1, gear 0 vernier 1 coarse, frame 0 base 1 tool 2 camera, sequence, send age s
   * (client clock, 0 unknown), orientation of the camera in the base frame (x, y, z, w; frame camera only).
   */
  INPUT: {
    ...PLAIN,
    kind: 1,
    begins: true,
  },
  /** Session number of the holder, 0 none. */
  AUTHORITY: {
    ...PLAIN,
    kind: 2,
  },
  ARM: {
    ...PLAIN,
    kind: 3,
    message: 'arm',
    begins: true,
    expires: true,
    refusals: [
      refusedIn(['FAULT', 'ESTOP'], 'fault_latched'),
      needs('NO_FAULT', 'fault_latched'),
      refusedIn([...MOVING, 'HOLD', 'STOPPING'], 'wrong_state'),
      onlyIn(['MONITOR_READY'], 'not_ready'),
      needs('AUTHORITY', 'no_authority'),
      needs('DEADMAN', 'deadman_not_pressed'),
      needs('NEUTRAL', 'not_neutral'),
      needs('PERMIT', 'permit_needed'),
      needs('ALIGNED', 'pose_mismatch'),
    ],
  },
  HOLD: {
    ...PLAIN,
    kind: 4,
    message: 'hold',
    role: 'viewer',
    refusals: [],
  },
  /** Back from HOLD to motion; the deadman must be pressed anew. */
  RESUME: {
    ...PLAIN,
    kind: 5,
    message: 'resume',
    begins: true,
    expires: true,
    refusals: [
      refusedIn(['FAULT', 'ESTOP'], 'fault_latched'),
      onlyIn(['HOLD'], 'wrong_state'),
      needs('AUTHORITY', 'no_authority'),
      needs('NO_CAUSE', 'not_ready'),
      needs('PERMIT', 'permit_needed'),
      needs('NEUTRAL', 'not_neutral'),
      needs('ALIGNED', 'pose_mismatch'),
    ],
  },
  /** Stop category 0, 1 or 2. */
  STOP: {
    ...PLAIN,
    kind: 6,
    message: 'stop',
    role: 'viewer',
    refusals: [],
    encode: ({ cat }: { readonly cat: 0 | 1 | 2 }) => [cat],
  },
  /** Clear latched faults, or a hold. */
  CLEAR: {
    ...PLAIN,
    kind: 7,
    message: 'clear',
    role: 'operator',
    refusals: [
      needs('ROBOT_NORMAL', 'robot_not_normal', ['ESTOP']),
      needs('RESTED', 'wrong_state', ['HOLD']),
      refusedIn([...MOVING, 'STOPPING'], 'wrong_state'),
    ],
  },
  /** Stop the loop worker after a category-1 stop has been sent. */
  SHUTDOWN: {
    ...PLAIN,
    kind: 8,
    refusals: [],
  },
  /** Fault injection, only when allowed: index of the kind (hil/contract/injections.ts), amount; kind −1 ends all. */
  INJECT: {
    ...PLAIN,
    kind: 9,
    role: 'supervisor',
  },
  /**
   * Force and moment accommodation: axes that accommodate (bit i of 0 … 5: force x, y, z, moment x, y, z of the base frame). Force
   * and moment that the tool is to exert on its surroundings [6] (N, N m; on accommodating axes). Dead-band of force N and of
   * moment N m, gain of force N s/m and of moment N m s/rad. NaN keeps what is set. Ramped (src/control/fma.ts).
   */
  FMA: {
    ...PLAIN,
    kind: 10,
    message: 'fma.set',
    expires: true,
    refusals: [needs('AUTHORITY', 'no_authority')],
    encode: (wish: {
      readonly axes?: readonly boolean[];
      readonly set_point?: readonly number[];
      readonly force_deadband_N?: number;
      readonly moment_deadband_Nm?: number;
      readonly force_gain_Ns_per_m?: number;
      readonly moment_gain_Nms_per_rad?: number;
    }) => [
      numberOf(wish.axes?.reduce((bits, on, axis) => bits + (on ? 1 << axis : 0), 0)),
      ...(wish.set_point ?? Array<number>(6).fill(NaN)),
      numberOf(wish.force_deadband_N),
      numberOf(wish.moment_deadband_Nm),
      numberOf(wish.force_gain_Ns_per_m),
      numberOf(wish.moment_gain_Nms_per_rad),
    ],
  },
  /** Ask the robot to tare its force sensor. */
  TARE: {
    ...PLAIN,
    kind: 11,
    message: 'tare',
    role: 'supervisor',
    refusals: [
      needs('ROBOT', 'not_allowed'),
      refusedIn([...MOVING, 'HOLD', 'STOPPING'], 'wrong_state'),
      needs('SYNCED', 'not_ready'),
    ],
  },
  /** Contact permit: 1 acknowledges the prediction as it is now, 0 takes that back. */
  PERMIT: {
    ...PLAIN,
    kind: 12,
    message: 'permit.acknowledge',
    refusals: [needs('AUTHORITY', 'no_authority')],
    encode: ({ withdraw }: { readonly withdraw?: boolean }) => [withdraw === true ? 0 : 1],
  },
  /** Compensation (index in COMPENSATIONS), guard, removal, position lead (0/1 each); NaN keeps what is set. */
  ENERGY: {
    ...PLAIN,
    kind: 13,
    message: 'energy.set',
    expires: true,
    refusals: [
      refusedIn([...MOVING, 'STOPPING'], 'wrong_state'),
      needs('AUTHORITY', 'no_authority'),
    ],
    encode: (wish: {
      readonly compensation?: (typeof COMPENSATIONS)[number];
      readonly guard?: boolean;
      readonly removal?: boolean;
      readonly position_lead?: boolean;
    }) => [
      numberOf(wish.compensation && COMPENSATIONS.indexOf(wish.compensation)),
      numberOf(wish.guard),
      numberOf(wish.removal),
      numberOf(wish.position_lead),
    ],
  },
  /**
   * What the hand controllers do: index in HAND_MODES; with `joint` the joint (place among those of the arm) and the axis that turns it
   * (0 … 5), else −1.
   */
  HAND_MODE: {
    ...PLAIN,
    kind: 14,
    message: 'hand_mode.set',
    expires: true,
    refusals: [
      refusedIn(MOVING, 'flown'),
      needs('AUTHORITY', 'no_authority'),
      refusedIn(['STOPPING'], 'moving'),
      needs('RESTED', 'moving', ['HOLD']),
      needs('NEUTRAL', 'not_neutral'),
    ],
    encode: (wish: {
      readonly mode: (typeof HAND_MODES)[number];
      readonly joint?: number;
      readonly axis?: number;
    }) => [HAND_MODES.indexOf(wish.mode), wish.joint ?? -1, wish.axis ?? -1],
  },
} as const satisfies Readonly<Record<string, Command>>;
export type CommandName = keyof typeof COMMANDS;

/** Every command, in the order of the table. */
export const COMMAND_LIST: readonly Command[] = Object.values(COMMANDS);

/** Kind of each command by name. */
export const CommandKind = Object.freeze(
  Object.fromEntries(Object.entries(COMMANDS).map(([name, { kind }]) => [name, kind])),
) as { readonly [Name in CommandName]: (typeof COMMANDS)[Name]['kind'] };

/** A 0/1 mark for each kind of command, for the tick: slots beyond the last kind do not exist. */
export const marksOf = (marked: (command: Command) => boolean): Uint8Array => {
  const marks = new Uint8Array(1 + Math.max(...COMMAND_LIST.map(({ kind }) => kind)));
  for (const command of COMMAND_LIST) marks[command.kind] = marked(command) ? 1 : 0;
  return marks;
};
