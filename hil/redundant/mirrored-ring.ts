/**
 * A ring of the service and a worker's copy of one end of it. A tick works on the copy. A commit
 * carries what the tick read and wrote to the service's ring. Its cursors move by compare-exchange
 * from their positions at the start of the tick. A second or late publication by another worker
 * therefore does no harm.
 */

const HEADER_BYTES = 16;
const HEADER_WORDS = 4;
const WRITE = 0;
const READ = 1;
const DROPPED = 2;

/** Numbers of one end in a stage: its start and its end. */
export const RING_NUMBERS = 4;
const BASE = 0;
const COUNT = 1;
const DROPPED_BEFORE = 2;
const DROPPED_AFTER = 3;

/** A pair of rings as words, because doubles would not keep the bits of every frame. */
export class MirroredRing {
  readonly #real: Int32Array;
  readonly #own: Int32Array;
  readonly #width: number;
  readonly #capacity: number;
  readonly #ownCapacity: number;

  /** @param recordBytes size of a slot, a multiple of 4 */
  constructor(real: SharedArrayBuffer, own: SharedArrayBuffer, recordBytes: number) {
    this.#real = new Int32Array(real);
    this.#own = new Int32Array(own);
    this.#width = recordBytes >> 2;
    this.#capacity = Math.floor((real.byteLength - HEADER_BYTES) / recordBytes);
    this.#ownCapacity = Math.floor((own.byteLength - HEADER_BYTES) / recordBytes);
  }

  /** Consumer: copies the waiting records. */
  openInput(): void {
    const real = this.#real;
    const own = this.#own;
    const read = Atomics.load(real, READ);
    let count = (Atomics.load(real, WRITE) - read) | 0;
    if (count > this.#ownCapacity) count = this.#ownCapacity;
    for (let i = 0; i < count; i++) this.#copy(real, (read + i) >>> 0, this.#capacity, own, i);
    own[WRITE] = count;
    own[READ] = 0;
    own[HEADER_WORDS - 1] = read;
  }

  /** Consumer: notes the records that the tick took. */
  closeInput(into: Float64Array, at: number): void {
    into[at + BASE] = this.#own[HEADER_WORDS - 1];
    into[at + COUNT] = this.#own[READ];
  }

  /** Consumer: returns the space of the taken records to the producer. */
  publishInput(from: Float64Array, at: number): void {
    const base = from[at + BASE] | 0;
    Atomics.compareExchange(this.#real, READ, base, (base + (from[at + COUNT] | 0)) | 0);
  }

  /** Producer: starts with the free space. A broadcast ring has no reader and is never full. */
  openOutput(): void {
    const real = this.#real;
    const own = this.#own;
    const write = Atomics.load(real, WRITE);
    own[WRITE] = 0;
    own[READ] = (Atomics.load(real, READ) - write) | 0;
    own[DROPPED] = Atomics.load(real, DROPPED);
    own[HEADER_WORDS - 1] = write;
  }

  /** Producer: notes the records of the tick and those without space. */
  closeOutput(into: Float64Array, at: number): void {
    const own = this.#own;
    into[at + BASE] = own[HEADER_WORDS - 1];
    into[at + COUNT] = own[WRITE];
    into[at + DROPPED_BEFORE] = this.#real[DROPPED];
    into[at + DROPPED_AFTER] = own[DROPPED];
  }

  /** Producer: copies the records of the other worker's tick from its notes. */
  takeOutput(other: MirroredRing, from: Float64Array, at: number): void {
    const count = from[at + COUNT] | 0;
    const capacity = this.#ownCapacity;
    for (let i = 0; i < count && i < capacity; i++) {
      this.#copy(other.#own, i, capacity, this.#own, i);
    }
  }

  /** Producer: copies the records to their positions and publishes them. @returns their number */
  publishOutput(from: Float64Array, at: number): number {
    const real = this.#real;
    const base = from[at + BASE] | 0;
    const count = from[at + COUNT] | 0;
    for (let i = 0; i < count; i++) {
      this.#copy(this.#own, i % this.#ownCapacity, this.#ownCapacity, real, base + i);
    }
    Atomics.compareExchange(real, WRITE, base, (base + count) | 0);
    const before = from[at + DROPPED_BEFORE] | 0;
    const after = from[at + DROPPED_AFTER] | 0;
    if (after !== before) Atomics.compareExchange(real, DROPPED, before, after);
    return count;
  }

  #copy(from: Int32Array, index: number, capacity: number, to: Int32Array, place: number): void {
    const width = this.#width;
    const toCapacity = to === this.#real ? this.#capacity : this.#ownCapacity;
    const source = HEADER_WORDS + (index % capacity) * width;
    const target = HEADER_WORDS + ((place >>> 0) % toCapacity) * width;
    for (let i = 0; i < width; i++) to[target + i] = from[source + i];
  }
}
