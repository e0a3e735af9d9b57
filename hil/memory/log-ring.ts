/**
 * Ring for records (records.ts) from the loop worker to the recorder worker: single producer,
 * single consumer, records of any length. Numbers have the byte order of the machine, which is
 * little-endian on every machine that Berth supports.
 *
 *   [u32 bytes of the whole record] [u32 kind] [f64 time_us] [payload, padded to a multiple of 8 bytes]
 *
 * The writer publishes a tick as a whole: no part of it is visible before its end. A tick that does
 * not fit is lost as a whole and counted; a GAP record follows when there is room again. Neither
 * side waits for the other.
 */
import { RecordKind } from './records.ts';
import { log2 } from '../../src/math/elementary/logarithm.ts';

/** Words of the header, Int32. Positions count units of 8 bytes and wrap at 2³². */
const WRITE = 0;
const READ = 1;
const LOST = 2;
const HEADER_BYTES = 64;
/** Doubles of a record before its payload. */
const HEAD = 2;
/** Kind of the record that fills the ring to its end when the next record does not fit. Readers skip it. */
const PADDING = 0;

/** Numbers of a stage, as `closeStage` writes them. */
export const STAGE_NUMBERS = 4;

/** Default size of the ring: seconds of records at 1 kHz. */
export const LOG_RING_BYTES: number = 1 << 25;

/** A record read from the ring. */
export interface LogView {
  /** One of RecordKind. */
  kind: number;
  /** µs of the loop clock. */
  time_us: number;
  /** Payload inside the ring: valid until the next `read` or `release`. */
  bytes: Uint8Array;
}

/** One end of the ring; a thread uses either the writing or the reading half. */
export class LogRing {
  /** Writer: time of the next record, µs, in an array because a double argument may be boxed. */
  readonly time_us: Float64Array = new Float64Array(1);
  readonly #header: Int32Array;
  readonly #doubles: Float64Array;
  readonly #words: Uint32Array;
  readonly #bytes: Uint8Array;
  /** Capacity in units of 8 bytes, a power of two, and the mask of positions. */
  readonly #capacity: number;
  readonly #mask: number;
  /** Writer: next unit to write, records of this tick, whether one did not fit. */
  #at = 0;
  #count = 0;
  #full = false;
  /** [losses reported by a GAP]; they go with the tick from worker to worker. */
  readonly reported: Float64Array = new Float64Array(1);
  /**
   * Writer of a staged tick: units of room in the stage, 0 when records are written in place; where
   * the tick begins, its complete part, and its lost records.
   */
  readonly #room: number;
  #from = 0;
  #complete = 0;
  #lostNow = 0;
  /** Reader: units of the last record read. */
  #held = 0;

  /**
   * @param buffer from `allocate`
   * @param stage where a tick is written first, in the layout of the ring; `append` of another
   *   LogRing on the same buffer copies it. The ring itself is then only read.
   */
  constructor(buffer: SharedArrayBuffer, stage: SharedArrayBuffer | null = null) {
    const data = stage ?? buffer;
    const at = stage === null ? HEADER_BYTES : 0;
    this.#header = new Int32Array(buffer, 0, HEADER_BYTES >> 2);
    this.#doubles = new Float64Array(data, at);
    this.#words = new Uint32Array(data, at);
    this.#bytes = new Uint8Array(data, at);
    this.#capacity = (buffer.byteLength - HEADER_BYTES) >> 3;
    this.#mask = this.#capacity - 1;
    this.#room = stage === null ? 0 : this.#doubles.length;
    this.#at = Atomics.load(this.#header, WRITE);
    this.reported[0] = Atomics.load(this.#header, LOST);
  }

  /** Buffer of `bytes` for records, rounded up to a power of two. */
  static allocate(bytes: number): SharedArrayBuffer {
    return new SharedArrayBuffer(HEADER_BYTES + 2 ** Math.ceil(log2(bytes)));
  }

  // Writer

  /** Appends the first `count` of `values` at time `time_us[0]`. @alloc none */
  writeDoubles(kind: number, values: Float64Array, count: number): void {
    this.fill(this.reserveDoubles(kind, count), values, count);
  }

  /**
   * Reserves `count` doubles at time `time_us[0]`, to be filled before `publish`.
   * @returns their place for `fill`; −1 when the ring is full @alloc none
   */
  reserveDoubles(kind: number, count: number): number {
    const base = this.#reserve(kind, count * 8);
    return base < 0 ? -1 : base + HEAD;
  }

  /** Fills a place from `reserveDoubles` with the first `count` of `values`. @alloc none */
  fill(at: number, values: Float64Array, count: number): void {
    if (at < 0) return;
    if (values.length === count) this.#doubles.set(values, at);
    else for (let i = 0; i < count; i++) this.#doubles[at + i] = values[i];
  }

  /** Appends the first `length` of `bytes` at time `time_us[0]`, padded with zeros to a multiple of 8. @alloc none */
  writeBytes(kind: number, bytes: Uint8Array, length: number): void {
    const base = this.#reserve(kind, length);
    if (base < 0) return;
    const from = (base + HEAD) * 8;
    if (bytes.length === length) this.#bytes.set(bytes, from);
    else for (let i = 0; i < length; i++) this.#bytes[from + i] = bytes[i];
    for (let i = length; (i & 7) !== 0; i++) this.#bytes[from + i] = 0;
  }

  /** Publishes the records since the last call. @returns false when they did not fit and are lost @alloc none */
  publish(): boolean {
    const header = this.#header;
    const fits = !this.#full;
    if (this.#room > 0) {
      if (fits) this.#complete = this.#at;
      else {
        this.#lostNow += this.#count;
        this.#at = this.#complete;
      }
    } else if (fits) Atomics.store(header, WRITE, this.#at);
    else {
      Atomics.add(header, LOST, this.#count);
      this.#at = Atomics.load(header, WRITE);
    }
    this.#full = false;
    this.#count = 0;
    return fits;
  }

  /**
   * Writes a GAP record after a loss, once the ring is half empty. Until then every tick is lost:
   * one long gap in place of many short ones. Call it before the first record of a tick. @returns
   * whether it wrote one @alloc none
   */
  writeGap(lost: Float64Array): boolean {
    const header = this.#header;
    const total = Atomics.load(header, LOST);
    if (total === this.reported[0]) return false;
    const used = (this.#at - Atomics.load(header, READ)) | 0;
    if (used > this.#capacity >> 1) {
      this.#full = true;
      return false;
    }
    this.reported[0] = total;
    lost[0] = total >>> 0;
    this.writeDoubles(RecordKind.GAP, lost, 1);
    this.publish();
    return true;
  }

  /** Reserves a record. @returns its first unit in the data, −1 when the ring is full */
  #reserve(kind: number, payload: number): number {
    this.#count++;
    if (this.#full) return -1;
    const units = HEAD + ((payload + 7) >> 3);
    const capacity = this.#capacity;
    const used = (this.#at - Atomics.load(this.#header, READ)) | 0;
    let base = this.#at & this.#mask;
    const rest = capacity - base;
    const padding = units > rest ? rest : 0;
    if (used + padding + units > capacity) {
      this.#full = true;
      return -1;
    }
    if (this.#room > 0) {
      base = (this.#at - this.#from) | 0;
      if (base + padding + units > this.#room) {
        this.#full = true;
        return -1;
      }
    }
    if (padding > 0) {
      this.#words[base * 2] = padding * 8;
      this.#words[base * 2 + 1] = PADDING;
      base = this.#room > 0 ? base + padding : 0;
    }
    this.#at = (this.#at + padding + units) | 0;
    // the length is that of the payload without padding, so that frames keep theirs
    this.#words[base * 2] = units * 8 - (-payload & 7);
    this.#words[base * 2 + 1] = kind;
    this.#doubles[base + 1] = this.time_us[0];
    return base;
  }

  // Writer of staged ticks

  /** Starts a tick in the stage, at the present position of the ring. @alloc none */
  openStage(): void {
    this.#from = Atomics.load(this.#header, WRITE);
    this.#at = this.#from;
    this.#complete = this.#from;
    this.#lostNow = 0;
    this.#full = false;
    this.#count = 0;
  }

  /**
   * Describes the stage: its position in the ring, its units, losses before the tick and in it;
   * STAGE_NUMBERS numbers. @alloc none
   */
  closeStage(into: Float64Array, at: number): void {
    into[at] = this.#from;
    into[at + 1] = (this.#complete - this.#from) | 0;
    into[at + 2] = Atomics.load(this.#header, LOST);
    into[at + 3] = this.#lostNow;
  }

  /** Copies a stage, as `closeStage` has noted it, to another stage. @alloc none */
  static copyStage(to: Uint32Array, stage: Uint32Array, from: Float64Array, at: number): void {
    const count = 2 * (from[at + 1] | 0);
    for (let i = 0; i < count; i++) to[i] = stage[i];
  }

  /** Copies a stage to its position and publishes it. A repeated or late call changes nothing. @alloc none */
  append(stage: Uint32Array, from: Float64Array, at: number): void {
    const header = this.#header;
    const words = this.#words;
    const write = from[at] | 0;
    const count = 2 * (from[at + 1] | 0);
    const end = 2 * this.#capacity;
    let place = 2 * (write & this.#mask);
    for (let i = 0; i < count; i++) {
      words[place] = stage[i];
      if (++place === end) place = 0;
    }
    Atomics.compareExchange(header, WRITE, write, (write + (count >> 1)) | 0);
    const lost = from[at + 2] | 0;
    const now = from[at + 3] | 0;
    if (now > 0) Atomics.compareExchange(header, LOST, lost, (lost + now) | 0);
  }

  // Reader

  /**
   * Reads the oldest record. Everything behind an invalid header is discarded and counts as one
   * lost record, which a GAP reports.
   * @returns false when there is none; `record.bytes` is valid until the next call
   */
  read(record: LogView): boolean {
    this.release();
    const header = this.#header;
    for (;;) {
      const read = Atomics.load(header, READ);
      const waiting = (Atomics.load(header, WRITE) - read) | 0;
      if (waiting === 0) return false;
      const base = read & this.#mask;
      const bytes = this.#words[base * 2];
      const kind = this.#words[base * 2 + 1];
      const units = (bytes + 7) >> 3;
      const least = kind === PADDING ? 1 : HEAD;
      if (units < least || units > waiting || base + units > this.#capacity) {
        this.discard();
        Atomics.add(header, LOST, 1);
        return false;
      }
      if (kind === PADDING) {
        Atomics.store(header, READ, (read + units) | 0);
        continue;
      }
      record.kind = kind;
      record.time_us = this.#doubles[base + 1];
      record.bytes = this.#bytes.subarray((base + HEAD) * 8, base * 8 + bytes);
      this.#held = units;
      return true;
    }
  }

  /** Returns the space of the last record read to the writer, before the next `read`. */
  release(): void {
    if (this.#held === 0) return;
    Atomics.store(this.#header, READ, (Atomics.load(this.#header, READ) + this.#held) | 0);
    this.#held = 0;
  }

  /** Discards all waiting records. */
  discard(): void {
    this.#held = 0;
    Atomics.store(this.#header, READ, Atomics.load(this.#header, WRITE));
  }

  /** Records lost so far because the ring was full or a header was invalid. */
  get lost(): number {
    return Atomics.load(this.#header, LOST) >>> 0;
  }

  /** Bytes waiting to be read. */
  get waiting(): number {
    const header = this.#header;
    return ((Atomics.load(header, WRITE) - Atomics.load(header, READ)) | 0) * 8;
  }
}
