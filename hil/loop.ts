/**
 * The release grid. Release n is at origin + n·period for ever; a tick that cannot be served in its period is dropped, never
 * caught up: phase is kept, and no period ever sees two set-points (slip policy, docs/real-time.md).
 *
 * At every moment executed + slipped = periods elapsed, exactly, and every miss has one cause.
 */
import type { Clock } from './clock.ts';
import { MissCause, type TickTiming } from './timing.ts';

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

/** Runs a body on a grid of releases. */
export class Loop {
  readonly #clock: Clock;
  readonly #body: TickBody;
  readonly #timing: TickTiming;
  readonly #period_us: number;
  readonly #stall_us: number;
  #last_us = 0.5;
  #pendingCause = -1;

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
    this.#last_us = now;
  }

  /** Wait for the next release and run one tick. */
  step(): void {
    const clock = this.#clock;
    const timing = this.#timing;
    const period = this.#period_us;

    clock.sample();
    const before = clock.time_us[0];
    if (before < this.#last_us) {
      // a monotonic clock that ran backwards: move the grid with it, so that no period is lost or repeated
      timing.origin_us += before - this.#last_us;
      this.#pendingCause = MissCause.CLOCK_JUMP;
    }
    const release = timing.origin_us + (timing.period + 1) * period;
    clock.release_us = release + timing.injectedLateness_us;
    timing.injectedLateness_us = 0;
    clock.waitForRelease();
    clock.sample();
    const wake = clock.time_us[0];
    const rawLateness = wake - release;
    const slipped = rawLateness >= period ? Math.floor(rawLateness / period) : 0;
    let cause = this.#pendingCause;
    if (slipped > 0 && cause < 0) {
      cause = rawLateness >= this.#stall_us ? MissCause.STALL : MissCause.LATE_WAKE;
    }
    timing.slipped = slipped;
    timing.slippedTotal += slipped;
    timing.cause = cause;
    timing.period += 1 + slipped;
    timing.executed += 1;
    timing.release_us = release + slipped * period;
    timing.wake_us = wake;
    timing.rawLateness_us = rawLateness;
    timing.lateness_us = wake - timing.release_us;

    try {
      this.#body.run();
    } catch (error) {
      this.#body.fail(error);
    }

    clock.sample();
    const end = clock.time_us[0];
    timing.margin_us = timing.release_us + period - end;
    this.#last_us = end;
    this.#pendingCause = -1;
    if (timing.margin_us < 0) this.#pendingCause = this.#nameOverrun();
  }

  /** Why the tick that ended just now did so after its period. */
  #nameOverrun(): number {
    const timing = this.#timing;
    const duration = this.#last_us - timing.wake_us;
    if (duration >= this.#stall_us) return MissCause.STALL;
    if (timing.lateness_us > duration) return MissCause.LATE_WAKE;
    return timing.io_us > timing.work_us ? MissCause.IO_BLOCK : MissCause.STEP_LONG;
  }
}
