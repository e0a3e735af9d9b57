/**
 * Records of a recording: the loop worker writes them to a shared-memory ring (log-ring.ts), and
 * the recorder worker turns them into messages of an MCAP file. The kinds TICK, FRAME_IN, COMMAND
 * and NONCE are all inputs of a tick. A replay from a STATE record on therefore gives the same
 * set-points bit for bit.
 *
 * Order within a tick: [STATE] TICK, [LAYOUT], FRAME_IN …, COMMAND …, FRAME_OUT …, ROW, EVENT …, [SCENE].
 */
import { indicesOf, type NameIndices } from '../../src/base/name-indices.ts';

/** Kinds of record. All numbers are little-endian doubles unless noted. */
export const RecordKind = Object.freeze({
  /**
   * Inputs of a tick from the clock and the surroundings: TICK_INPUTS doubles. It is always the
   * first record of its tick.
   */
  TICK: 1,
  /** One frame from the robot as received; the time of the record is its arrival. */
  FRAME_IN: 2,
  /** One frame passed to the link; the time of the record is the loop clock. */
  FRAME_OUT: 3,
  /** One command taken from the command ring: COMMAND_WIDTH doubles. */
  COMMAND: 4,
  /** Telemetry row: ROW_WIDTH doubles. */
  ROW: 5,
  /** Event record: EVENT_WIDTH doubles. */
  EVENT: 6,
  /** Complete state of the tick before it runs (Stateful.saveState), as doubles. A replay can start here. */
  STATE: 7,
  /** Scene row: SCENE_WIDTH doubles. */
  SCENE: 8,
  /** Records lost because the ring was full: [records lost so far]. Replay stops here until the next STATE. */
  GAP: 9,
  /** Names of the slots of STATE, UTF-8 (contract/state-layout.ts). In the tick of each STATE. */
  LAYOUT: 11,
  /** Nonce that the robot session drew in this tick: two doubles, whole numbers below 2³². */
  NONCE: 10,
});

/** Longest time between two STATE records, s. */
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
export const TickInput: NameIndices<typeof TICK_INPUTS> = indicesOf(TICK_INPUTS);

/** A record as the recorder or a test stores it. */
export interface LogRecord {
  /** One of RecordKind. */
  readonly kind: number;
  /** µs of the loop clock. */
  readonly time_us: number;
  /** Payload. */
  readonly bytes: Uint8Array;
}
