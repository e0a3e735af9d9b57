/**
 * Messages in CDR as ROS 2 writes them (header 00 01 00 00, little-endian; every number aligned to its own size, counted from
 * after the header). The body begins at a multiple of 8 in its buffer, so that doubles can be written as an array.
 */
import { log2 } from '../../src/math/elementary/logarithm.ts';

/** Bytes of the header for "CDR, little-endian". */
export const CDR_HEADER = 4;
const LEAD = 8;

/** Writes one message after the other into a buffer that grows to the longest. */
export class CdrWriter {
  #buffer = new ArrayBuffer(LEAD + 1024);
  #view = new DataView(this.#buffer);
  #doubles = new Float64Array(this.#buffer, LEAD);
  #at = 0;
  readonly #text = new TextEncoder();

  /** Begin a message. */
  begin(): this {
    this.#view.setUint32(LEAD - CDR_HEADER, 0x0100, true);
    this.#at = 0;
    return this;
  }

  /** The message, in the writer's own buffer: valid until the next `begin`. */
  end(): Uint8Array {
    return new Uint8Array(this.#buffer, LEAD - CDR_HEADER, CDR_HEADER + this.#at);
  }

  u8(value: number): this {
    const at = this.#place(1, 1); // may bring another buffer, and view
    this.#view.setUint8(at, value);
    return this;
  }

  i32(value: number): this {
    const at = this.#place(4, 4); // may bring another buffer, and view
    this.#view.setInt32(at, value, true);
    return this;
  }

  u32(value: number): this {
    const at = this.#place(4, 4); // may bring another buffer, and view
    this.#view.setUint32(at, value, true);
    return this;
  }

  f32(value: number): this {
    const at = this.#place(4, 4); // may bring another buffer, and view
    this.#view.setFloat32(at, value, true);
    return this;
  }

  f64(value: number): this {
    const at = this.#place(8, 8); // may bring another buffer, and view
    this.#view.setFloat64(at, value, true);
    return this;
  }

  /** `count` doubles of `values` from `first` on; a sequence needs its length before. */
  doubles(values: Float64Array, first: number, count: number): this {
    if (count === 0) return this; // an empty sequence is not aligned
    const at = (this.#place(8, 8 * count) - LEAD) >> 3;
    for (let i = 0; i < count; i++) this.#doubles[at + i] = values[first + i];
    return this;
  }

  /** Bytes as they are; a sequence needs its length before. */
  bytes(values: Uint8Array): this {
    new Uint8Array(this.#buffer, this.#place(1, values.length), values.length).set(values);
    return this;
  }

  /** Length with the closing zero, text, zero. */
  string(value: string): this {
    const text = this.#text.encode(value);
    return this.u32(text.length + 1)
      .bytes(text)
      .u8(0);
  }

  /** Align, make room. @returns place in the buffer */
  #place(alignment: number, bytes: number): number {
    const from = (this.#at + alignment - 1) & -alignment;
    const end = from + bytes;
    if (LEAD + end > this.#buffer.byteLength) this.#grow(LEAD + end);
    // filling between numbers is zero, so that equal messages have equal bytes
    for (let i = this.#at; i < from; i++) this.#view.setUint8(LEAD + i, 0);
    this.#at = end;
    return LEAD + from;
  }

  #grow(least: number): void {
    const grown = new ArrayBuffer(2 ** Math.ceil(log2(least)));
    new Uint8Array(grown).set(new Uint8Array(this.#buffer));
    this.#buffer = grown;
    this.#view = new DataView(grown);
    this.#doubles = new Float64Array(grown, LEAD);
  }
}

/** Reads the numbers of one message back, in the order in which they were written. @throws RangeError past its end */
export class CdrReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(message: Uint8Array) {
    this.#bytes = message;
    this.#view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  }

  u32(): number {
    return this.#view.getUint32(this.#place(4, 4), true);
  }

  f64(): number {
    return this.#view.getFloat64(this.#place(8, 8), true);
  }

  string(): string {
    const length = this.u32();
    const at = this.#take(1, length);
    return new TextDecoder().decode(this.#bytes.subarray(at, at + length - 1));
  }

  /** A copy of `count` bytes from a multiple of `alignment` on, in a buffer of its own. */
  bytes(count: number, alignment: number): Uint8Array {
    const at = this.#take(alignment, count);
    const copy = new Uint8Array(count); // `slice` of a Buffer is a view
    copy.set(this.#bytes.subarray(at, at + count));
    return copy;
  }

  /** Bytes from the next multiple of 8 to the end of the message. */
  get left(): number {
    return this.#bytes.length - CDR_HEADER - ((this.#at + 7) & -8);
  }

  /** The place of bytes that are there: nothing is allocated on the word of a count alone. */
  #take(alignment: number, bytes: number): number {
    const at = this.#place(alignment, bytes);
    if (at + bytes <= this.#bytes.length) return at;
    throw new RangeError(`${bytes} bytes at ${at} of a message of ${this.#bytes.length}`);
  }

  #place(alignment: number, bytes: number): number {
    const from = (this.#at + alignment - 1) & -alignment;
    this.#at = from + bytes;
    return CDR_HEADER + from;
  }
}
