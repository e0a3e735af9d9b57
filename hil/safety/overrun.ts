/**
 * Counts missed periods and trips on three limits, all on by default: a run of misses, a leaky bucket (one in for a miss,
 * one out for a good tick) and the length of a single one. A trip is reported in exactly the tick that reaches the limit,
 * and the counter that tripped starts anew, so that a lasting overload trips again after as many misses.
 */
import { loadArray, type Stateful } from '../contract/stateful.ts';
import { FaultCode, MISS_CAUSES } from '../contract/codes.ts';

/** Limits, with the defaults of docs/safety.md. */
export interface OverrunLimits {
  /** Misses in a row. */
  readonly consecutive: number;
  /** Level of the leaky bucket. */
  readonly bucket: number;
  /** Length of one overrun, s. */
  readonly single_s: number;
}

export const DEFAULT_OVERRUN_LIMITS: OverrunLimits = Object.freeze({
  consecutive: 20,
  bucket: 50,
  single_s: 0.025,
});

/** One monitor a loop; `update` once per tick. */
export class OverrunMonitor implements Stateful {
  /** Misses in a row, now. */
  consecutive = 0;
  /** Level of the leaky bucket, now. */
  bucket = 0;
  /** Misses since construction. */
  misses = 0;
  /** The same by MISS_CAUSES index. */
  readonly missesByCause: Float64Array = new Float64Array(MISS_CAUSES.length);
  /** Trips since construction. */
  trips = 0;
  /** How far the tick to account for ran over, s: set before `update`. A cell, because a double argument may be boxed. */
  readonly overrun_s: Float64Array = new Float64Array(1);
  readonly #limits: OverrunLimits;

  constructor(limits: OverrunLimits = DEFAULT_OVERRUN_LIMITS) {
    this.#limits = limits;
  }

  /**
   * Account for one tick.
   * @param missed the tick missed its period (released late by a period, or still at work at the next release)
   * @param cause MISS_CAUSES index, −1 none
   * @returns FAULT_CODES index of the limit reached in this tick, −1 none
   * @alloc none
   */
  update(missed: boolean, cause: number): number {
    if (!missed) {
      this.consecutive = 0;
      if (this.bucket > 0) this.bucket--;
      return -1;
    }
    this.misses++;
    if (cause >= 0 && cause < this.missesByCause.length) this.missesByCause[cause]++;
    this.consecutive++;
    this.bucket++;
    let trip = -1;
    // The most telling name last: one long stall is reported as such even when it also fills the bucket.
    if (this.bucket >= this.#limits.bucket) {
      trip = FaultCode.OVERRUN_BUCKET;
      this.bucket = 0;
    }
    if (this.consecutive >= this.#limits.consecutive) {
      trip = FaultCode.OVERRUN_CONSECUTIVE;
      this.consecutive = 0;
    }
    if (this.overrun_s[0] >= this.#limits.single_s) trip = FaultCode.OVERRUN_SINGLE;
    if (trip >= 0) this.trips++;
    return trip;
  }

  /** After CLEAR, and when an ARMING begins: old misses do not count against a new motion. Totals stay. */
  reset(): void {
    this.consecutive = 0;
    this.bucket = 0;
  }

  readonly stateLength: number = 5 + MISS_CAUSES.length;

  saveState(into: Float64Array, at: number): void {
    into[at] = this.consecutive;
    into[at + 1] = this.bucket;
    into[at + 2] = this.misses;
    into[at + 3] = this.trips;
    into[at + 4] = this.overrun_s[0];
    into.set(this.missesByCause, at + 5);
  }

  loadState(from: Float64Array, at: number): void {
    this.consecutive = from[at];
    this.bucket = from[at + 1];
    this.misses = from[at + 2];
    this.trips = from[at + 3];
    this.overrun_s[0] = from[at + 4];
    loadArray(this.missesByCause, from, at + 5);
  }
}
