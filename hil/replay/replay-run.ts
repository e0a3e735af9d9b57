/**
 * Replays a recording: the same tick with the recorded inputs must give the same frames and the
 * same row, bit for bit. It starts at the first STATE record. Later ones are compared with the
 * replay's own state; after a gap the next one replaces it. docs/replay.md.
 */
import { contactKernels } from '../../config/contact-kernels.ts';
import type { Settings } from '../../config/settings.ts';
import { BerthError } from '../../src/base/errors.ts';
import type { SystemModel } from '../../src/model/model.ts';
import { makeSystem } from '../../src/system/system.ts';
import { Column, OLDER_ROW_WIDTH, ROW_COLUMNS, ROW_WIDTH } from '../contract/columns.ts';
import { layoutDifference, layoutText, numberWords } from '../contract/state-layout.ts';
import { COMMAND_WIDTH } from '../contract/commands.ts';
import { makeSession } from '../loop/loop-session.ts';
import { OlderState } from './older-state.ts';
import { MAX_FRAME } from '../protocol/layout.ts';
import { RecordRing } from '../memory/ring.ts';
import { LOOP_MODES, type LoopModeName } from '../contract/codes.ts';
import { allocateShared } from '../memory/shared.ts';
import { Tick } from '../loop/tick.ts';
import type { TickState } from '../loop/tick-state.ts';
import { TickTiming } from '../contract/timing.ts';
import { type LogRecord, RecordKind, TICK_INPUTS, TickInput } from '../memory/records.ts';
import { ReplayClock, ReplayLink, ReplayNonces, type RecordedFrame } from './replay-link.ts';

/** Setup of the recorded loop. */
export interface ReplaySetup {
  /** Without keys: tags are not recorded. */
  readonly settings: Settings;
  readonly model: SystemModel;
  readonly mode: LoopModeName;
  /** Whether there was a robot link. */
  readonly robot: boolean;
}

/** First difference between a replay and its recording. */
export interface Difference {
  /** Number of the tick since the start of the recorded loop. */
  readonly tick: number;
  /** Name of a column of the row, a byte of a frame, or a number of the state. */
  readonly what: string;
  readonly recorded: string;
  readonly replayed: string;
}

/** Result of a replay. */
export interface ReplayResult {
  /** Number of replayed ticks, and how many of them differ. */
  readonly ticks: number;
  readonly differing: number;
  readonly first: Difference | null;
  /** Sent frames that were equal byte for byte. */
  readonly frames: number;
  /** STATE records that the replay reproduced. */
  readonly states: number;
  /** Places with missing records, and ticks skipped for lack of a STATE. */
  readonly gaps: number;
  readonly skipped: number;
  /** Hash of the model's state after the last tick. */
  readonly hash: string;
}

/**
 * Columns of a row that depend on the machine's speed, or on where the replay began: a place that is known is not searched again. All others
 * must be equal.
 */
const UNCOMPARED = new Set([
  'time_s',
  'substeps',
  'substep_bound_hit',
  'touch_newton_steps',
  'touch_places',
]);
const COMPARED = ROW_COLUMNS.map((name, index) => ({ name, index })).filter(
  ({ name }) => !UNCOMPARED.has(name) && !name.startsWith('stage_'),
);

/** Those of them that a state keeps, by their places in it. */
function uncomparedPlaces({ slots }: TickState): ReadonlySet<number> {
  const kept = slots.find(({ name }) => name === 'record.lastColumns');
  if (kept === undefined) return new Set();
  const places = ROW_COLUMNS.slice(Column.contact_validity).flatMap((name, k) =>
    UNCOMPARED.has(name) ? [kept.start + k] : [],
  );
  return new Set(places.filter((at) => at < kept.start + kept.length));
}

/** Records of one tick. */
interface RecordedTick {
  readonly state: Float64Array | null;
  readonly inputs: Float64Array;
  readonly received: RecordedFrame[];
  readonly sent: RecordedFrame[];
  readonly commands: Float64Array[];
  readonly nonces: Float64Array[];
  row: Float64Array | null;
}

/** Doubles of a payload. */
function doublesOf(bytes: Uint8Array): Float64Array {
  const aligned = bytes.byteOffset % 8 === 0 ? bytes : Uint8Array.from(bytes);
  return new Float64Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 3);
}

/** Bytes of the records of fixed size. */
const SIZES: Readonly<Record<number, number>> = {
  [RecordKind.TICK]: 8 * TICK_INPUTS.length,
  [RecordKind.COMMAND]: 8 * COMMAND_WIDTH,
  [RecordKind.ROW]: 8 * ROW_WIDTH,
  [RecordKind.NONCE]: 16,
};

/** Whether a record has the size of its kind. */
function fits({ kind, bytes }: LogRecord): boolean {
  if (kind === RecordKind.FRAME_IN || kind === RecordKind.FRAME_OUT) {
    return bytes.length > 0 && bytes.length <= MAX_FRAME;
  }
  const size = SIZES[kind];
  return size === undefined || bytes.length === size;
}

/** Replay of a recording. Pass the records in order; the bytes of a record must stay valid until the next tick. */
export class Replay {
  readonly tick: Tick;
  readonly #timing = new TickTiming();
  readonly #clock = new ReplayClock();
  readonly #link = new ReplayLink();
  readonly #nonces = new ReplayNonces();
  readonly #commands: RecordRing;
  readonly #state: Float64Array;
  readonly #layout: string;
  readonly #older: OlderState;
  readonly #uncompared: ReadonlySet<number>;
  /** Columns that the recording has. */
  #width = ROW_WIDTH;
  #pending: RecordedTick | null = null;
  #nextState: Float64Array | null = null;
  /** Number of the last replayed tick; −1 while the replay waits for a STATE. */
  #last = -1;
  #ticks = 0;
  #differing = 0;
  #states = 0;
  #gaps = 0;
  #skipped = 0;
  /** Whether the present tick differs from its record. */
  #differs = false;
  #first: Difference | null = null;

  constructor(setup: ReplaySetup) {
    const shared = allocateShared();
    this.#commands = new RecordRing(shared.commands, COMMAND_WIDTH);
    this.tick = new Tick({
      system: makeSystem(setup.model, contactKernels()),
      mode: LOOP_MODES.indexOf(setup.mode),
      session: setup.robot ? makeSession(setup.settings, this.#nonces, '') : null,
      link: setup.robot ? this.#link : null,
      injector: null, // frames were recorded after fault injection
      clock: this.#clock,
      timing: this.#timing,
      settings: setup.settings,
      shared,
      tap: null,
      onError: () => undefined, // an error inside the tick is part of the run
    });
    this.#state = new Float64Array(this.tick.state.stateLength);
    this.#layout = layoutText(this.tick.state);
    this.#older = new OlderState(this.tick.state);
    this.#uncompared = uncomparedPlaces(this.tick.state);
  }

  /** Takes the next record. @throws BerthError for a recording that this build cannot replay */
  take(record: LogRecord): void {
    const { kind, bytes, time_us } = record;
    if (!fits(record)) {
      this.#pending = null;
      this.#lose();
      return;
    }
    if (kind === RecordKind.STATE || kind === RecordKind.TICK || kind === RecordKind.GAP) {
      this.#flush();
      if (kind === RecordKind.STATE) this.#nextState = doublesOf(bytes);
      else if (kind === RecordKind.TICK) this.#open(doublesOf(bytes));
      else this.#lose();
      return;
    }
    const tick = this.#pending;
    if (tick === null) return;
    if (kind === RecordKind.FRAME_IN) tick.received.push({ time_us, bytes });
    else if (kind === RecordKind.FRAME_OUT) tick.sent.push({ time_us, bytes });
    else if (kind === RecordKind.COMMAND) tick.commands.push(doublesOf(bytes));
    else if (kind === RecordKind.NONCE) tick.nonces.push(doublesOf(bytes));
    else if (kind === RecordKind.ROW) tick.row = doublesOf(bytes);
    else if (kind === RecordKind.LAYOUT) this.#checkLayout(bytes);
  }

  /** Ends the replay. */
  finish(): ReplayResult {
    this.#flush();
    return {
      ticks: this.#ticks,
      differing: this.#differing,
      first: this.#first,
      frames: this.#link.equal,
      states: this.#states,
      gaps: this.#gaps,
      skipped: this.#skipped,
      hash: this.tick.system.hash(),
    };
  }

  /** Refuses a state with other slots, even of the same length. */
  #checkLayout(bytes: Uint8Array): void {
    const difference = layoutDifference(bytes, this.#layout);
    if (difference === '' || layoutDifference(bytes, this.#older.text) === '') return;
    throw new BerthError(
      'BERTH_MISMATCH',
      `The recording's state has another layout: ${difference}; it was made by another version of Berth, or with a robot where there is none`,
    );
  }

  #open(inputs: Float64Array): void {
    const lists = { received: [], sent: [], commands: [], nonces: [] };
    this.#pending = { state: this.#nextState, inputs, row: null, ...lists };
    this.#nextState = null;
  }

  /** Handles missing records: the next STATE replaces the state. */
  #lose(): void {
    this.#gaps++;
    this.#last = -1;
  }

  /** Replays the tick with complete records. */
  #flush(): void {
    const tick = this.#pending;
    this.#pending = null;
    if (tick?.row === null || tick === null) return; // truncated within a tick
    const number = tick.inputs[TickInput.executed];
    if (this.#last >= 0 && number !== this.#last + 1) this.#lose();
    this.#differs = false;
    if (!this.#takeState(tick, number)) {
      this.#skipped++;
      return;
    }
    this.#last = number;
    this.#run(tick);
    this.#compare(tick, tick.row, number);
    this.#ticks++;
    if (this.#differs) this.#differing++;
  }

  /** Starts at the STATE of a tick, or compares it with the replay's own. @returns whether the tick can be replayed */
  #takeState(tick: RecordedTick, number: number): boolean {
    const { state } = this.tick;
    if (tick.state === null) return this.#last >= 0;
    const older = this.#older.matches(tick.state);
    if (older) this.#width = OLDER_ROW_WIDTH;
    const own = this.#state;
    state.saveState(own, 0);
    const recorded = older ? this.#older.renew(tick.state, own) : tick.state;
    if (recorded.length !== state.stateLength || recorded[0] !== state.layout) {
      throw new BerthError(
        'BERTH_MISMATCH',
        `The recording's state has ${recorded.length} numbers in layout ${recorded[0]}, that of this build ${state.stateLength} in layout ${state.layout}: it was made by another version of Berth, or with a robot where there is none`,
      );
    }
    if (this.#last >= 0) {
      const at = recorded.findIndex(
        (value, i) => !Object.is(value, own[i]) && !this.#uncompared.has(i),
      );
      if (at < 0) this.#states++;
      else {
        const what = `state, number ${at}: ${numberWords(state, at)}`;
        this.#note(number, what, recorded[at], own[at]);
      }
    }
    state.loadState(recorded, 0);
    return true;
  }

  #run(recorded: RecordedTick): void {
    const { inputs } = recorded;
    const { tick } = this;
    const timing = this.#timing;
    timing.executed = inputs[TickInput.executed];
    timing.period = inputs[TickInput.period];
    timing.slipped = inputs[TickInput.slipped];
    timing.slippedTotal = inputs[TickInput.slipped_total];
    timing.cause = inputs[TickInput.cause];
    timing.origin_us = inputs[TickInput.origin_us];
    timing.release_us = inputs[TickInput.release_us];
    timing.wake_us = inputs[TickInput.wake_us];
    timing.rawLateness_us = inputs[TickInput.raw_lateness_us];
    timing.lateness_us = inputs[TickInput.lateness_us];
    timing.margin_us = inputs[TickInput.margin_us];
    this.#clock.time_us[0] = inputs[TickInput.transmit_us];
    const connected = inputs[TickInput.connected] === 1;
    this.#link.begin(recorded.received, recorded.sent, connected, inputs[TickInput.sends_refused]);
    this.#nonces.begin(recorded.nonces);
    for (const command of recorded.commands) this.#commands.push(command);
    tick.shutdownAsked = inputs[TickInput.shutdown] === 1;
    tick.recorderLost = inputs[TickInput.recorder_lost] === 1;
    try {
      tick.run();
    } catch (error) {
      tick.fail(error);
    }
    this.#link.end();
  }

  /** Records differences between the tick and its records. */
  #compare(tick: RecordedTick, row: Float64Array, number: number): void {
    const { difference } = this.#link;
    if (difference !== null) {
      const { what, recorded, replayed } = difference;
      this.#note(number, what, recorded, replayed);
    }
    const own = this.tick.record.row;
    const column = COMPARED.find(
      ({ index }) => index < this.#width && !Object.is(row[index], own[index]),
    );
    if (column !== undefined) this.#note(number, column.name, row[column.index], own[column.index]);
    const { drawn } = this.#nonces;
    if (drawn !== tick.nonces.length) {
      this.#note(number, 'nonces drawn', tick.nonces.length, drawn);
    }
  }

  #note(tick: number, what: string, recorded: number | string, replayed: number | string): void {
    this.#first ??= { tick, what, recorded: String(recorded), replayed: String(replayed) };
    this.#differs = true;
  }
}

function makeReplay(setup: ReplaySetup): Replay {
  try {
    return new Replay(setup);
  } catch (cause) {
    if (cause instanceof BerthError) throw cause;
    throw new BerthError(
      'BERTH_MISMATCH',
      'The settings or the model of the recording are not those of a loop that this build can run',
      { cause },
    );
  }
}

/** Replays all records. @throws BerthError for a recording that this build cannot replay */
export async function replayRecords(
  setup: ReplaySetup,
  records: Iterable<LogRecord> | AsyncIterable<LogRecord>,
): Promise<ReplayResult> {
  const replay = makeReplay(setup);
  for await (const record of records) replay.take(record);
  return replay.finish();
}
