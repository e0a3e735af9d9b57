/**
 * The model step of the next tick, made once before its release and taken back. A thread that slept finds the caches of its core full of
 * what others did; a step then takes twice as long as one that follows another. The rehearsal uses the time for which the clock polls,
 * and brings code and memory of the step back. The state of the tick is restored bit by bit, as for a replay: nothing else changes.
 */
import type { SpareWork } from '../os/clock.ts';
import type { Tick } from './tick.ts';

/** Rehearses the model step of a tick. */
export class Rehearsal implements SpareWork {
  readonly #tick: Tick;
  readonly #kept: Float64Array;

  constructor(tick: Tick) {
    this.#tick = tick;
    this.#kept = new Float64Array(tick.state.stateLength);
  }

  /** An error is the tick's to find and to make safe. */
  run(): void {
    const { state, system, outputs, period_s } = this.#tick;
    if (outputs.freezeModel === 1) return;
    state.saveState(this.#kept, 0);
    try {
      system.step(period_s);
    } catch {
      // the tick comes to the same step
    } finally {
      state.loadState(this.#kept, 0);
    }
  }
}
