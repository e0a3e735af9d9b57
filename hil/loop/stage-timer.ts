/** The time of each stage of a tick. A stage begins where the one before it ended, the first at the wake-up. */
import type { Clock } from '../os/clock.ts';
import { LOOP_STAGES } from '../contract/counters.ts';

/** Durations of the stages of the newest tick. */
export class StageTimer {
  /** By LOOP_STAGES, s: the newest of each. */
  readonly durations_s: Float64Array = new Float64Array(LOOP_STAGES.length);
  /** End of the newest stage, or wake-up of the tick, µs of the loop clock. */
  readonly now_us: Float64Array = new Float64Array(1);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A stage ends now. @param stage index in LOOP_STAGES @alloc none */
  close(stage: number): void {
    this.#clock.sample();
    const now = this.#clock.time_us[0];
    this.durations_s[stage] = (now - this.now_us[0]) * 1e-6;
    this.now_us[0] = now;
  }
}
