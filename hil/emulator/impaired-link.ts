/**
 * Link with losses on purpose, both ways: frames lost, doubled, reordered, delayed. A seeded
 * generator draws in the order of the frames, so a run on the virtual clock repeats bit by bit.
 */
import type { Random } from '../../src/math/random.ts';
import { ForwardingLink } from '../links/forwarding-link.ts';
import type { Link } from '../contract/link.ts';
import type { Impairment } from './options.ts';

const FRAME_BYTES = 512;
const SLOTS = 512;
/** Longest delay of a reordered frame, µs: 50 frames at 1 kHz. */
const REORDER_MOST_US = 50_000;
/** Longest delay of the copy of a doubled frame, µs. */
const DUPLICATE_MOST_US = 2000;

/** Delayed frames of one direction. */
class DelayLine {
  readonly #bytes = new Uint8Array(SLOTS * FRAME_BYTES);
  readonly #lengths = new Int32Array(SLOTS); // 0: free
  readonly #due_us = new Float64Array(SLOTS);
  readonly #order = new Float64Array(SLOTS);
  readonly #impairment: Impairment;
  readonly #random: Random;
  #count = 0;
  #sequence = 0;
  #latest_us = -Infinity;
  lost = 0;
  doubled = 0;
  reordered = 0;
  passed = 0;
  /** Frames lost for lack of a free slot. */
  overflowed = 0;
  /** Due time of the last frame taken, µs. */
  takenAt_us = 0.5;

  constructor(impairment: Impairment, random: Random) {
    this.#impairment = impairment;
    this.#random = random;
  }

  put(frame: Uint8Array, length: number, now_us: number): void {
    const impairment = this.#impairment;
    const random = this.#random;
    // every frame draws the same number of times, so that one rate does not affect the draws of
    // another
    const drop = random.uniform() < impairment.loss;
    const twice = random.uniform() < impairment.duplicate;
    const later = random.uniform() < impairment.reorder;
    const spread = random.uniform();
    const extra = random.uniform();
    this.passed++;
    if (drop) {
      this.lost++;
      return;
    }
    let due = now_us + 1e6 * (impairment.latency_s + impairment.jitter_s * spread);
    if (later) {
      due += REORDER_MOST_US * extra;
      this.reordered++;
    } else {
      // jitter alone keeps the order, as one TCP connection or one line does
      if (due < this.#latest_us) due = this.#latest_us;
      this.#latest_us = due;
    }
    this.#store(frame, length, due);
    if (twice) {
      this.doubled++;
      this.#store(frame, length, due + DUPLICATE_MOST_US * extra);
    }
  }

  /** Copies the oldest due frame to `frame`. @returns its length or 0 */
  take(frame: Uint8Array, now_us: number): number {
    let best = -1;
    for (let i = 0, left = this.#count; left > 0; i++) {
      if (this.#lengths[i] === 0) continue;
      left--;
      if (this.#due_us[i] > now_us) continue;
      if (
        best < 0 ||
        this.#due_us[i] < this.#due_us[best] ||
        (this.#due_us[i] === this.#due_us[best] && this.#order[i] < this.#order[best])
      ) {
        best = i;
      }
    }
    if (best < 0) return 0;
    const length = this.#lengths[best];
    const base = best * FRAME_BYTES;
    for (let i = 0; i < length; i++) frame[i] = this.#bytes[base + i];
    this.#lengths[best] = 0;
    this.#count--;
    this.takenAt_us = this.#due_us[best];
    return length;
  }

  #store(frame: Uint8Array, length: number, due_us: number): void {
    if (this.#count === SLOTS || length > FRAME_BYTES) {
      this.overflowed++;
      return;
    }
    let slot = 0;
    while (this.#lengths[slot] !== 0) slot++;
    const base = slot * FRAME_BYTES;
    for (let i = 0; i < length; i++) this.#bytes[base + i] = frame[i];
    this.#lengths[slot] = length;
    this.#due_us[slot] = due_us;
    this.#order[slot] = this.#sequence++;
    this.#count++;
  }
}

/** Link with a delay line in each direction. `advance` is its only clock. */
export class ImpairedLink extends ForwardingLink {
  receivedAt_us = 0.5;
  readonly incoming: DelayLine;
  readonly outgoing: DelayLine;
  readonly #scratch = new Uint8Array(FRAME_BYTES);
  #now_us = 0.5;

  constructor(inner: Link, impairIn: Impairment, impairOut: Impairment, random: Random) {
    super(inner);
    this.incoming = new DelayLine(impairIn, random);
    this.outgoing = new DelayLine(impairOut, random);
  }

  /** Advances the time: takes in received frames, sends due ones. */
  advance(now_us: number): void {
    this.#now_us = now_us;
    let length = this.inner.receive(this.#scratch);
    while (length > 0) {
      this.incoming.put(this.#scratch, length, this.inner.receivedAt_us);
      length = this.inner.receive(this.#scratch);
    }
    this.#flush();
  }

  receive(frame: Uint8Array): number {
    const length = this.incoming.take(frame, this.#now_us);
    if (length > 0) this.receivedAt_us = this.incoming.takenAt_us;
    return length;
  }

  send(frame: Uint8Array, length: number): boolean {
    if (!this.inner.connected) return false;
    this.outgoing.put(frame, length, this.#now_us);
    this.#flush();
    return true;
  }

  #flush(): void {
    let length = this.outgoing.take(this.#scratch, this.#now_us);
    while (length > 0) {
      this.inner.send(this.#scratch, length);
      length = this.outgoing.take(this.#scratch, this.#now_us);
    }
  }
}
