/**
 * What the loop and the tick tell each other about time: fields of one object instead of arguments, because a double passed
 * to a function that is not inlined is boxed on the heap. µs of the loop clock.
 */
import { MISS_CAUSES } from './safety/codes.ts';

/** Index in MISS_CAUSES by name. */
export const MissCause = Object.freeze({
  LATE_WAKE: MISS_CAUSES.indexOf('late_wake'),
  STEP_LONG: MISS_CAUSES.indexOf('step_long'),
  IO_BLOCK: MISS_CAUSES.indexOf('io_block'),
  CLOCK_JUMP: MISS_CAUSES.indexOf('clock_jump'),
  STALL: MISS_CAUSES.indexOf('stall'),
});

/** Written by the loop before a tick, except where noted. Doubles start off-integer so that V8 never re-types a field. */
export class TickTiming {
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

  constructor() {
    this.period = -1;
    this.executed = 0;
    this.slippedTotal = 0;
    this.slipped = 0;
    this.cause = -1;
    this.margin_us = 0;
    this.injectedLateness_us = 0;
    this.io_us = 0;
    this.work_us = 0;
  }
}
