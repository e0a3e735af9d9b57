/**
 * Single-producer rings over SharedArrayBuffer. Indices grow without limit (Int32 wraps by unsigned
 * arithmetic). Data is copied to and from caller-owned arrays, so neither side allocates.
 */

const HEADER_BYTES = 16; // write index, read index, dropped, spare

/** Bounded SPSC queue of fixed-width records of doubles. A full ring drops the new record and counts it. */
export class RecordRing {
  readonly #header: Int32Array;
  readonly #data: Float64Array;
  readonly #capacity: number;
  readonly #width: number;

  constructor(buffer: SharedArrayBuffer, width: number) {
    this.#header = new Int32Array(buffer, 0, 4);
    this.#data = new Float64Array(buffer, HEADER_BYTES);
    this.#width = width;
    this.#capacity = Math.floor(this.#data.length / width);
  }

  /** Allocates a buffer for `capacity` records of `width` doubles. */
  static allocate(capacity: number, width: number): SharedArrayBuffer {
    return new SharedArrayBuffer(HEADER_BYTES + capacity * width * 8);
  }

  /** Copies `record` in. @returns false when the ring was full */
  push(record: Float64Array): boolean {
    const write = Atomics.load(this.#header, 0);
    if (((write - Atomics.load(this.#header, 1)) | 0) >= this.#capacity) {
      Atomics.add(this.#header, 2, 1);
      return false;
    }
    const base = ((write >>> 0) % this.#capacity) * this.#width;
    for (let i = 0; i < this.#width; i++) this.#data[base + i] = record[i]!;
    Atomics.store(this.#header, 0, (write + 1) | 0);
    return true;
  }

  /** Copies the oldest record out. @returns false when the ring was empty */
  pop(record: Float64Array): boolean {
    const read = Atomics.load(this.#header, 1);
    if (read === Atomics.load(this.#header, 0)) return false;
    const base = ((read >>> 0) % this.#capacity) * this.#width;
    for (let i = 0; i < this.#width; i++) record[i] = this.#data[base + i]!;
    Atomics.store(this.#header, 1, (read + 1) | 0);
    return true;
  }

  /** Records dropped so far because the ring was full. */
  get dropped(): number {
    return Atomics.load(this.#header, 2);
  }
}

/** Bounded SPSC queue of frames of at most `FRAME_SLOT_BYTES`, with an arrival time. Capacity must be a power of two. */
export class FrameRing {
  static readonly SLOT_BYTES = 528; // u32 length, u32 spare, f64 time_us, 512 bytes
  /** Word on which the consumer waits; the producer notifies at most once a tick. */
  readonly header: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #lengths: Int32Array;
  readonly #times: Float64Array;
  readonly #capacity: number;
  /** Time of the last popped frame, µs. */
  time_us = 0.5;

  constructor(buffer: SharedArrayBuffer) {
    this.header = new Int32Array(buffer, 0, 4);
    this.#bytes = new Uint8Array(buffer, HEADER_BYTES);
    this.#lengths = new Int32Array(buffer, HEADER_BYTES);
    this.#times = new Float64Array(buffer, HEADER_BYTES);
    this.#capacity = Math.floor(this.#bytes.length / FrameRing.SLOT_BYTES);
  }

  static allocate(capacity: number): SharedArrayBuffer {
    return new SharedArrayBuffer(HEADER_BYTES + capacity * FrameRing.SLOT_BYTES);
  }

  push(frame: Uint8Array, length: number, time_us: number): boolean {
    const write = Atomics.load(this.header, 0);
    if (length > 512 || ((write - Atomics.load(this.header, 1)) | 0) >= this.#capacity) {
      Atomics.add(this.header, 2, 1);
      return false;
    }
    const base = ((write >>> 0) % this.#capacity) * FrameRing.SLOT_BYTES;
    this.#lengths[base >> 2] = length;
    this.#times[(base >> 3) + 1] = time_us;
    for (let i = 0; i < length; i++) this.#bytes[base + 16 + i] = frame[i]!;
    Atomics.store(this.header, 0, (write + 1) | 0);
    return true;
  }

  /** @returns length of the frame copied to `frame`, 0 when empty */
  pop(frame: Uint8Array): number {
    const read = Atomics.load(this.header, 1);
    if (read === Atomics.load(this.header, 0)) return 0;
    const base = ((read >>> 0) % this.#capacity) * FrameRing.SLOT_BYTES;
    const length = this.#lengths[base >> 2];
    this.time_us = this.#times[(base >> 3) + 1]!;
    for (let i = 0; i < length; i++) frame[i] = this.#bytes[base + 16 + i]!;
    Atomics.store(this.header, 1, (read + 1) | 0);
    return length;
  }

  /** Frames dropped so far because the ring was full. */
  get dropped(): number {
    return Atomics.load(this.header, 2);
  }
}

/**
 * Broadcast ring of rows: one writer, any number of readers with their own positions. A reader that
 * falls behind by more than the capacity is moved forward and gets the number of lost rows.
 */
export class TelemetryRing {
  readonly #header: Int32Array;
  readonly #data: Float64Array;
  readonly #capacity: number;
  readonly #width: number;

  constructor(buffer: SharedArrayBuffer, width: number) {
    this.#header = new Int32Array(buffer, 0, 4);
    this.#data = new Float64Array(buffer, HEADER_BYTES);
    this.#width = width;
    this.#capacity = Math.floor(this.#data.length / width);
  }

  static allocate(capacity: number, width: number): SharedArrayBuffer {
    return new SharedArrayBuffer(HEADER_BYTES + capacity * width * 8);
  }

  /** Rows written so far (wraps at 2³²). */
  get written(): number {
    return Atomics.load(this.#header, 0) >>> 0;
  }

  push(row: Float64Array): void {
    const write = Atomics.load(this.#header, 0);
    const base = ((write >>> 0) % this.#capacity) * this.#width;
    for (let i = 0; i < this.#width; i++) this.#data[base + i] = row[i]!;
    Atomics.store(this.#header, 0, (write + 1) | 0);
  }

  /**
   * Copies row number `index` out. @returns false when it is not yet written or was overwritten,
   * also during the copy
   */
  read(index: number, row: Float64Array): boolean {
    const distance = (this.written - index) >>> 0;
    if (distance === 0 || distance >= this.#capacity) return false;
    const base = (index % this.#capacity) * this.#width;
    for (let i = 0; i < this.#width; i++) row[i] = this.#data[base + i]!;
    return (this.written - index) >>> 0 < this.#capacity;
  }

  /** Another writer begins: rows written so far are no newest row any more. Only between two writers. */
  begin(): void {
    Atomics.store(this.#header, 1, Atomics.load(this.#header, 0));
  }

  /** Copies the newest row out. @returns false before the first row of the present writer */
  readNewest(row: Float64Array): boolean {
    for (let attempt = 0; attempt < 4; attempt++) {
      const written = this.written;
      if (written === Atomics.load(this.#header, 1) >>> 0) return false;
      if (this.read((written - 1) >>> 0, row)) return true;
    }
    return false;
  }

  /** Number of the oldest row that can still be read safely. */
  get oldest(): number {
    const written = this.written;
    return written < this.#capacity ? 0 : (written - this.#capacity + 1) >>> 0;
  }
}
