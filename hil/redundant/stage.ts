/**
 * Work area of one of two loop workers: its own buffers in the layout of the service's, and two
 * pages for the state at the end of a tick. A tick that is not committed has touched nothing else.
 * A committed tick is complete here, and either worker may publish it, that is copy it to the
 * service's buffers.
 *
 * A page is [head][counters][times][state]. Rings and log have one copy: they are published before
 * the next tick begins.
 */
import type { StateArena } from '../../src/math/state-arena.ts';
import { COMMAND_WIDTH } from '../contract/commands.ts';
import { LOOP_FAMILIES, layoutCounters } from '../contract/counters.ts';
import { EVENT_WIDTH } from '../contract/events.ts';
import { LogRing, STAGE_NUMBERS } from '../memory/log-ring.ts';
import type { RecordingTap } from '../telemetry/tap.ts';
import { Doorbell } from '../memory/os-doorbell.ts';
import { FrameRing, TelemetryRing } from '../memory/ring.ts';
import { ROW_WIDTH } from '../contract/columns.ts';
import { SCENE_WIDTH } from '../contract/scene-columns.ts';
import { ControlWord, type SharedBuffers } from '../memory/shared.ts';
import type { StageMemory } from '../loop/worker-data.ts';
import { MirroredRing, RING_NUMBERS } from './mirrored-ring.ts';
import type { Turn } from './turn.ts';

/** Numbers at the head of a page. */
export const StageHead = Object.freeze({
  /** 1 once a tick, or the start of the loop, was committed here. */
  VALID: 0,
  /** 1: the loop ended with this tick. */
  LAST: 1,
  /** Numbers for the next release: period done, release 0, injected lateness, µs. */
  PERIOD: 2,
  ORIGIN_us: 3,
  INJECTED_us: 4,
  /** Time from wake-up to commit, µs. */
  DURATION_us: 5,
  /** 1 when a STATE record was requested and written. */
  STATE_WRITTEN: 6,
  /** Injected: the worker that claims the next tick first blocks for this long, s. */
  STALL_s: 7,
  COMMANDS: 8,
  FROM_ROBOT: 8 + RING_NUMBERS,
  TO_ROBOT: 8 + 2 * RING_NUMBERS,
  EVENTS: 8 + 3 * RING_NUMBERS,
  TELEMETRY: 8 + 4 * RING_NUMBERS,
  SCENE: 8 + 5 * RING_NUMBERS,
  HANDSHAKES: 8 + 6 * RING_NUMBERS,
  LOG: 8 + 7 * RING_NUMBERS,
});
const HEAD = StageHead.LOG + STAGE_NUMBERS;
const COUNTERS = layoutCounters(LOOP_FAMILIES).length;
/** Room for the time state of the loop. */
const TIMES = 24;
/** Start of the state in a page; the state of the model comes first. */
export const STATE: number = HEAD + COUNTERS + TIMES;
/** Rows of one tick: one, and a second when it failed after the first. */
const ROWS = 4;
/** Bytes for records of a tick without its state. */
const LOG_BYTES = 1 << 18;

/** Allocates a stage for the buffers of `real` and a state of at most `most` doubles. */
export function allocateStage(real: SharedBuffers, most: number): StageMemory {
  const logged = real.log.byteLength > 0;
  // sums continue from an earlier loop of the same service
  const loopCounters = new SharedArrayBuffer(real.loopCounters.byteLength);
  new Uint8Array(loopCounters).set(new Uint8Array(real.loopCounters));
  return {
    buffers: {
      ...real,
      control: new SharedArrayBuffer(real.control.byteLength),
      commands: new SharedArrayBuffer(real.commands.byteLength),
      events: new SharedArrayBuffer(real.events.byteLength),
      telemetry: TelemetryRing.allocate(ROWS, ROW_WIDTH),
      scene: TelemetryRing.allocate(ROWS, SCENE_WIDTH),
      toRobot: new SharedArrayBuffer(real.toRobot.byteLength),
      fromRobot: new SharedArrayBuffer(real.fromRobot.byteLength),
      handshakes: new SharedArrayBuffer(real.handshakes.byteLength),
      loopCounters,
      // room for the state twice: once as a record, once as padding at the end of the ring
      ...(logged ? { logStage: new SharedArrayBuffer(LOG_BYTES + 16 * most) } : {}),
    },
    pages: new SharedArrayBuffer(2 * 8 * (STATE + most)),
  };
}

/** The stage of one worker, for its owner and for the other worker. */
export class Stage {
  readonly memory: StageMemory;
  /** Heads of both pages. */
  readonly heads: readonly Float64Array[];
  readonly #pages: readonly Float64Array[];
  readonly #counters: readonly Float64Array[];
  readonly #liveCounters: Float64Array;
  readonly #realCounters: Float64Array;
  readonly #control: Int32Array;
  readonly #ownControl: Int32Array;
  readonly #commands: MirroredRing;
  readonly #fromRobot: MirroredRing;
  readonly #toRobot: MirroredRing;
  readonly #doorbell: Doorbell;
  readonly #events: MirroredRing;
  readonly #telemetry: MirroredRing;
  readonly #scene: MirroredRing;
  readonly #handshakes: MirroredRing;
  readonly #log: LogRing | null;
  readonly #staged: Uint32Array;
  /** Head and counters of a page of the other worker that this worker publishes. */
  readonly #otherHead = new Float64Array(HEAD);
  readonly #otherCounters = new Float64Array(COUNTERS);
  #stateWanted = 0;

  constructor(memory: StageMemory, real: SharedBuffers) {
    this.memory = memory;
    const { buffers, pages } = memory;
    const length = pages.byteLength >> 4;
    this.#pages = [0, 1].map((k) => new Float64Array(pages, 8 * length * k, length));
    this.heads = this.#pages.map((page) => page.subarray(0, HEAD));
    this.#counters = this.#pages.map((page) => page.subarray(HEAD, HEAD + COUNTERS));
    this.#liveCounters = new Float64Array(buffers.loopCounters);
    this.#realCounters = new Float64Array(real.loopCounters);
    this.#control = new Int32Array(real.control);
    this.#ownControl = new Int32Array(buffers.control);
    const frame = FrameRing.SLOT_BYTES;
    this.#commands = new MirroredRing(real.commands, buffers.commands, 8 * COMMAND_WIDTH);
    this.#fromRobot = new MirroredRing(real.fromRobot, buffers.fromRobot, frame);
    this.#toRobot = new MirroredRing(real.toRobot, buffers.toRobot, frame);
    this.#doorbell = new Doorbell(this.#control, new Int32Array(real.toRobot, 0, 4));
    this.#events = new MirroredRing(real.events, buffers.events, 8 * EVENT_WIDTH);
    this.#telemetry = new MirroredRing(real.telemetry, buffers.telemetry, 8 * ROW_WIDTH);
    this.#scene = new MirroredRing(real.scene, buffers.scene, 8 * SCENE_WIDTH);
    this.#handshakes = new MirroredRing(real.handshakes, buffers.handshakes, frame);
    this.#log = real.log.byteLength > 0 ? new LogRing(real.log) : null;
    this.#staged = new Uint32Array(buffers.logStage ?? new SharedArrayBuffer(0));
  }

  /** Largest number of doubles of a state. */
  get room(): number {
    return this.#pages[0].length - STATE;
  }

  /** Copies the waiting inputs. The owner calls it at the start of a tick. @alloc none */
  open(tap: RecordingTap | null): void {
    const own = this.#ownControl;
    own[ControlWord.ROBOT_CONNECTED] = Atomics.load(this.#control, ControlWord.ROBOT_CONNECTED);
    this.#stateWanted = Atomics.load(this.#control, ControlWord.STATE_WANTED);
    own[ControlWord.STATE_WANTED] = this.#stateWanted;
    this.#commands.openInput();
    this.#fromRobot.openInput();
    this.#toRobot.openOutput();
    this.#events.openOutput();
    this.#telemetry.openOutput();
    this.#scene.openOutput();
    this.#handshakes.openOutput();
    if (tap !== null) tap.ring.openStage();
  }

  /** Notes in a page what is to be published, and the state. The owner calls it at the end of a tick. @alloc none */
  close(page: number, state: StateArena, tap: RecordingTap | null): void {
    const head = this.heads[page];
    const own = this.#ownControl;
    const written = this.#stateWanted !== 0 && own[ControlWord.STATE_WANTED] === 0;
    head[StageHead.STATE_WRITTEN] = written ? 1 : 0;
    this.#commands.closeInput(head, StageHead.COMMANDS);
    this.#fromRobot.closeInput(head, StageHead.FROM_ROBOT);
    this.#toRobot.closeOutput(head, StageHead.TO_ROBOT);
    this.#events.closeOutput(head, StageHead.EVENTS);
    this.#telemetry.closeOutput(head, StageHead.TELEMETRY);
    this.#scene.closeOutput(head, StageHead.SCENE);
    this.#handshakes.closeOutput(head, StageHead.HANDSHAKES);
    if (tap !== null) tap.ring.closeStage(head, StageHead.LOG);
    this.#counters[page].set(this.#liveCounters);
    state.saveState(this.#pages[page], STATE);
    head[StageHead.LAST] = 0;
    head[StageHead.VALID] = 1;
  }

  /** Stores the times of the tick. The owner calls it when its end is known. @alloc none */
  closeTimes(page: number, times: StateArena): void {
    times.saveState(this.#pages[page], HEAD + COUNTERS);
  }

  /** Loads a page of `other`, the stage of the other worker. @alloc none */
  load(other: Stage, page: number, state: StateArena, times: StateArena): void {
    this.#liveCounters.set(other.#counters[page]);
    times.loadState(other.#pages[page], HEAD + COUNTERS);
    state.loadState(other.#pages[page], STATE);
  }

  /**
   * Copies a committed page to the service, set-points first, while `word` is the word of the turn.
   * A blocked worker may do the present part late; therefore every part may be done twice. @alloc
   * none
   */
  publish(page: number, turn: Turn, word: number): void {
    this.#publish(this.heads[page], this.#counters[page], turn, word);
  }

  /**
   * Publishes a page of `owner` in its place. The owner may resume, publish first and run its next
   * tick on its stage. A copy in this stage, which no worker uses, is therefore published; a late
   * part writes values that are already there. @alloc none
   */
  publishFor(owner: Stage, page: number, turn: Turn, word: number): void {
    const head = this.#otherHead;
    head.set(owner.heads[page]);
    this.#otherCounters.set(owner.#counters[page]);
    this.#toRobot.takeOutput(owner.#toRobot, head, StageHead.TO_ROBOT);
    this.#events.takeOutput(owner.#events, head, StageHead.EVENTS);
    this.#telemetry.takeOutput(owner.#telemetry, head, StageHead.TELEMETRY);
    this.#scene.takeOutput(owner.#scene, head, StageHead.SCENE);
    this.#handshakes.takeOutput(owner.#handshakes, head, StageHead.HANDSHAKES);
    LogRing.copyStage(this.#staged, owner.#staged, head, StageHead.LOG);
    // the copy belongs to that tick only if the word is unchanged, which `#publish` checks first
    this.#publish(head, this.#otherCounters, turn, word);
  }

  #publish(head: Float64Array, counters: Float64Array, turn: Turn, word: number): void {
    if (turn.word !== word) return;
    if (this.#toRobot.publishOutput(head, StageHead.TO_ROBOT) > 0) this.#doorbell.ring();
    if (turn.word !== word) return;
    this.#realCounters.set(counters);
    if (turn.word !== word) return;
    this.#events.publishOutput(head, StageHead.EVENTS);
    if (turn.word !== word) return;
    this.#telemetry.publishOutput(head, StageHead.TELEMETRY);
    if (turn.word !== word) return;
    this.#scene.publishOutput(head, StageHead.SCENE);
    if (turn.word !== word) return;
    this.#handshakes.publishOutput(head, StageHead.HANDSHAKES);
    if (turn.word !== word) return;
    if (this.#log !== null) this.#log.append(this.#staged, head, StageHead.LOG);
    if (turn.word !== word) return;
    this.#commands.publishInput(head, StageHead.COMMANDS);
    this.#fromRobot.publishInput(head, StageHead.FROM_ROBOT);
    if (head[StageHead.STATE_WRITTEN] === 1) {
      Atomics.compareExchange(this.#control, ControlWord.STATE_WANTED, 1, 0);
    }
    turn.release(word, head[StageHead.LAST] === 1);
  }
}
