/**
 * What a recording is made of: records that cross from the loop worker to the recorder worker in one shared-memory ring
 * (log-ring.ts) and become messages of an MCAP file. Together the records of kinds TICK, FRAME_IN, COMMAND and NONCE are everything
 * that a tick depends on, so that a replay from a STATE record on gives the same set-points bit for bit.
 *
 * Order within a tick: [STATE] TICK, [LAYOUT], FRAME_IN …, COMMAND …, FRAME_OUT …, ROW, EVENT …, [SCENE].
 */

/** Kinds of record. All numbers little-endian; doubles unless said otherwise. */
export const RecordKind = Object.freeze({
  /** Inputs of a tick from the clock and the surroundings: TICK_INPUTS doubles. Always the first of its tick. */
  TICK: 1,
  /** One frame from the robot, bytes as received; the record's time is its arrival. */
  FRAME_IN: 2,
  /** One frame given to the link; the record's time is the loop clock. */
  FRAME_OUT: 3,
  /** One command taken from the command ring: COMMAND_WIDTH doubles. */
  COMMAND: 4,
  /** Telemetry row: ROW_WIDTH doubles. */
  ROW: 5,
  /** Event record: EVENT_WIDTH doubles. */
  EVENT: 6,
  /** Complete state of the tick before it runs (`Tick.state`): doubles. A replay can begin here. */
  STATE: 7,
  /** Scene row: SCENE_WIDTH doubles. */
  SCENE: 8,
  /** Bytes of a record lost because the ring was full: [records lost so far]. Nothing after it replays until the next STATE. */
  GAP: 9,
  /** Names of the slots of STATE, UTF-8 (contract/state-layout.ts). In the tick of each STATE. */
  LAYOUT: 11,
  /** Nonce that the robot session drew in this tick: two doubles, whole numbers below 2³². */
  NONCE: 10,
});

/** A STATE record is written at least once in this time, s. */
export const STATE_INTERVAL_S = 5;

/** Columns of a TICK record. */
export const TICK_INPUTS = [
  'executed',
  'period',
  'slipped',
  'slipped_total',
  'cause', //             index in MISS_CAUSES, −1 none
  'origin_us',
  'release_us',
  'wake_us',
  'raw_lateness_us',
  'lateness_us',
  'margin_us',
  'transmit_us', //       clock when the set-point was sent; written at the end of the tick
  'connected', //         link.connected at the top of the tick
  'shutdown', //          1 when the loop was asked to end
  'sends_refused', //     bit n: the link did not take frame n of this tick
  'recorder_lost', //     1 when recording is required and the recorder was lost
] as const;

/** A record as it is kept: by the recorder in a file, by a test in memory. */
export interface LogRecord {
  /** One of RecordKind. */
  readonly kind: number;
  /** µs of the loop clock. */
  readonly time_us: number;
  /** Payload. */
  readonly bytes: Uint8Array;
}
