/**
 * The motion that a robot's poses show, beside the twist that it reports (docs/safety.md, Speed is measured).
 *
 * Speed and angular speed are the slope of a least-squares line through the poses of the last 20 ms over the times at which they were
 * sampled (tMeas), Σ (t − t̄) x / Σ (t − t̄)². Noise σ of a pose is noise σ / √Σ (t − t̄)² of the slope, 39 σ/s for 20 samples at 1 kHz. Orientations
 * are summed up as rotation vectors from pose to pose, which for the few degrees of a window is their way.
 *
 * That slope is a weighted mean of the speed between the samples: Σ (t − t̄) x = Σ cₖ Δxₖ, Δxₖ from sample k to the next and cₖ the sum of
 * (t − t̄) of the samples after it. The reported twist is given the same weights, with (vₖ + vₖ₊₁)/2 Δtₖ in place of Δxₖ, so that
 * both follow a motion that changes within the window alike. Of one that swings with amplitude V, by the angle θ from sample to
 * sample, they differ by |Σ (t − t̄) sin θt/θ| / Σ (t − t̄)² · |1 − θ/2 cot θ/2| V, which for 5 samples, the fewest, is 0.062 V at
 * the most (θ = 2.5).
 *
 * A STATE with the sampling time of the one before has no new sample. The slope passes it over, and its window goes on over as many
 * STATE, or further back until it has 5 samples. With a pose sampled in every m-th STATE, m up to 4, the window is max(20 ms, 4 m
 * periods) long, and the noise and the bound hold for its samples. Where no slope is known, since times repeat beyond that or go
 * back, the reported twist has no confirmation. It counts as one which differs, until a whole window without a break agrees.
 *
 * A robot whose clock runs fast would seem slow by its own times. A second speed is therefore the way of the last 60 ms over the time that
 * passed here while they came. Arrivals tremble by tens of milliseconds, so that its bound is wider.
 */
import { StateArena } from '../../src/math/state-arena.ts';
import type { StateFrame } from '../protocol/frames.ts';
import { MEASURED_SPEED_MARGIN, REST_ANGULAR_SPEED_radps, REST_SPEED_mps } from './limits.ts';
import type { SafetyInputs } from '../contract/signals.ts';
import { LimitField } from '../contract/limit-fields.ts';

/** Slots of `MeasuredMotion.figures`. */
export const MotionSlot = Object.freeze({ SPEED: 0, ANGULAR_SPEED: 1 });

/** Windows, s: of the slope, and of the way over times of arrival. */
const SLOPE_s = 0.02;
const WAY_s = 0.06;
const SLOPE_LEAST = 5;
const SLOPE_MOST = 40;
const WAY_LEAST = 10;
/** Poses kept. */
const SLOTS = 64;
/** Noise of a pose, encoder steps included: three times that of the emulated robot, ten times its angles. */
const NOISE_m = 6e-6;
const NOISE_rad = 2e-5;
/** A Gaussian sample is beyond this many σ once in 5·10⁸: with 50 independent windows a second, once in four months. */
const SIGMAS = 6;
/** By arrival: 60 ms of motion may arrive within 40 ms, the first late and the last early, at 1.2 times the limit: 1.8. */
const WAY_MARGIN = 2;
/**
 * The reported twist may differ by twice what counts as rest and a fifth of the fastest in the window: filters of a speed, cycles
 * that come early and late.
 */
const MISMATCH_mps = 2 * REST_SPEED_mps;
const MISMATCH_radps = 2 * REST_ANGULAR_SPEED_radps;
const MISMATCH_SHARE = 0.2;
/**
 * For so long before it counts, s, and so many STATE. A filter of a speed lags behind an impact by less, and of the 5 poses of a
 * window at 10 ms the half are of before.
 */
const MISMATCH_s = 0.05;
const MISMATCH_STATES = 3 * SLOPE_LEAST;
/** At rest for so long: a robot is where it stays. */
const SETTLED_s = 0.1;
/**
 * STATE missing for more ticks: the poses before give no speed (the arm is held by then). So many STATE in a row without a new
 * sample likewise.
 */
const GAP_TICKS = 4;
// Columns of a kept STATE.
const SAMPLED = 0;
const ARRIVED = 1;
const POSITION = 2;
const TURN = 5;
const TWIST = 8;
const WIDTH = 14;
/** Slots of the marks. */
const Mark = Object.freeze({
  /** Poses kept since the last gap, and of them those with times that do not go back. */
  COUNT: 0,
  SLOPES: 1,
  NEXT: 2,
  MISMATCHES: 3,
  /** Ticks at rest in a row. */
  RESTED: 4,
});
const { COUNT, SLOPES, NEXT, MISMATCHES, RESTED } = Mark;

/** What it takes from the session of the link; `now_us` is the time of the tick, in a cell. */
export interface MovingRobot {
  readonly fresh: boolean;
  readonly lostInRow: number;
  readonly now_us: Float64Array;
  readonly state: Pick<StateFrame, 'position' | 'orientation' | 'twist' | 'tMeas_us'>;
}

/** Speed from measured poses. Call `observe` once per tick, after the limits on the reported values are checked. */
export class MeasuredMotion {
  readonly arena: StateArena;
  readonly figures: Float64Array;
  readonly #period_s: number;
  readonly #window: number;
  /** STATE that the window may reach back over until it has its samples. */
  readonly #most: number;
  readonly #way: number;
  readonly #mismatches: number;
  readonly #kept: Float64Array;
  readonly #marks: Float64Array;
  readonly #orientation: Float64Array;
  readonly #slope = new Float64Array(6);
  readonly #reported = new Float64Array(6);
  /** Largest speed and angular speed reported in the window. */
  readonly #fastest = new Float64Array(2);
  /** Noise of a slope over that of a pose, 1/s. */
  readonly #gain = new Float64Array(1);
  /** Where the samples of the window are kept, newest first: of this tick only. */
  readonly #samples = new Int32Array(SLOTS);

  constructor(period_s: number, arena: StateArena = new StateArena()) {
    this.arena = arena;
    this.figures = arena.table(MotionSlot);
    this.#kept = arena.add('kept', SLOTS * WIDTH);
    this.#marks = arena.table(Mark);
    this.#orientation = arena.add('orientation', 4);
    this.#period_s = period_s;
    const slope = Math.round(SLOPE_s / period_s);
    this.#window = Math.min(SLOPE_MOST, Math.max(SLOPE_LEAST, slope));
    this.#most = Math.max(this.#window, GAP_TICKS * SLOPE_LEAST);
    this.#way = Math.min(SLOTS - 1, Math.max(WAY_LEAST, Math.round(WAY_s / period_s)));
    this.#mismatches = Math.max(MISMATCH_STATES, Math.round(MISMATCH_s / period_s));
    this.clear();
  }

  /** Whether the robot has rested, by twist and poses, for long enough to be where it stays. */
  get rested(): boolean {
    return this.#marks[RESTED] * this.#period_s >= SETTLED_s;
  }

  /** Poses of a session that is gone. */
  clear(): void {
    this.figures.fill(0);
    this.#marks.fill(0);
  }

  /**
   * Adds to what the reported twist has shown: `velocityExceeded`, `robotStandstill`, `twistMismatch`.
   * @param limits in force, by LimitField @alloc none
   */
  observe(session: MovingRobot, limits: Float64Array, inputs: SafetyInputs): void {
    const marks = this.#marks;
    if (!session.fresh) {
      if (session.lostInRow >= GAP_TICKS) this.clear();
      if (marks[RESTED] === 0) inputs.robotStandstill = 0;
      return;
    }
    this.#keep(session.state, session.now_us);
    const samples = this.#findSamples();
    const known = samples >= SLOPE_LEAST;
    if (known) this.#fit(samples);
    if (this.#fast(limits, known)) inputs.velocityExceeded = 1;
    this.#compareReported(known);
    inputs.twistMismatch = marks[MISMATCHES] >= this.#mismatches ? 1 : 0;
    if (!known || !this.#resting()) inputs.robotStandstill = 0;
    marks[RESTED] = inputs.robotStandstill === 1 ? marks[RESTED] + 1 : 0;
  }

  #keep(state: MovingRobot['state'], now_us: Float64Array): void {
    const marks = this.#marks;
    const kept = this.#kept;
    const at = WIDTH * marks[NEXT];
    const before = WIDTH * ((marks[NEXT] - 1) & (SLOTS - 1));
    const q = state.orientation;
    const p = this.#orientation;
    kept[at + SAMPLED] = state.tMeas_us;
    kept[at + ARRIVED] = now_us[0];
    for (let i = 0; i < 3; i++) {
      kept[at + POSITION + i] = state.position[i];
      kept[at + TURN + i] = 0;
    }
    for (let i = 0; i < 6; i++) kept[at + TWIST + i] = state.twist[i];
    if (marks[COUNT] > 0) {
      // rotation vector from the pose before, to third order in the angle
      const dot = q[0] * p[0] + q[1] * p[1] + q[2] * p[2] + q[3] * p[3];
      const s = dot < 0 ? -2 : 2;
      kept[at + TURN] = s * (q[0] * p[3] - q[3] * p[0] - q[1] * p[2] + q[2] * p[1]);
      kept[at + TURN + 1] = s * (q[1] * p[3] - q[3] * p[1] - q[2] * p[0] + q[0] * p[2]);
      kept[at + TURN + 2] = s * (q[2] * p[3] - q[3] * p[2] - q[0] * p[1] + q[1] * p[0]);
      for (let i = 0; i < 3; i++) kept[at + TURN + i] += kept[before + TURN + i];
      // a clock that goes back or stands: its times are of no use, those of arrival are
      const gap = WIDTH * ((marks[NEXT] - GAP_TICKS) & (SLOTS - 1));
      const stands = marks[COUNT] >= GAP_TICKS && kept[gap + SAMPLED] === state.tMeas_us;
      if (stands || !(state.tMeas_us >= kept[before + SAMPLED])) marks[SLOPES] = 0;
    }
    for (let i = 0; i < 4; i++) p[i] = q[i];
    marks[NEXT] = (marks[NEXT] + 1) & (SLOTS - 1);
    if (marks[COUNT] < SLOTS) marks[COUNT]++;
    if (marks[SLOPES] < this.#most) marks[SLOPES]++;
  }

  /** Of the STATE with one sampling time the first has the sample. @returns how many samples the window has */
  #findSamples(): number {
    const marks = this.#marks;
    const kept = this.#kept;
    const samples = this.#samples;
    let n = 0;
    let at = WIDTH * ((marks[NEXT] - 1) & (SLOTS - 1));
    for (let k = 1; k <= marks[SLOPES] && (k <= this.#window || n < SLOPE_LEAST); k++) {
      const before = WIDTH * ((marks[NEXT] - k - 1) & (SLOTS - 1));
      if (k === marks[COUNT] || kept[at + SAMPLED] !== kept[before + SAMPLED]) samples[n++] = at;
      at = before;
    }
    return n;
  }

  /**
   * Slope of the poses, and of the way that the reported twist would have made. Times and places are taken from the newest, which
   * keeps their digits.
   */
  #fit(n: number): void {
    const kept = this.#kept;
    const slope = this.#slope;
    const reported = this.#reported;
    const samples = this.#samples;
    const newest = samples[0];
    let mean = 0;
    for (let k = 0; k < n; k++) {
      const at = samples[k];
      mean += 1e-6 * (kept[at + SAMPLED] - kept[newest + SAMPLED]);
    }
    mean /= n;
    let square = 0;
    let weight = 0; // cₖ: sum of (t − t̄) from the newest down to this sample
    for (let a = 0; a < 6; a++) {
      slope[a] = 0;
      reported[a] = 0;
    }
    let fastest = 0; // squares: the root is taken of the largest
    let spin = 0;
    for (let k = 0; k < n; k++) {
      const at = samples[k];
      const t = 1e-6 * (kept[at + SAMPLED] - kept[newest + SAMPLED]) - mean;
      square += t * t;
      weight += t;
      for (let a = 0; a < 6; a++) {
        slope[a] += t * (kept[at + POSITION + a] - kept[newest + POSITION + a]);
      }
      fastest = Math.max(fastest, squared(kept, at + TWIST));
      spin = Math.max(spin, squared(kept, at + TWIST + 3));
      if (k === n - 1) break;
      const before = samples[k + 1];
      const half = 0.5e-6 * weight * (kept[at + SAMPLED] - kept[before + SAMPLED]);
      for (let a = 0; a < 6; a++) {
        reported[a] += half * (kept[at + TWIST + a] + kept[before + TWIST + a]);
      }
    }
    for (let a = 0; a < 6; a++) {
      slope[a] /= square;
      reported[a] /= square;
    }
    this.#gain[0] = 1 / Math.sqrt(square);
    this.#fastest[0] = Math.sqrt(fastest);
    this.#fastest[1] = Math.sqrt(spin);
    this.figures[MotionSlot.SPEED] = length(slope, 0);
    this.figures[MotionSlot.ANGULAR_SPEED] = length(slope, 3);
  }

  /** Faster than allowed, by the slope or by the way over the time of arrival; written so that what is no number counts. */
  #fast(limits: Float64Array, known: boolean): boolean {
    const most = limits[LimitField.speed_mps];
    const turns = limits[LimitField.angular_speed_radps];
    if (known) {
      const gain = SIGMAS * this.#gain[0];
      const { figures } = this;
      const slow =
        figures[MotionSlot.SPEED] <= MEASURED_SPEED_MARGIN * most + gain * NOISE_m &&
        figures[MotionSlot.ANGULAR_SPEED] <= MEASURED_SPEED_MARGIN * turns + gain * NOISE_rad;
      if (!slow) return true;
    }
    const marks = this.#marks;
    if (marks[COUNT] <= this.#way) return false;
    const kept = this.#kept;
    const newest = WIDTH * ((marks[NEXT] - 1) & (SLOTS - 1));
    const oldest = WIDTH * ((marks[NEXT] - 1 - this.#way) & (SLOTS - 1));
    const time = 1e-6 * (kept[newest + ARRIVED] - kept[oldest + ARRIVED]);
    const way = between(kept, newest + POSITION, oldest + POSITION);
    const turn = between(kept, newest + TURN, oldest + TURN);
    return !(
      way <= WAY_MARGIN * most * time + SIGMAS * 1.5 * NOISE_m &&
      turn <= WAY_MARGIN * turns * time + SIGMAS * 1.5 * NOISE_rad
    );
  }

  #compareReported(known: boolean): void {
    const marks = this.#marks;
    if (!known) {
      marks[MISMATCHES]++;
      return;
    }
    const slope = this.#slope;
    const reported = this.#reported;
    const noise = SIGMAS * this.#gain[0];
    const { figures } = this;
    const speed = Math.max(figures[MotionSlot.SPEED], this.#fastest[0]);
    const spin = Math.max(figures[MotionSlot.ANGULAR_SPEED], this.#fastest[1]);
    for (let a = 0; a < 6; a++) slope[a] -= reported[a];
    const alike =
      length(slope, 0) <= MISMATCH_mps + MISMATCH_SHARE * speed + noise * NOISE_m &&
      length(slope, 3) <= MISMATCH_radps + MISMATCH_SHARE * spin + noise * NOISE_rad;
    if (!alike) marks[MISMATCHES]++;
    else if (marks[SLOPES] >= this.#window) marks[MISMATCHES] = 0;
  }

  #resting(): boolean {
    const noise = SIGMAS * this.#gain[0];
    const { figures } = this;
    return (
      figures[MotionSlot.SPEED] <= REST_SPEED_mps + noise * NOISE_m &&
      figures[MotionSlot.ANGULAR_SPEED] <= REST_ANGULAR_SPEED_radps + noise * NOISE_rad
    );
  }
}

function squared(a: Float64Array, at: number): number {
  return a[at] * a[at] + a[at + 1] * a[at + 1] + a[at + 2] * a[at + 2];
}

function length(a: Float64Array, at: number): number {
  return Math.sqrt(squared(a, at));
}

function between(a: Float64Array, i: number, j: number): number {
  const x = a[i] - a[j];
  const y = a[i + 1] - a[j + 1];
  const z = a[i + 2] - a[j + 2];
  return Math.sqrt(x * x + y * y + z * z);
}
