/**
 * Sequence numbers of one direction: what is new, what is merely late, what was seen before. A cyclic frame must be newer
 * than the last one applied; a control frame may be late by up to 64, but is acted on once.
 */
import { StateArena } from '../../src/math/state-arena.ts';

const BEHIND = 64;
/** A link is given up after half a second of silence, long before this many frames are missing: more is a replay. */
const MAX_ADVANCE = 4096;

/** How a sequence number compares. */
export const Arrival = Object.freeze({ NEW: 0, LATE: 1, OLD: 2 });

const Slot = Object.freeze({
  /** Frames that never came, or came late. */
  LOST: 0,
  NEWEST: 1,
  /** 1: `start` was called. */
  OPEN: 2,
});

export class ReceiveWindow {
  readonly arena: StateArena;
  private readonly cells: Float64Array;
  /** Sequence numbers seen, by seq & 63, as signed integers. */
  private readonly seen: Float64Array;
  private readonly known: Float64Array;

  constructor(arena: StateArena = new StateArena()) {
    this.arena = arena;
    this.cells = arena.table(Slot);
    this.seen = arena.add('seen', BEHIND);
    this.known = arena.add('known', BEHIND);
  }

  /** Frames that never came, or came late. */
  get lost(): number {
    return this.cells[Slot.LOST];
  }

  /** Begin again at a sequence number (a handshake). */
  start(seq: number): void {
    this.cells[Slot.NEWEST] = seq | 0;
    this.cells[Slot.OPEN] = 1;
    this.known.fill(0);
    this.mark(seq | 0);
  }

  /** Compare without taking note. @alloc none */
  compare(seq: number): number {
    if (this.cells[Slot.OPEN] === 0) return Arrival.NEW;
    const ahead = ((seq | 0) - this.cells[Slot.NEWEST]) | 0;
    if (ahead > 0) return ahead <= MAX_ADVANCE ? Arrival.NEW : Arrival.OLD;
    if (ahead <= -BEHIND) return Arrival.OLD;
    const slot = seq & (BEHIND - 1);
    return this.known[slot] === 1 && this.seen[slot] === (seq | 0) ? Arrival.OLD : Arrival.LATE;
  }

  /** Take note of a frame that `compare` did not call OLD. @alloc none */
  accept(seq: number): void {
    const cells = this.cells;
    if (cells[Slot.OPEN] === 0) {
      this.start(seq);
      return;
    }
    const ahead = ((seq | 0) - cells[Slot.NEWEST]) | 0;
    if (ahead > 0) {
      cells[Slot.LOST] += ahead - 1;
      cells[Slot.NEWEST] = seq | 0;
    }
    this.mark(seq | 0);
  }

  private mark(seq: number): void {
    this.seen[seq & (BEHIND - 1)] = seq;
    this.known[seq & (BEHIND - 1)] = 1;
  }
}
