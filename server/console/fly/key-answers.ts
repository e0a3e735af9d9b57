/** Answers to keys that do nothing now: why, and what would help. A key that works gets none. */
import { AXIS_KEYS, DEADMAN_KEY, GEAR_KEY } from '../../client/devices/key-axes.ts';

/** What decides whether a key works. */
export interface KeyFacts {
  /** Name of the device in use if it is not the keyboard, else null. */
  readonly otherDevice: string | null;
  /** Whether this page may ask for authority, and its holder (0: none). */
  readonly operates: boolean;
  readonly holder: number;
  readonly holds: boolean;
  /** Whether the left Shift is down, and why it would not count; '' when it does. */
  readonly shift: boolean;
  readonly trouble: string;
  readonly state: string;
}

const MOVING: ReadonlySet<string> = new Set(AXIS_KEYS.flat());
/** Keys with a letter or digit: others have uses of their own in a browser. */
const WRITES = /^(Key[A-Z]|Digit\d)$/;
const ARROWS: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
};
const ALL_KEYS =
  'Keys of the arm: A D, S W, F R move it, the arrows and Q E turn it, G changes the gear; with the left Shift held.';
const STATES: Readonly<Record<string, string>> = {
  MONITOR_READY: 'press “Arm” first, with the left Shift held.',
  HOLD: 'the arm is held. Press “Resume”, with the left Shift held.',
  FAULT: 'a fault is latched. Press “Clear” first.',
  ESTOP: 'the emergency stop is pressed. Release it at the robot, then press “Clear”.',
  STOPPING: 'the arm is being stopped.',
};

/** Name of a key as it is printed on it. */
export function keyName(code: string, key: string): string {
  if (code in ARROWS) return ARROWS[code];
  if (code === DEADMAN_KEY) return 'Shift';
  return key.length === 1 ? key.toUpperCase() : key;
}

function whyNoAuthority(name: string, { operates, holder }: KeyFacts): string {
  if (!operates) return `${name} moves nothing: this page may only look and stop.`;
  return holder === 0
    ? `${name} moves nothing yet: press “Request authority” first.`
    : `${name} moves nothing: session ${holder} has authority. Press “Request authority” to ask for it.`;
}

function whyNoMotion(name: string, { shift, trouble, state }: KeyFacts): string {
  if (!shift) return `${name} moves the arm only while the left Shift is held.`;
  if (trouble !== '') return `${name} moves nothing yet. ${trouble}`;
  if (state.startsWith('ACTIVE') || state === 'ARMING') return '';
  const what = STATES[state] ?? 'the robot is not ready. The list under State says why.';
  return `${name} moves nothing yet: ${what}`;
}

/** The answer to a key by its place (`code`) and its name; '' for a key that works or is none of the arm's business. */
export function answerTo(code: string, name: string, facts: KeyFacts): string {
  const { otherDevice, holds } = facts;
  const moves = MOVING.has(code);
  if (otherDevice !== null) {
    return moves ? `${name} moves nothing: ${otherDevice} is chosen as hand controller.` : '';
  }
  if (code === 'ShiftRight') return 'The right Shift is no deadman: hold the left Shift.';
  if (code === GEAR_KEY) return '';
  if (!moves && code !== DEADMAN_KEY) {
    return WRITES.test(code) ? `${name} does nothing here. ${ALL_KEYS}` : '';
  }
  if (!holds) return whyNoAuthority(name, facts);
  return moves ? whyNoMotion(name, facts) : '';
}
