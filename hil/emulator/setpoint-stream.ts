/**
 * Set-points of the loop as one motion in time: the n-th is the pose at the end of the n-th period,
 * with linear interpolation between. An ideal robot is a pure delay of it: the tool is where the
 * stream was a fixed time ago. Jitter of the frames has no effect, and interpolation bridges a lost
 * set-point. Nothing is extrapolated beyond the newest one (hil-anchors 3).
 *
 * The number of a set-point follows from its send time: the loop keeps a grid of periods and sends
 * some time after a release, never before. (Sequence numbers of frames count all kinds together.)
 * "Now" is such a number: it grows by one per cycle, jumps ahead with a newer set-point, and falls
 * back when every set-point of a while came late.
 */
import { SetpointFrame } from '../protocol/frames.ts';
import { rotateBy, rotationVector } from './rotation.ts';

const SLOTS = 512;
/** Longest delay, s, at the shortest period of half a millisecond. */
export const STREAM_DELAY_MOST_S = 0.2;
/** Tolerance of the grid, relative to a period, for rounding. */
const GRID_TOLERANCE = 0.05;
/** Cycles after which "now" falls back to the best of them. */
const WATCHED_CYCLES = 64;

/** Copies the fields of a set-point that the robot uses. */
export function copySetpoint(from: SetpointFrame, to: SetpointFrame): void {
  to.seq = from.seq;
  to.t_us = from.t_us;
  to.mode = from.mode;
  to.stopCategory = from.stopCategory;
  to.ttl_ms = from.ttl_ms;
  for (let i = 0; i < 3; i++) to.position[i] = from.position[i];
  for (let i = 0; i < 4; i++) to.orientation[i] = from.orientation[i];
  for (let i = 0; i < 6; i++) to.twist[i] = from.twist[i];
}

/** Set-points as a motion in continuous time. */
export class SetpointStream {
  /** Position of the stream: pose and twist interpolated, the rest of the newer of the two set-points. */
  readonly played = new SetpointFrame();
  /** Arrival of that set-point, µs of the robot's clock. */
  readonly arrival_us = new Float64Array(1);
  readonly #slots: SetpointFrame[] = [];
  readonly #arrivals = new Float64Array(SLOTS);
  readonly #known = new Uint8Array(SLOTS);
  /** Delay in periods. */
  readonly #delay = new Float64Array(1);
  readonly #relative = new Float64Array(4);
  readonly #turn = new Float64Array(3);
  readonly #period_us = new Float64Array(1);
  /** Earliest send time of a set-point in its period, less its number in periods. */
  readonly #grid_us = new Float64Array(1);
  #newest = 0;
  #started = false;
  /** "Now" less the newest set-point, and its least recent value. */
  #ahead = 0;
  #least = WATCHED_CYCLES;
  #cycles = 0;

  constructor(delay_s: number, period_s: number) {
    // a delay of whole periods must not depend on rounding
    const periods = delay_s / period_s;
    const whole = Math.round(periods);
    this.#delay[0] = Math.abs(periods - whole) < 1e-9 ? whole : periods;
    this.#period_us[0] = 1e6 * period_s;
    for (let i = 0; i < SLOTS; i++) this.#slots.push(new SetpointFrame());
  }

  /** Whether a set-point arrived since `clear`, and the pose of the newest. */
  get started(): boolean {
    return this.#started;
  }

  get newest(): SetpointFrame {
    return this.#slots[this.#newest & (SLOTS - 1)];
  }

  /** Clears the stream after a lost connection. */
  clear(): void {
    this.#known.fill(0);
    this.#started = false;
  }

  /** Adds a set-point newer than all before; its time of arrival is in `arrivedAt`[0]. */
  put(setpoint: SetpointFrame, arrivedAt: Float64Array): void {
    const grid = this.#grid_us;
    const period = this.#period_us[0];
    let number = Math.floor((setpoint.t_us - grid[0]) / period + GRID_TOLERANCE);
    if (!this.#started || number - this.#newest >= SLOTS || setpoint.t_us < grid[0]) {
      this.clear();
      this.#started = true;
      this.#ahead = 0;
      number = 0;
      grid[0] = setpoint.t_us;
    } else {
      // one set-point per period: a second one in a period shows that the grid lies earlier
      if (number <= this.#newest) number = this.#newest + 1;
      if (setpoint.t_us - number * period < grid[0]) grid[0] = setpoint.t_us - number * period;
      // set-points between did not arrive
      for (let i = this.#newest + 1; i < number; i++) this.#known[i & (SLOTS - 1)] = 0;
      this.#ahead -= number - this.#newest;
    }
    this.#newest = number;
    const slot = number & (SLOTS - 1);
    copySetpoint(setpoint, this.#slots[slot]);
    this.#arrivals[slot] = arrivedAt[0];
    this.#known[slot] = 1;
  }

  /** Starts a cycle, before its set-point is added. */
  beginCycle(): void {
    this.#ahead++;
  }

  /**
   * Plays the stream for this cycle into `played`. @returns false when it does not reach that far;
   * `played` is then its end, or unset
   */
  play(): boolean {
    if (!this.#started) return false;
    if (this.#ahead < 0) this.#ahead = 0;
    if (this.#ahead < this.#least) this.#least = this.#ahead;
    if (++this.#cycles >= WATCHED_CYCLES) {
      this.#ahead -= this.#least;
      this.#least = WATCHED_CYCLES;
      this.#cycles = 0;
    }
    const back = this.#delay[0] - this.#ahead;
    if (back < 0) {
      this.#take(this.#newest);
      return false;
    }
    let newer = this.#newest - Math.floor(back);
    let older = this.#newest - Math.ceil(back);
    const oldest = Math.max(0, this.#newest - SLOTS + 1);
    if (older < oldest) return false; // the stream is younger than the delay
    while (this.#known[newer & (SLOTS - 1)] === 0) newer++;
    while (older > oldest && this.#known[older & (SLOTS - 1)] === 0) older--;
    this.#take(newer);
    const span = newer - older;
    if (span > 0) this.#blend(older, (this.#newest - older - back) / span);
    return true;
  }

  #take(number: number): void {
    const slot = number & (SLOTS - 1);
    copySetpoint(this.#slots[slot], this.played);
    this.arrival_us[0] = this.#arrivals[slot];
  }

  /** played := interpolation at `part` of the way from the older set-point to the next. */
  #blend(older: number, part: number): void {
    const from = this.#slots[older & (SLOTS - 1)];
    const to = this.played;
    const rest = 1 - part;
    for (let i = 0; i < 3; i++) to.position[i] = rest * from.position[i] + part * to.position[i];
    for (let i = 0; i < 6; i++) to.twist[i] = rest * from.twist[i] + part * to.twist[i];
    const a = to.orientation;
    const b = from.orientation;
    const r = this.#relative; // a ⊗ b⁻¹
    r[0] = -a[3] * b[0] + a[0] * b[3] - a[1] * b[2] + a[2] * b[1];
    r[1] = -a[3] * b[1] + a[0] * b[2] + a[1] * b[3] - a[2] * b[0];
    r[2] = -a[3] * b[2] - a[0] * b[1] + a[1] * b[0] + a[2] * b[3];
    r[3] = a[3] * b[3] + a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    rotationVector(r, this.#turn, 0);
    const turn = this.#turn;
    rotateBy(part * turn[0], part * turn[1], part * turn[2], b, a);
  }
}
