/**
 * Where the tool was when the newest force was sampled. A STATE has one pose and one force, and how much older the force is
 * (ft_age): a filter of the sensor makes that some milliseconds. Work is force times the way at the time of the force, and a model
 * is asked for the force at that pose (docs/theory/loop-energy.md, Energy audit).
 */
import { StateArena } from '../../src/math/state-arena.ts';
import type { StateFrame } from '../protocol/frames.ts';

const WIDTH = 13;
/** Frames kept: more than the oldest force that a loop acts on, at its shortest period. */
const FRAMES = 128;
/** Between two frames of one motion, µs. */
const GAP_MOST_us = 50_000;

/** Frame kept last, and how many there are since `clear`. */
const Place = Object.freeze({ NEWEST: 0, COUNT: 1 });
const { NEWEST, COUNT } = Place;

/** One robot's. Motions are p(3), q(4), v(3), w(3). */
export class MotionHistory {
  readonly arena: StateArena;
  /** Motion at the time of the newest force. */
  readonly motion: Float64Array;
  readonly #times_us: Float64Array;
  readonly #motions: Float64Array;
  readonly #place: Float64Array;
  // cells, because double arguments may be boxed
  readonly #wanted_us = new Float64Array(1);
  readonly #part = new Float64Array(1);

  constructor(arena: StateArena = new StateArena()) {
    this.arena = arena;
    this.motion = arena.add('motion', WIDTH);
    this.#times_us = arena.add('times_us', FRAMES);
    this.#motions = arena.add('motions', FRAMES * WIDTH);
    this.#place = arena.table(Place);
  }

  /** Whether a frame has come since `clear`. */
  get known(): boolean {
    return this.#place[COUNT] > 0;
  }

  /** Forgets the frames: motion is what is given until the next one. @alloc none */
  clear(motion: Float64Array): void {
    this.#place[COUNT] = 0;
    for (let i = 0; i < WIDTH; i++) this.motion[i] = motion[i];
  }

  /** Takes in a new STATE and the motion that it reports. @alloc none */
  take(state: StateFrame, motion: Float64Array): void {
    const times = this.#times_us;
    const place = this.#place;
    // after a gap, or a clock that stepped, what came before holds no more for the time between
    const gap_us = state.tMeas_us - times[place[NEWEST]];
    if (!(gap_us >= 0 && gap_us <= GAP_MOST_us)) place[COUNT] = 0;
    // a robot that measures more slowly than it sends reports one motion twice
    if (place[COUNT] === 0 || gap_us > 0) {
      place[NEWEST] = (place[NEWEST] + 1) % FRAMES;
      if (place[COUNT] < FRAMES) place[COUNT]++;
    }
    const newest = place[NEWEST];
    const at = newest * WIDTH;
    times[newest] = state.tMeas_us;
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
    const newest = this.#place[NEWEST];
    const count = this.#place[COUNT];
    let later = newest;
    for (let n = 1; n < count; n++) {
      const earlier = (newest + FRAMES - n) % FRAMES;
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
}
