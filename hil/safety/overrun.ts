/**
 * Counts missed periods and trips on three limits, all on by default: a run of misses, a leaky bucket (one in for a miss,
 * one out for a good tick) and the length of a single one. A trip is reported in exactly the tick that reaches the limit,
 * and the counter that tripped starts anew, so that a lasting overload trips again after as many misses.
 */
import { defineFields, StateArena } from '../../src/math/state-arena.ts';
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

/** Counts and what they begin with. */
const FIELDS = { consecutive: 0, bucket: 0, misses: 0, trips: 0 } as const;

/** One monitor a loop; `update` once per tick. */
export class OverrunMonitor {
  readonly arena: StateArena;
  readonly cells: Float64Array;
  /** Misses in a row, now. */
  declare consecutive: number;
  /** Level of the leaky bucket, now. */
  declare bucket: number;
  /** Misses since construction. */
  declare misses: number;
  /** The same by MISS_CAUSES index. */
  readonly missesByCause: Float64Array;
  /** Trips since construction. */
  declare trips: number;
  /** How far the tick to account for ran over, s: set before `update`. A cell, because a double argument may be boxed. */
  readonly overrun_s: Float64Array;
  readonly #limits: OverrunLimits;

  constructor(
    limits: OverrunLimits = DEFAULT_OVERRUN_LIMITS,
    arena: StateArena = new StateArena(),
  ) {
    this.arena = arena;
    this.cells = arena.fields(FIELDS);
    this.overrun_s = arena.add('overrun_s', 1);
    this.missesByCause = arena.add('missesByCause', MISS_CAUSES.length);
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
}

defineFields(OverrunMonitor, FIELDS);
