/**
 * The recorder's tap in the loop: writes everything that a tick depends on, and what came out of it, into the log ring. Made
 * only when something is recorded; each part with something to write holds it or null.
 *
 * One tick is `begin`, the writes of its parts, `end`: the ring shows a tick to the recorder as a whole.
 */
import { StateArena } from '../../src/math/state-arena.ts';
import { COMMAND_WIDTH } from '../contract/commands.ts';
import { ROW_WIDTH } from '../contract/columns.ts';
import { EVENT_WIDTH } from '../contract/events.ts';
import type { Link } from '../contract/link.ts';
import { layoutText } from '../contract/state-layout.ts';
import { newNonce, type NonceSource } from '../protocol/nonce.ts';
import { SCENE_WIDTH } from '../contract/scene-columns.ts';
import { ControlWord, type SharedBuffers } from '../memory/shared.ts';
import type { TickTiming } from '../contract/timing.ts';
import { LogRing } from '../memory/log-ring.ts';
import { RecordKind, STATE_INTERVAL_S, TICK_INPUTS, TickInput } from '../memory/records.ts';

const INPUTS = TICK_INPUTS.length;
/** Sends of one tick that can be marked as refused one by one: the bits of a double. */
const SENDS = 52;
const BITS = Float64Array.from({ length: SENDS }, (_, n) => 2 ** n);

/** One tap a loop. Nothing that is called in a tick allocates. */
export class RecordingTap implements NonceSource {
  /** What the next tick's records depend on. */
  readonly arena: StateArena = new StateArena();
  /** Loop clock when the set-point of this tick was sent, µs; 0 before. Written by the tick. */
  readonly transmit_us: Float64Array = new Float64Array(1);
  /** Whether the robot was connected at the top of this tick, which then holds for all of it. */
  connected = false;
  /** The link whose `connected` that is; null without a robot. */
  line: Link | null = null;
  readonly ring: LogRing;
  readonly #control: Int32Array;
  readonly #timing: TickTiming;
  readonly #stateEvery: number;
  readonly #inputs = new Float64Array(INPUTS);
  readonly #lost = new Float64Array(1);
  readonly #nonce = new Float64Array(2);
  readonly #refused = new Float64Array(1);
  #source: StateArena | null = null;
  #state = new Float64Array(0);
  #layout = new Uint8Array(0);
  /** [ticks until a STATE] */
  readonly #wait: Float64Array = this.arena.add('wait', 1);
  #tickAt = -1;
  #sends = 0;
  /** Whether between `begin` and `end`. What a session sends before the first tick or after the last is part of none. */
  open = false;

  constructor(shared: SharedBuffers, timing: TickTiming, period_s: number) {
    this.ring = new LogRing(shared.log, shared.logStage ?? null);
    this.arena.adopt('told', this.ring.reported);
    this.#control = new Int32Array(shared.control);
    this.#timing = timing;
    this.#stateEvery = Math.max(1, Math.round(STATE_INTERVAL_S / period_s));
  }

  /** Whose state goes into STATE records: that of the tick. */
  attach(source: StateArena): void {
    this.#source = source;
    this.#state = new Float64Array(source.stateLength);
    this.#layout = new TextEncoder().encode(layoutText(source));
  }

  /** Top of a tick, before anything of it changed. @alloc none */
  begin(): void {
    const ring = this.ring;
    ring.time_us[0] = this.#timing.wake_us;
    if (ring.writeGap(this.#lost)) this.#wait[0] = 0;
    if (Atomics.load(this.#control, ControlWord.STATE_WANTED) !== 0) {
      Atomics.store(this.#control, ControlWord.STATE_WANTED, 0);
      this.#wait[0] = 0;
    }
    const source = this.#wait[0] === 0 ? this.#source : null;
    if (source !== null) {
      this.#wait[0] = this.#stateEvery;
      source.saveState(this.#state, 0);
      ring.writeDoubles(RecordKind.STATE, this.#state, this.#state.length);
    }
    this.#wait[0]--;
    this.#tickAt = ring.reserveDoubles(RecordKind.TICK, INPUTS);
    if (source !== null) ring.writeBytes(RecordKind.LAYOUT, this.#layout, this.#layout.length);
    this.transmit_us[0] = 0;
    this.#refused[0] = 0;
    this.#sends = 0;
    this.connected = this.line?.connected === true;
    this.open = true;
  }

  /** End of a tick: its inputs are known, and the recorder may read it. @alloc none */
  end(shutdown: boolean, recorderLost: boolean): void {
    const timing = this.#timing;
    const v = this.#inputs;
    v[TickInput.executed] = timing.executed;
    v[TickInput.period] = timing.period;
    v[TickInput.slipped] = timing.slipped;
    v[TickInput.slipped_total] = timing.slippedTotal;
    v[TickInput.cause] = timing.cause;
    v[TickInput.origin_us] = timing.origin_us;
    v[TickInput.release_us] = timing.release_us;
    v[TickInput.wake_us] = timing.wake_us;
    v[TickInput.raw_lateness_us] = timing.rawLateness_us;
    v[TickInput.lateness_us] = timing.lateness_us;
    v[TickInput.margin_us] = timing.margin_us;
    v[TickInput.transmit_us] = this.transmit_us[0];
    v[TickInput.connected] = this.connected ? 1 : 0;
    v[TickInput.shutdown] = shutdown ? 1 : 0;
    v[TickInput.sends_refused] = this.#refused[0];
    v[TickInput.recorder_lost] = recorderLost ? 1 : 0;
    this.ring.fill(this.#tickAt, v, INPUTS);
    this.#tickAt = -1;
    this.open = false;
    this.ring.publish();
  }

  /** What was written outside of a tick: before the first and after the last. */
  flush(): void {
    this.ring.publish();
  }

  /** A frame that the link gave; the caller has put its arrival into `time_us`. @alloc none */
  frameIn(frame: Uint8Array, length: number): void {
    this.ring.writeBytes(RecordKind.FRAME_IN, frame, length);
  }

  /** Time of the next frame received, µs. A cell, because a double argument may be boxed. */
  get time_us(): Float64Array {
    return this.ring.time_us;
  }

  /** A frame given to the link, and whether it took it. @alloc none */
  frameOut(frame: Uint8Array, length: number, taken: boolean): void {
    if (!this.open) return;
    const ring = this.ring;
    const at = this.transmit_us[0];
    ring.time_us[0] = at > 0 ? at : this.#timing.wake_us;
    ring.writeBytes(RecordKind.FRAME_OUT, frame, length);
    if (!taken && this.#sends < SENDS) this.#refused[0] += BITS[this.#sends];
    this.#sends++;
  }

  /** A command taken from the ring. @alloc none */
  command(record: Float64Array): void {
    this.#write(RecordKind.COMMAND, record, COMMAND_WIDTH);
  }

  /** A telemetry row. @alloc none */
  row(row: Float64Array): void {
    this.#write(RecordKind.ROW, row, ROW_WIDTH);
  }

  /** An event record. @alloc none */
  event(record: Float64Array): void {
    this.#write(RecordKind.EVENT, record, EVENT_WIDTH);
  }

  /** A scene row. @alloc none */
  scene(row: Float64Array): void {
    this.#write(RecordKind.SCENE, row, SCENE_WIDTH);
  }

  /** A nonce of the robot session, from the machine's random numbers. Allocates, as a handshake does. */
  draw(out: Uint32Array): void {
    newNonce(out);
    if (!this.open) return;
    this.#nonce[0] = out[0];
    this.#nonce[1] = out[1];
    this.#write(RecordKind.NONCE, this.#nonce, 2);
  }

  #write(kind: number, values: Float64Array, count: number): void {
    this.ring.time_us[0] = this.#timing.wake_us;
    this.ring.writeDoubles(kind, values, count);
  }
}

/** The tap of a service or a warm-up: null when nothing is recorded. */
export function makeTap(
  shared: SharedBuffers,
  timing: TickTiming,
  period_s: number,
): RecordingTap | null {
  return shared.log.byteLength === 0 ? null : new RecordingTap(shared, timing, period_s);
}
