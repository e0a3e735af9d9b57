/**
 * What the main thread may tell the loop: fixed-size records of doubles in a single-producer single-consumer ring, taken all
 * of one batch at once at the top of a tick.
 *
 * Record: [kind, requestId, receiveTime_us (loop clock), argument 0 … 12].
 */

export const COMMAND_WIDTH = 16;
export const COMMAND_ARGUMENT = 3;

/** Kinds of command. Arguments in order. */
export const CommandKind = Object.freeze({
  /** axes[6] −1..1, deadman 0/1, gear 0 vernier 1 coarse, frame 0 base 1 tool, sequence, send age s (client clock, 0 unknown). */
  INPUT: 1,
  /** holder session number, 0 nobody. */
  AUTHORITY: 2,
  /** — */
  ARM: 3,
  HOLD: 4,
  /** resume from HOLD (deadman edge still required). */
  RESUME: 5,
  /** stop category 0, 1 or 2. */
  STOP: 6,
  /** clear latched faults. */
  CLEAR: 7,
  /** stop the loop worker after a category-1 stop has been sent. */
  SHUTDOWN: 8,
  /** fault injection (only when allowed): kind index, amount. */
  INJECT: 9,
});

/** Answers travel in the event ring with the request's id; 0 is accepted, otherwise the reason. */
export const COMMAND_RESULTS = [
  'ok',
  'not_ready',
  'no_authority',
  'deadman_not_pressed',
  'not_neutral',
  'pose_mismatch',
  'fault_latched',
  'robot_not_normal',
  'wrong_state',
  'not_allowed',
] as const;

/** Faults that can be injected, by index, when the server was started with `--allow-fault-injection`. */
export const INJECTIONS = [
  'late_wake_s',
  'loop_error',
  'drop_state_ticks',
  'state_nan_ticks',
  // thrown in the server's own thread; the loop only counts it
  'io_error',
] as const;
