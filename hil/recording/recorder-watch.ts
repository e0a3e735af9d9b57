/** Watches from the loop whether the recorder lives, when the arm may only move while it does. */
import type { Settings } from '../../config/settings.ts';
import { ControlWord } from '../memory/shared.ts';
import type { TickTiming } from '../contract/timing.ts';
import type { Stateful } from '../contract/stateful.ts';

/** Longest time without a sign of life, s: a stall of the machine takes less. */
const SILENCE_S = 1;

/** Watch on the recorder for runs that require a recording. */
export class RecorderWatch implements Stateful {
  readonly stateLength: number = 3;
  /** Recording is required, and the recorder gave no sign for too long. */
  lost = false;
  readonly #control: Int32Array;
  readonly #required: boolean;
  readonly #mostPeriods: number;
  #beat = 0;
  #seen = 0.5;

  constructor(control: Int32Array, settings: Pick<Settings, 'recording' | 'loop'>) {
    this.#control = control;
    this.#required = settings.recording.required;
    this.#mostPeriods = Math.round(SILENCE_S / settings.loop.period_s);
  }

  saveState(into: Float64Array, at: number): void {
    into[at] = this.lost ? 1 : 0;
    into[at + 1] = this.#beat;
    into[at + 2] = this.#seen;
  }

  loadState(from: Float64Array, at: number): void {
    this.lost = from[at] === 1;
    this.#beat = from[at + 1];
    this.#seen = from[at + 2];
  }

  /** Once per tick. Time is counted in periods, slipped ones too. @alloc none */
  look(timing: TickTiming): void {
    if (!this.#required) return;
    const beat = Atomics.load(this.#control, ControlWord.RECORDER_BEAT);
    if (beat !== this.#beat) {
      this.#beat = beat;
      this.#seen = timing.period;
    }
    this.lost = timing.period - this.#seen > this.#mostPeriods;
  }
}
