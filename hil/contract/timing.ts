/**
 * What the loop and the tick exchange about time: fields of one object instead of arguments, because a double passed
 * to a function that is not inlined is boxed on the heap. µs of the loop clock.
 */
import { defineFields, StateArena } from '../../src/math/state-arena.ts';

/** Times in the order of the saved state, and what they begin with. */
const TIMES = {
  period: -1,
  executed: 0,
  slippedTotal: 0,
  origin_us: 0.5,
  release_us: 0.5,
  wake_us: 0.5,
  rawLateness_us: 0.5,
  lateness_us: 0.5,
  slipped: 0,
  cause: -1,
  margin_us: 0,
  io_us: 0,
  work_us: 0,
  injectedLateness_us: 0,
  injectedStall_s: 0,
} as const;

/** Written by the loop before a tick, except where noted. */
export class TickTiming {
  readonly arena: StateArena;
  readonly cells: Float64Array;
  /** Grid index of the present release: executed + slipped − 1. */
  declare period: number;
  /** Ticks executed, the present one included. */
  declare executed: number;
  /** Periods dropped so far. */
  declare slippedTotal: number;
  /** Time of release 0. */
  declare origin_us: number;
  declare release_us: number;
  declare wake_us: number;
  /** Wake-up behind the release that was awaited, before slipping. */
  declare rawLateness_us: number;
  /** Wake-up behind the release that is served, 0 … one period. */
  declare lateness_us: number;
  /** Periods dropped before this tick. */
  declare slipped: number;
  /** Cause of the miss before this tick, −1 none. */
  declare cause: number;
  /** Spare time of the previous tick; negative when it ended after its period. */
  declare margin_us: number;
  /** Written by the tick: time spent in input and output, and in everything else. */
  declare io_us: number;
  declare work_us: number;
  /** Written by the tick: make the next wake-up late by this much (fault injection). */
  declare injectedLateness_us: number;
  /** Written by the tick: have the worker that ran it stand still for this long in its next one (fault injection), s. */
  declare injectedStall_s: number;

  constructor(arena: StateArena = new StateArena()) {
    this.arena = arena;
    this.cells = arena.fields(TIMES);
  }
}

defineFields(TickTiming, TIMES);
