/** Records from the loop to the main thread, in a bounded ring that counts what it drops. */
import { indicesOf, type NameIndices } from '../../src/base/name-indices.ts';

/** Numbers of a record; what a, b and c are depends on its kind. */
export const EVENT_COLUMNS = ['kind', 'tick', 'time_s', 'a', 'b', 'c'] as const;
export const EventColumn: NameIndices<typeof EVENT_COLUMNS> = indicesOf(EVENT_COLUMNS);
export const EVENT_WIDTH: number = EVENT_COLUMNS.length;

export const EventKind = Object.freeze({
  /** a = from, b = to (SAFETY_STATES), c = fault or hold bit index that caused it, −1 none. */
  TRANSITION: 1,
  /** a = FAULT_CODES index, b = quantity and axis of a limit (limit-words.ts), 0 none, c = its value. */
  FAULT: 2,
  /** a = slipped periods, b = MISS_CAUSES index, c = lateness s. */
  OVERRUN: 3,
  /** a = request id, b = COMMAND_RESULTS index. */
  ANSWER: 4,
  /** a = 1 up 0 down, b = reject code or 0. */
  LINK: 5,
  /** a = contact index, b = 1 found 0 lost, c = normal speed m/s or peak force N. */
  CONTACT: 6,
  /** a = 1 real-time class obtained, b = thread id. */
  REALTIME: 7,
  /** the loop has ended; a = 0 asked, 1 internal error. */
  ENDED: 8,
  /** a = index in INJECTIONS, b = 1 began 0 ended, c = amount. */
  INJECTED: 9,
  /** with redundant release: a = loop workers that serve from now on, b = number of the one that came or went. */
  WORKERS: 10,
  /** the robot clock stepped; a = steps so far, c = by how much it was put forward, s. */
  CLOCK_STEP: 11,
  /** before a FAULT of a limit: a and b as there, c = the limit. */
  LIMIT: 12,
  /** onset of a contact that is only observed; a = contact index, b = 1 a warning 0 none, c = normal speed m/s. */
  CONTACT_SEEN: 13,
  /** bodies moved through each other; a = index of the first such contact, b = how many. */
  CONTACT_CROSSED: 14,
  /** a step failed because a sliding contact has no point any more; a = index of the constraint. */
  CONSTRAINT_LOST: 15,
  /** a unilateral constraint parted, or its surfaces are in touch again; a = index of the constraint, b = 1 in touch 0 apart. */
  CONSTRAINT_SWITCHED: 16,
  /** surfaces touch in another way than before (touch-levels.ts); a = contact, constraints after contacts, b = k₂ L, c = reciprocal condition. */
  TOUCH_CHANGED: 17,
});
