/**
 * The release grid. Release n is at origin + n·period for ever. A tick that cannot be served in its period is dropped, never
 * caught up: phase is kept, and no period ever has two set-points (slip policy, docs/real-time.md).
 *
 * At every moment executed + slipped = periods elapsed, exactly, and every miss has one cause.
 */
import { defineFields, StateArena } from '../../src/math/state-arena.ts';
import type { Clock } from '../os/clock.ts';
import { MissCause } from '../contract/codes.ts';
import type { TickTiming } from '../contract/timing.ts';

/** The work of one period. */
export interface TickBody {
  run(): void;
  /** An error escaped from `run`: make it safe and go on. */
  fail(error: unknown): void;
}

/** Options of a loop. */
export interface LoopOptions {
  readonly period_s: number;
  /** A gap of this length or more is the machine standing still, not a late wake, s. */
  readonly stall_s: number;
}

/** Numbers of a loop and what they begin with. */
const FIELDS = { last_us: 0.5, pendingCause: -1 } as const;

/** Runs a body on a grid of releases. Its state is what the next tick reports of the end of this one. */
export class Loop {
  readonly arena: StateArena = new StateArena();
  readonly cells: Float64Array = this.arena.fields(FIELDS);
  readonly #clock: Clock;
  readonly #body: TickBody;
  readonly #timing: TickTiming;
  readonly #period_us: number;
  readonly #stall_us: number;
  /** End of the last tick. */
  declare private last_us: number;
  /** Cause of the next miss, −1 none. */
  declare private pendingCause: number;

  constructor(clock: Clock, body: TickBody, timing: TickTiming, options: LoopOptions) {
    this.#clock = clock;
    this.#body = body;
    this.#timing = timing;
    this.#period_us = options.period_s * 1e6;
    this.#stall_us = options.stall_s * 1e6;
  }

  /** Lay the grid: release 0 is a few periods ahead. */
  start(): void {
    const now = this.#clock.now_us();
    this.#timing.origin_us = now + 3 * this.#period_us;
    this.last_us = now;
  }

  /** Wait for the next release and run one tick. */
  step(): void {
    this.run();
    this.#standStill();
    this.close();
  }

  /** An injected fault: the worker stops inside a tick. */
  #standStill(): void {
    const timing = this.#timing;
    if (timing.injectedStall_s === 0) return;
    const clock = this.#clock;
    clock.sample();
    clock.release_us = clock.time_us[0] + timing.injectedStall_s * 1e6;
    timing.injectedStall_s = 0;
    clock.waitForRelease();
  }

  /** The first part of a step: wait for the release and run the body. */
  run(): void {
    const clock = this.#clock;
    const timing = this.#timing;
    clock.sample();
    timing.wake_us = clock.time_us[0];
    this.#followClock();
    const release = timing.origin_us + (timing.period + 1) * this.#period_us;
    clock.release_us = release + timing.injectedLateness_us;
    clock.waitForRelease();
    clock.sample();
    timing.wake_us = clock.time_us[0];
    this.serve();
  }

  /** Run the body for the release that has come at `timing.wake_us`. */
  serve(): void {
    const timing = this.#timing;
    const period = this.#period_us;
    this.#followClock();
    const wake = timing.wake_us;
    const release = timing.origin_us + (timing.period + 1) * period;
    timing.injectedLateness_us = 0;
    const rawLateness = wake - release;
    const slipped = rawLateness >= period ? Math.floor(rawLateness / period) : 0;
    let cause = this.pendingCause;
    if (slipped > 0 && cause < 0) {
      cause = rawLateness >= this.#stall_us ? MissCause.STALL : MissCause.LATE_WAKE;
    }
    timing.slipped = slipped;
    timing.slippedTotal += slipped;
    timing.cause = cause;
    timing.period += 1 + slipped;
    timing.executed += 1;
    timing.release_us = release + slipped * period;
    timing.rawLateness_us = rawLateness;
    timing.lateness_us = wake - timing.release_us;

    try {
      this.#body.run();
    } catch (error) {
      this.#body.fail(error);
    }
  }

  /** A monotonic clock that ran backwards: move the grid with it, so that no period is lost or repeated. */
  #followClock(): void {
    const now = this.#timing.wake_us;
    if (now >= this.last_us) return;
    this.#timing.origin_us += now - this.last_us;
    this.pendingCause = MissCause.CLOCK_JUMP;
    this.last_us = now;
  }

  /** The second part of a step: take note of its end. */
  close(): void {
    const timing = this.#timing;
    this.#clock.sample();
    const end = this.#clock.time_us[0];
    timing.margin_us = timing.release_us + this.#period_us - end;
    this.last_us = end;
    this.pendingCause = -1;
    if (timing.margin_us < 0) this.pendingCause = this.#nameOverrun();
  }

  /** Why the tick that ended just now did so after its period. */
  #nameOverrun(): number {
    const timing = this.#timing;
    const duration = this.last_us - timing.wake_us;
    if (duration >= this.#stall_us) return MissCause.STALL;
    if (timing.lateness_us > duration) return MissCause.LATE_WAKE;
    return timing.io_us > timing.work_us ? MissCause.IO_BLOCK : MissCause.STEP_LONG;
  }
}

defineFields(Loop, FIELDS);
