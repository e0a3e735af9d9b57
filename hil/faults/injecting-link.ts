/**
 * Link with injected faults, for services started with fault injection allowed. It stands between
 * the session and the real link, below the recorder. The recorder gets what the session receives,
 * so a replay needs no faults of its own.
 *
 * The same seed and the same frames give the same faults. Delayed frames are not part of its state:
 * they are lost for a loop worker that takes over.
 */
import { StateArena } from '../../src/math/state-arena.ts';
import { Random } from '../../src/math/random.ts';
import type { FaultInjection } from './fault-injection.ts';
import { InjectionKind } from '../contract/injections.ts';
import { crcOf, crcStart } from '../protocol/crc.ts';
import {
  CRC_BYTES,
  FrameType,
  LAYOUT_HASH,
  MAX_FRAME,
  fieldOffset,
  frameLayout,
} from '../protocol/layout.ts';
import { RobotSafety } from '../contract/codes.ts';
import { ForwardingLink } from '../links/forwarding-link.ts';
import type { Link } from '../contract/link.ts';
import { LineNoise } from '../links/line-noise.ts';

const TYPE_AT = 1;
const TIME_AT = 8; // of the header
const { STATE, SYNC } = FrameType;
const POSITION_AT = fieldOffset(STATE, 'position');
const WRENCH_AT = fieldOffset(STATE, 'wrench');
const FT_AGE_AT = fieldOffset(STATE, 'ftAge');
const SAFETY_AT = fieldOffset(STATE, 'safety');
const MODE_AT = fieldOffset(STATE, 'ctlMode');
const FAULT_AT = fieldOffset(STATE, 'fault');
const T_MEAS_AT = fieldOffset(STATE, 'tMeas');
const T2_AT = fieldOffset(SYNC, 't2');
const T3_AT = fieldOffset(SYNC, 't3');
const FORCE_Z = 2;
const WRENCH_BYTES = 24;
/** Length of a STATE; the session reports shorter frames as malformed. */
const STATE_BYTES = frameLayout(STATE).length + CRC_BYTES;
const SYNC_BYTES = frameLayout(SYNC).length + CRC_BYTES;
const FT_AGE_MOST_us = 65_535;

/** Largest number of delayed frames. */
const SLOTS = 512;
/** Largest delay of a reordered frame, ticks. */
const REORDER_TICKS = 3;

/** A delayed frame. */
class Waiting {
  readonly frame: Uint8Array = new Uint8Array(MAX_FRAME);
  length = 0;
  due_us = 0.5;
  /** Order of arrival, for frames due at the same time. */
  order = 0;
}

/** Link that injects faults into the frames of another link. */
export class InjectingLink extends ForwardingLink {
  readonly arena: StateArena = new StateArena();
  receivedAt_us = 0.5;
  /** Time of this tick, µs of the loop clock. The tick writes it. */
  readonly now_us: Float64Array = new Float64Array(1);
  readonly #random: Random;
  readonly #noise: LineNoise;
  readonly #period_us: number;
  readonly #waiting: readonly Waiting[] = Array.from({ length: SLOTS }, () => new Waiting());
  readonly #arrived = new Uint8Array(MAX_FRAME);
  /** Force and moment of the last STATE before a drop-out, and their age, µs. */
  readonly #heldWrench = new Uint8Array(WRENCH_BYTES);
  readonly #heldAge: Float64Array;
  #faults: FaultInjection | null = null;
  #order = 0;
  #queued = 0;

  constructor(inner: Link, period_s = 0.001, seed = 1) {
    super(inner);
    this.#period_us = period_s * 1e6;
    this.#random = new Random(seed);
    this.#noise = new LineNoise(this.#random);
    const { arena } = this;
    arena.adopt('random', this.#random.state);
    arena.adopt('noise', this.#noise.next);
    this.#heldAge = arena.add('heldAge_us', 1);
    arena.adopt('heldWrench', this.#heldWrench);
  }

  /** Sets the table of active faults. */
  attach(faults: FaultInjection): void {
    this.#faults = faults;
  }

  override get resyncs(): number {
    return this.inner.resyncs + this.#noise.decoder.resyncs;
  }

  override get oversized(): number {
    return this.inner.oversized + this.#noise.decoder.oversized;
  }

  receive(frame: Uint8Array): number {
    const amounts = this.#faults?.amounts;
    if (amounts === undefined) return this.#straight(frame);
    if (this.#queued > 0 || this.#detours(amounts)) {
      this.#collect(amounts);
      return this.#due(frame);
    }
    for (;;) {
      const length = this.#straight(frame);
      if (length === 0) return 0;
      this.#change(frame, length, amounts);
      if (!this.#drops(frame, amounts)) return length;
    }
  }

  send(frame: Uint8Array, length: number): boolean {
    const ratio = this.#faults?.amounts[InjectionKind.link_drop_ratio] ?? 0;
    if (ratio > 0 && this.#random.uniform() < ratio) return true;
    return this.inner.send(frame, length);
  }

  #straight(frame: Uint8Array): number {
    const length = this.inner.receive(frame);
    this.receivedAt_us = this.inner.receivedAt_us;
    return length;
  }

  /** Whether frames are delayed or pass through line noise. */
  #detours(amounts: Float64Array): boolean {
    return (
      amounts[InjectionKind.link_delay_s] > 0 ||
      amounts[InjectionKind.link_duplicate_ratio] > 0 ||
      amounts[InjectionKind.link_reorder_ratio] > 0 ||
      amounts[InjectionKind.line_bit_error_ratio] > 0
    );
  }

  #drops(frame: Uint8Array, amounts: Float64Array): boolean {
    if (amounts[InjectionKind.drop_state_ticks] > 0 && frame[TYPE_AT] === STATE) return true;
    const ratio = amounts[InjectionKind.link_drop_ratio];
    return ratio > 0 && this.#random.uniform() < ratio;
  }

  /** Takes in all received frames. */
  #collect(amounts: Float64Array): void {
    const frame = this.#arrived;
    for (;;) {
      const length = this.inner.receive(frame);
      if (length === 0) return;
      this.#change(frame, length, amounts);
      if (this.#drops(frame, amounts)) continue;
      if (amounts[InjectionKind.line_bit_error_ratio] === 0) {
        this.#post(frame, length, amounts);
        continue;
      }
      const noise = this.#noise;
      noise.put(frame, length, amounts, InjectionKind.line_bit_error_ratio);
      for (let left = noise.take(); left > 0; left = noise.take()) {
        this.#post(noise.decoder.frame, left, amounts);
      }
    }
  }

  #post(frame: Uint8Array, length: number, amounts: Float64Array): void {
    const random = this.#random;
    let due = this.inner.receivedAt_us + amounts[InjectionKind.link_delay_s] * 1e6;
    const reorder = amounts[InjectionKind.link_reorder_ratio];
    if (reorder > 0 && random.uniform() < reorder) {
      due = this.now_us[0] + Math.ceil(random.uniform() * REORDER_TICKS) * this.#period_us;
    }
    this.#put(frame, length, due);
    const twice = amounts[InjectionKind.link_duplicate_ratio];
    if (twice > 0 && random.uniform() < twice) this.#put(frame, length, due);
  }

  #put(frame: Uint8Array, length: number, due: number): void {
    for (const slot of this.#waiting) {
      if (slot.length > 0) continue;
      for (let i = 0; i < length; i++) slot.frame[i] = frame[i];
      slot.length = length;
      slot.due_us = due;
      slot.order = this.#order++;
      this.#queued++;
      return;
    }
  }

  /** Copies the frame that is due first. */
  #due(frame: Uint8Array): number {
    let first: Waiting | null = null;
    for (const slot of this.#waiting) {
      if (slot.length === 0 || slot.due_us > this.now_us[0]) continue;
      const earlier =
        first === null ||
        slot.due_us < first.due_us ||
        (slot.due_us === first.due_us && slot.order < first.order);
      if (earlier) first = slot;
    }
    if (first === null) return 0;
    const { length } = first;
    for (let i = 0; i < length; i++) frame[i] = first.frame[i];
    this.receivedAt_us = first.due_us;
    first.length = 0;
    this.#queued--;
    return length;
  }

  /** Applies faults to the content of a frame and corrects its CRC, except for damaged bytes of the line. */
  #change(frame: Uint8Array, length: number, amounts: Float64Array): void {
    const isState = frame[TYPE_AT] === STATE && length >= STATE_BYTES;
    const isSync = frame[TYPE_AT] === SYNC && length >= SYNC_BYTES;
    const step_us = amounts[InjectionKind.robot_clock_step_s] * 1e6;
    const sensor = isState && this.#spoils(amounts);
    const clock = step_us !== 0 && (isState || isSync);
    const words = isState && altersReport(amounts);
    if (sensor || clock || words) {
      const view = new DataView(frame.buffer, frame.byteOffset, length);
      if (sensor) this.#spoil(view, frame, amounts);
      if (words) alterReport(view, amounts);
      if (clock) stepClock(view, isState, step_us);
      const crc = crcOf(frame, length - CRC_BYTES, crcStart(LAYOUT_HASH));
      view.setUint32(length - CRC_BYTES, crc, true);
    }
    if (isState) this.#keepWrench(frame, amounts);
    const corrupt = amounts[InjectionKind.link_corrupt_ratio];
    if (corrupt > 0 && this.#random.uniform() < corrupt) {
      frame[Math.floor(this.#random.uniform() * length)] ^=
        1 + Math.floor(this.#random.uniform() * 255);
    }
  }

  #spoils(amounts: Float64Array): boolean {
    return (
      amounts[InjectionKind.state_nan_ticks] > 0 ||
      amounts[InjectionKind.force_nan_ticks] > 0 ||
      amounts[InjectionKind.force_bias_N] !== 0 ||
      amounts[InjectionKind.force_noise_N] > 0 ||
      amounts[InjectionKind.force_dropout_ticks] > 0
    );
  }

  #spoil(view: DataView, frame: Uint8Array, amounts: Float64Array): void {
    if (amounts[InjectionKind.state_nan_ticks] > 0) view.setFloat64(POSITION_AT, Number.NaN, true);
    const noise = amounts[InjectionKind.force_noise_N];
    for (let axis = 0; axis < 3; axis++) {
      const at = WRENCH_AT + 4 * axis;
      const bias = axis === FORCE_Z ? amounts[InjectionKind.force_bias_N] : 0;
      const random = noise > 0 ? noise * this.#random.gaussian() : 0;
      view.setFloat32(at, view.getFloat32(at, true) + bias + random, true);
    }
    if (amounts[InjectionKind.force_dropout_ticks] > 0) {
      this.#heldAge[0] += this.#period_us;
      for (let i = 0; i < WRENCH_BYTES; i++) frame[WRENCH_AT + i] = this.#heldWrench[i];
      const age = view.getUint16(FT_AGE_AT, true) + this.#heldAge[0];
      view.setUint16(FT_AGE_AT, Math.min(FT_AGE_MOST_us, Math.round(age)), true);
    }
    if (amounts[InjectionKind.force_nan_ticks] > 0) {
      view.setFloat32(WRENCH_AT + 4 * FORCE_Z, Number.NaN, true);
    }
  }

  /** Keeps the wrench of a force sensor that drops out. */
  #keepWrench(frame: Uint8Array, amounts: Float64Array): void {
    if (amounts[InjectionKind.force_dropout_ticks] > 0) return;
    this.#heldAge[0] = 0;
    for (let i = 0; i < WRENCH_BYTES; i++) this.#heldWrench[i] = frame[WRENCH_AT + i];
  }
}

function altersReport(amounts: Float64Array): boolean {
  return (
    amounts[InjectionKind.robot_fault_word] > 0 ||
    amounts[InjectionKind.robot_reduced] > 0 ||
    amounts[InjectionKind.robot_idle] > 0
  );
}

/** Changes what the robot reports about itself. */
function alterReport(view: DataView, amounts: Float64Array): void {
  const bits = amounts[InjectionKind.robot_fault_word] >>> 0;
  view.setUint32(FAULT_AT, view.getUint32(FAULT_AT, true) | bits, true);
  const normal = view.getUint8(SAFETY_AT) === RobotSafety.NORMAL;
  if (normal && amounts[InjectionKind.robot_reduced] > 0) {
    view.setUint8(SAFETY_AT, RobotSafety.REDUCED);
  }
  if (amounts[InjectionKind.robot_idle] > 0) view.setUint8(MODE_AT, 0);
}

/** Shifts the clock of the robot: in the time of the frame, of the measurement, and in its answers to SYNC. */
function stepClock(view: DataView, isState: boolean, step_us: number): void {
  shiftTime(view, TIME_AT, step_us);
  if (isState) {
    shiftTime(view, T_MEAS_AT, step_us);
    return;
  }
  shiftTime(view, T2_AT, step_us);
  shiftTime(view, T3_AT, step_us);
}

function shiftTime(view: DataView, at: number, step_us: number): void {
  const time = view.getBigUint64(at, true);
  const shifted = time + BigInt(Math.round(step_us));
  if (time !== 0n && shifted > 0n) view.setBigUint64(at, shifted, true);
}
