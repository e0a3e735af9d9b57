/**
 * Sequence numbers of one direction: what is new, what is merely late, what was seen before. A cyclic frame must be newer
 * than the last one applied; a control frame may be late by up to 64, but is acted on once.
 */
import { loadArray, type Stateful } from '../contract/stateful.ts';

const BEHIND = 64;
/** A link is given up after half a second of silence, long before this many frames are missing: more is a replay. */
const MAX_ADVANCE = 4096;

/** How a sequence number compares. */
export const Arrival = Object.freeze({ NEW: 0, LATE: 1, OLD: 2 });

export class ReceiveWindow implements Stateful {
  /** Frames that never came, or came late. */
  lost = 0;
  private newest = 0;
  private open = false;
  /** Sequence numbers seen, by seq & 63, as signed integers. */
  private readonly seen = new Int32Array(BEHIND);
  private readonly known = new Uint8Array(BEHIND);

  /** Begin again at a sequence number (a handshake). */
  start(seq: number): void {
    this.newest = seq | 0;
    this.open = true;
    this.known.fill(0);
    this.mark(seq | 0);
  }

  /** Compare without taking note. @alloc none */
  compare(seq: number): number {
    if (!this.open) return Arrival.NEW;
    const ahead = ((seq | 0) - this.newest) | 0;
    if (ahead > 0) return ahead <= MAX_ADVANCE ? Arrival.NEW : Arrival.OLD;
    if (ahead <= -BEHIND) return Arrival.OLD;
    const slot = seq & (BEHIND - 1);
    return this.known[slot] === 1 && this.seen[slot] === (seq | 0) ? Arrival.OLD : Arrival.LATE;
  }

  /** Take note of a frame that `compare` did not call OLD. @alloc none */
  accept(seq: number): void {
    if (!this.open) {
      this.start(seq);
      return;
    }
    const ahead = ((seq | 0) - this.newest) | 0;
    if (ahead > 0) {
      this.lost += ahead - 1;
      this.newest = seq | 0;
    }
    this.mark(seq | 0);
  }

  readonly stateLength: number = 3 + 2 * BEHIND;

  saveState(into: Float64Array, at: number): void {
    into[at] = this.lost;
    into[at + 1] = this.newest;
    into[at + 2] = this.open ? 1 : 0;
    into.set(this.seen, at + 3);
    into.set(this.known, at + 3 + BEHIND);
  }

  loadState(from: Float64Array, at: number): void {
    this.lost = from[at];
    this.newest = from[at + 1];
    this.open = from[at + 2] === 1;
    loadArray(this.seen, from, at + 3);
    loadArray(this.known, from, at + 3 + BEHIND);
  }

  private mark(seq: number): void {
    this.seen[seq & (BEHIND - 1)] = seq;
    this.known[seq & (BEHIND - 1)] = 1;
  }
}
