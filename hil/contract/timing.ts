/**
 * What the loop and the tick tell each other about time: fields of one object instead of arguments, because a double passed
 * to a function that is not inlined is boxed on the heap. µs of the loop clock.
 */
import type { Stateful } from './stateful.ts';
import { MISS_CAUSES } from './codes.ts';

/** Index in MISS_CAUSES by name. */
export const MissCause = Object.freeze({
  LATE_WAKE: MISS_CAUSES.indexOf('late_wake'),
  STEP_LONG: MISS_CAUSES.indexOf('step_long'),
  IO_BLOCK: MISS_CAUSES.indexOf('io_block'),
  CLOCK_JUMP: MISS_CAUSES.indexOf('clock_jump'),
  STALL: MISS_CAUSES.indexOf('stall'),
});

/** Written by the loop before a tick, except where noted. Doubles start off-integer so that V8 never re-types a field. */
export class TickTiming implements Stateful {
  /** Grid index of the present release: executed + slipped − 1. */
  period = 0.5;
  /** Ticks executed, the present one included. */
  executed = 0.5;
  /** Periods dropped so far. */
  slippedTotal = 0.5;
  /** Time of release 0. */
  origin_us = 0.5;
  release_us = 0.5;
  wake_us = 0.5;
  /** Wake-up behind the release that was awaited, before slipping. */
  rawLateness_us = 0.5;
  /** Wake-up behind the release that is served, 0 … one period. */
  lateness_us = 0.5;
  /** Periods dropped before this tick. */
  slipped = 0.5;
  /** Cause of the miss before this tick, −1 none. */
  cause = 0.5;
  /** Spare time of the previous tick; negative when it ended after its period. */
  margin_us = 0.5;
  /** Written by the tick: time spent in input and output, and in everything else. */
  io_us = 0.5;
  work_us = 0.5;
  /** Written by the tick: make the next wake-up late by this much (fault injection). */
  injectedLateness_us = 0.5;
  /** Written by the tick: have the worker that ran it stand still for this long in its next one (fault injection), s. */
  injectedStall_s = 0.5;

  constructor() {
    this.period = -1;
    this.executed = 0;
    this.slippedTotal = 0;
    this.slipped = 0;
    this.cause = -1;
    this.margin_us = 0;
    this.injectedLateness_us = 0;
    this.injectedStall_s = 0;
    this.io_us = 0;
    this.work_us = 0;
  }

  readonly stateLength: number = 15;

  saveState(into: Float64Array, at: number): void {
    into[at] = this.period;
    into[at + 1] = this.executed;
    into[at + 2] = this.slippedTotal;
    into[at + 3] = this.origin_us;
    into[at + 4] = this.release_us;
    into[at + 5] = this.wake_us;
    into[at + 6] = this.rawLateness_us;
    into[at + 7] = this.lateness_us;
    into[at + 8] = this.slipped;
    into[at + 9] = this.cause;
    into[at + 10] = this.margin_us;
    into[at + 11] = this.io_us;
    into[at + 12] = this.work_us;
    into[at + 13] = this.injectedLateness_us;
    into[at + 14] = this.injectedStall_s;
  }

  loadState(from: Float64Array, at: number): void {
    this.period = from[at];
    this.executed = from[at + 1];
    this.slippedTotal = from[at + 2];
    this.origin_us = from[at + 3];
    this.release_us = from[at + 4];
    this.wake_us = from[at + 5];
    this.rawLateness_us = from[at + 6];
    this.lateness_us = from[at + 7];
    this.slipped = from[at + 8];
    this.cause = from[at + 9];
    this.margin_us = from[at + 10];
    this.io_us = from[at + 11];
    this.work_us = from[at + 12];
    this.injectedLateness_us = from[at + 13];
    this.injectedStall_s = from[at + 14];
  }
}
