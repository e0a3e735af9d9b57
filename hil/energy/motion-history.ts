/**
 * Where the tool was when the newest force was sampled. A STATE tells one pose and one force, and how much older the force is (ft_age): a
 * filter of the sensor makes that some milliseconds. Work is force times the way at the time of the force, and a model is asked for the
 * force at that pose (docs/theory/loop-energy.md, Energy audit).
 */
import type { StateFrame } from '../protocol/frames.ts';
import { loadArray, type Stateful } from '../contract/stateful.ts';

const WIDTH = 13;
/** Frames kept: more than the oldest force that a loop acts on, at its shortest period. */
const FRAMES = 128;
/** Between two frames of one motion, µs. */
const GAP_MOST_us = 50_000;

/** One robot's. Motions are p(3), q(4), v(3), w(3). */
export class MotionHistory implements Stateful {
  /** Motion at the time of the newest force. */
  readonly motion: Float64Array = new Float64Array(WIDTH);
  readonly stateLength: number = WIDTH + FRAMES * (WIDTH + 1) + 2;
  readonly #times_us = new Float64Array(FRAMES);
  readonly #motions = new Float64Array(FRAMES * WIDTH);
  // cells, because double arguments may be boxed
  readonly #wanted_us = new Float64Array(1);
  readonly #part = new Float64Array(1);
  #newest = 0;
  #count = 0;

  /** Whether a frame has come since `clear`. */
  get known(): boolean {
    return this.#count > 0;
  }

  /** Forgets the frames: motion is what is given until the next one. @alloc none */
  clear(motion: Float64Array): void {
    this.#count = 0;
    for (let i = 0; i < WIDTH; i++) this.motion[i] = motion[i];
  }

  /** Takes in a new STATE and the motion that it tells. @alloc none */
  take(state: StateFrame, motion: Float64Array): void {
    const times = this.#times_us;
    // after a gap, or a clock that stepped, what came before says nothing of the time between
    const gap_us = state.tMeas_us - times[this.#newest];
    if (!(gap_us >= 0 && gap_us <= GAP_MOST_us)) this.#count = 0;
    // a robot that measures more slowly than it sends tells one motion twice
    if (this.#count === 0 || gap_us > 0) {
      this.#newest = (this.#newest + 1) % FRAMES;
      if (this.#count < FRAMES) this.#count++;
    }
    const at = this.#newest * WIDTH;
    times[this.#newest] = state.tMeas_us;
    for (let i = 0; i < WIDTH; i++) {
      this.#motions[at + i] = motion[i];
      this.motion[i] = motion[i];
    }
    this.#wanted_us[0] = state.tMeas_us - state.ftAge_us;
    if (state.ftAge_us > 0) this.#find();
  }

  /** Between the two frames about a time, or the oldest. */
  #find(): void {
    const times = this.#times_us;
    const time_us = this.#wanted_us[0];
    let later = this.#newest;
    for (let n = 1; n < this.#count; n++) {
      const earlier = (this.#newest + FRAMES - n) % FRAMES;
      if (times[earlier] <= time_us) {
        this.#part[0] = (time_us - times[earlier]) / (times[later] - times[earlier]);
        this.#between(earlier, later);
        return;
      }
      later = earlier;
    }
    this.#part[0] = 0;
    this.#between(later, later);
  }

  #between(earlier: number, later: number): void {
    const { motion } = this;
    const part = this.#part[0];
    const all = this.#motions;
    const a = earlier * WIDTH;
    const b = later * WIDTH;
    let dot = 0;
    for (let i = 3; i < 7; i++) dot += all[a + i] * all[b + i];
    const sign = dot < 0 ? -1 : 1; // q and −q are one orientation
    for (let i = 0; i < WIDTH; i++) {
      const to = i >= 3 && i < 7 ? sign * all[b + i] : all[b + i];
      motion[i] = all[a + i] + part * (to - all[a + i]);
    }
    let square = 0;
    for (let i = 3; i < 7; i++) square += motion[i] * motion[i];
    const scale = 1 / Math.sqrt(square);
    for (let i = 3; i < 7; i++) motion[i] *= scale;
  }

  saveState(into: Float64Array, at: number): void {
    into.set(this.motion, at);
    into.set(this.#times_us, at + WIDTH);
    into.set(this.#motions, at + WIDTH + FRAMES);
    const end = at + WIDTH + FRAMES * (WIDTH + 1);
    into[end] = this.#newest;
    into[end + 1] = this.#count;
  }

  loadState(from: Float64Array, at: number): void {
    loadArray(this.motion, from, at);
    loadArray(this.#times_us, from, at + WIDTH);
    loadArray(this.#motions, from, at + WIDTH + FRAMES);
    const end = at + WIDTH + FRAMES * (WIDTH + 1);
    this.#newest = from[end];
    this.#count = from[end + 1];
  }
}
