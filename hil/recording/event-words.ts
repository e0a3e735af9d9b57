/** Events of the loop in words, with the level at which a log shows them. */
import { COMMAND_RESULTS, INJECTIONS } from '../contract/commands.ts';
import type { ModelNames } from '../contract/scene-columns.ts';
import { EventKind } from '../contract/events.ts';
import { limitWords, valueWords } from '../contract/limit-words.ts';
import { touchLevel } from '../contract/touch-levels.ts';
import { FAULT_CODES, MISS_CAUSES, SAFETY_STATES } from '../contract/codes.ts';

/** Levels of rcl_interfaces/Log. */
export const LogLevel = Object.freeze({ INFO: 20, WARN: 30, ERROR: 40 });

const STOPPED: readonly string[] = ['STOPPING', 'FAULT', 'ESTOP'];
const name = (names: readonly string[], index: number): string => names[index] ?? 'unknown';

/** Level of an event record. */
export function eventLevel(event: Float64Array): number {
  const [kind, , , a, b] = event;
  switch (kind) {
    case EventKind.TRANSITION:
      if (STOPPED.includes(name(SAFETY_STATES, b))) return LogLevel.ERROR;
      return name(SAFETY_STATES, b) === 'HOLD' ? LogLevel.WARN : LogLevel.INFO;
    case EventKind.FAULT:
    case EventKind.LIMIT:
    case EventKind.OVERRUN:
    case EventKind.INJECTED:
    case EventKind.CLOCK_STEP:
      return LogLevel.WARN;
    case EventKind.LINK:
      return a === 1 ? LogLevel.INFO : LogLevel.WARN;
    case EventKind.CONTACT_CROSSED:
    case EventKind.CONSTRAINT_LOST:
      return LogLevel.WARN;
    case EventKind.TOUCH_CHANGED:
      return touchLevel(b, 0) > 0 ? LogLevel.WARN : LogLevel.INFO;
    case EventKind.CONTACT_SEEN:
      return b === 1 ? LogLevel.WARN : LogLevel.INFO;
    case EventKind.ENDED:
      return a === 0 ? LogLevel.INFO : LogLevel.ERROR;
    case EventKind.WORKERS:
      return a === 1 ? LogLevel.WARN : LogLevel.INFO;
    default:
      return LogLevel.INFO;
  }
}

/** An event record (hil/contract/events.ts) of a model in words. */
export function eventWords(event: Float64Array, names: ModelNames): string {
  const [kind, tick, , a, b, c] = event;
  return `tick ${tick}: ${words(kind, a, b, c, names)}`;
}

/** What the level of a touch means (contract/touch-levels.ts). */
const TOUCHES: readonly string[] = [
  'is held at a point again',
  'is weakly held: its place runs fast over the surfaces',
  'is along a line or over an area',
  'has surfaces that cross near its place',
];

function touchWords(touch: string, k2L: number, reciprocal: number): string {
  return `touch ${touch} ${TOUCHES[touchLevel(k2L, 0)]}, k2 L ${k2L.toExponential(2)}, condition ${(1 / reciprocal).toExponential(2)}`;
}

function words(kind: number, a: number, b: number, c: number, names: ModelNames): string {
  switch (kind) {
    case EventKind.TRANSITION: {
      const cause = c < 0 ? '' : `, ${name(FAULT_CODES, c)}`;
      return `${name(SAFETY_STATES, a)} to ${name(SAFETY_STATES, b)}${cause}`;
    }
    case EventKind.FAULT:
      return `fault or hold ${name(FAULT_CODES, a)}${b === 0 ? '' : `: ${valueWords(b, c)}`}`;
    case EventKind.LIMIT:
      return `${name(FAULT_CODES, a)}: ${limitWords(b, c)}`;
    case EventKind.OVERRUN:
      return `period missed, ${name(MISS_CAUSES, b)}, ${(1e3 * c).toFixed(3)} ms late, ${a} periods dropped`;
    case EventKind.ANSWER:
      return `request ${a}: ${name(COMMAND_RESULTS, b)}`;
    case EventKind.LINK:
      return a === 1 ? 'robot link up' : `robot link down${b === 0 ? '' : `, code ${b}`}`;
    case EventKind.CONTACT_CROSSED:
      return `contact ${name(names.contacts, a)} crossed${b > 1 ? `, and ${b - 1} more` : ''}`;
    case EventKind.CONSTRAINT_LOST:
      return `constraint ${name(names.constraints, a)} lost its point of contact`;
    case EventKind.CONSTRAINT_SWITCHED:
      return `constraint ${name(names.constraints, a)} ${b === 1 ? 'closed' : 'opened'}`;
    case EventKind.TOUCH_CHANGED:
      return touchWords(name([...names.contacts, ...names.constraints], a), b, c);
    case EventKind.CONTACT:
      return b === 1
        ? `contact ${name(names.contacts, a)} found at ${c.toPrecision(4)} m/s`
        : `contact ${name(names.contacts, a)} lost, peak ${c.toPrecision(4)} N`;
    case EventKind.CONTACT_SEEN:
      return `observed contact ${name(names.contacts, a)} seen at ${c.toPrecision(4)} m/s`;
    case EventKind.REALTIME:
      return a === 1
        ? 'loop thread has the real-time class'
        : 'loop thread without real-time class';
    case EventKind.ENDED:
      return a === 0 ? 'loop ended' : 'loop ended by an internal error';
    case EventKind.INJECTED:
      return b === 1
        ? `fault injected on purpose: ${name(INJECTIONS, a)} ${c}`
        : `injected fault ended: ${name(INJECTIONS, a)}`;
    case EventKind.WORKERS:
      return a === 1
        ? `loop worker ${b + 1} is gone, the other goes on alone`
        : `loop worker ${b + 1} serves, two in all`;
    case EventKind.CLOCK_STEP:
      return `the robot clock stepped by ${c.toFixed(3)} s, ${a} times so far`;
    default:
      return `event ${kind}: ${a}, ${b}, ${c}`;
  }
}
