/** Watches from the loop whether the recorder lives, when the arm may only move while it does. */
import { defineFields, StateArena } from '../../src/math/state-arena.ts';
import type { Settings } from '../../config/settings.ts';
import { ControlWord } from '../memory/shared.ts';
import type { TickTiming } from '../contract/timing.ts';

/** Longest time without a sign of life, s: a stall of the machine takes less. */
const SILENCE_S = 1;

/** What a watch has found, the newest sign of life, and the period in which it came. */
const FIELDS = { lost: false, beat: 0, seen: 0.5 } as const;

/** Watch on the recorder for runs that require a recording. */
export class RecorderWatch {
  readonly arena: StateArena = new StateArena();
  readonly cells: Float64Array = this.arena.fields(FIELDS);
  /** Recording is required, and the recorder gave no sign for too long. */
  declare lost: boolean;
  readonly #control: Int32Array;
  readonly #required: boolean;
  readonly #mostPeriods: number;
  declare private beat: number;
  declare private seen: number;

  constructor(control: Int32Array, settings: Pick<Settings, 'recording' | 'loop'>) {
    this.#control = control;
    this.#required = settings.recording.required;
    this.#mostPeriods = Math.round(SILENCE_S / settings.loop.period_s);
  }

  /** Once per tick. Time is counted in periods, slipped ones too. @alloc none */
  check(timing: TickTiming): void {
    if (!this.#required) return;
    const beat = Atomics.load(this.#control, ControlWord.RECORDER_BEAT);
    if (beat !== this.beat) {
      this.beat = beat;
      this.seen = timing.period;
    }
    this.lost = timing.period - this.seen > this.#mostPeriods;
  }
}

defineFields(RecorderWatch, FIELDS);
