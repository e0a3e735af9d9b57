/** One contact of taps: its smoothed motion, the force of the law along it, and the covariance of what is left. */
import { exp } from '../math/elementary/exponential.ts';
import { factorCholesky, solveLower } from '../math/cholesky.ts';
import { LawReplay } from './law-replay.ts';
import { MotionSpline, TERMS } from './motion-spline.ts';
import { BESIDE, type TapData, type TapSpan, type TapSpans } from './tap-contacts.ts';

/** The values of one evaluation. */
export interface TapValues {
  readonly stiffness: number;
  readonly exponent: number;
  readonly height: number;
  /** Of the force behind the motion: mean, s, and variance, s². */
  readonly lag: number;
  readonly blur: number;
  readonly restitutionAt: (speed: number) => number;
}

const NO_TOLERANCE = new Float64Array(1);
/** Change of the speed over the last samples before a touch, as a share. */
const UNSTEADY = 0.3;
/** Least speed of an impact, m/s, where a search takes the plate to where there is none. */
const LEAST_SPEED = 1e-6;
/** Step of a difference of the speed as a share of that of the impact. */
const RATE_STEP = 1e-3;

/** A contact. */
export class TapContact {
  /** Its samples and BESIDE more on each side. */
  readonly count: number;
  /** Time of its first sample with a force, s, and the speed of the way in there, m/s. */
  readonly time: number;
  readonly speed: number;
  /** Whether it came to the plate at a steady speed. */
  readonly free: boolean;
  readonly forces: Float64Array;
  /** Place over the plate, m, and its rate, m/s, at the samples when their force began. */
  readonly gap: Float64Array;
  readonly rate: Float64Array;
  readonly fitted: Float64Array;
  /** ∂F/∂z and ∂F/∂v at the samples. */
  readonly slopes: readonly [Float64Array, Float64Array];
  readonly #motion: MotionSpline;
  readonly #start: number;
  readonly #size: number;
  readonly #covariance: Float64Array;

  constructor(
    data: TapData,
    { period, shifted, bias, noise }: TapSpans,
    spacing: number,
    { from, to }: TapSpan,
  ) {
    const first = from - BESIDE;
    const end = to + BESIDE;
    this.count = end - first;
    this.time = data.time[from];
    this.forces = data.force.slice(first, end).map((one) => one - bias);
    const motion = new MotionSpline(data, first - shifted, end + shifted, period, spacing, noise);
    this.#motion = motion;
    this.#start = shifted;
    motion.at(shifted + BESIDE);
    this.speed = -motion.rate;
    motion.at(shifted);
    this.free = Math.abs(this.speed + motion.rate) < UNSTEADY * this.speed;
    const { size, matrix } = motion.covariance();
    this.#size = size;
    this.#covariance = matrix;
    const { count } = this;
    [this.gap, this.rate, this.fitted] = [0, 1, 2].map(() => new Float64Array(count));
    this.slopes = [new Float64Array(count), new Float64Array(count)];
  }

  /** Sets gap and rate `lag` periods before the samples. */
  shift(height: number, lag: number): void {
    const motion = this.#motion;
    for (let i = 0; i < this.count; i++) {
      motion.at(this.#start + i - lag);
      this.gap[i] = motion.place - height;
      this.rate[i] = motion.rate;
    }
  }

  /** out := J B P Bᵀ Jᵀ, its lower triangle row by row, with the slopes as they are. @returns room for another time */
  spread(lag: number, out: Float64Array, room: Float64Array): Float64Array {
    const motion = this.#motion;
    const n = this.#size;
    const { count } = this;
    const [ofGap, ofRate] = this.slopes;
    const width = TERMS + 1;
    const rows = room.length < width * count ? new Float64Array(width * count) : room;
    for (let i = 0; i < count; i++) {
      motion.at(this.#start + i - lag);
      rows[width * i] = motion.first;
      for (let r = 0; r < TERMS; r++)
        rows[width * i + 1 + r] = ofGap[i] * motion.ofPlace[r] + ofRate[i] * motion.ofRate[r];
    }
    const p = this.#covariance;
    const product = new Float64Array(n);
    for (let i = 0; i < count; i++) {
      const first = rows[width * i];
      product.fill(0);
      for (let r = 0; r < TERMS; r++) {
        const share = rows[width * i + 1 + r];
        const row = (first + r) * n;
        for (let k = 0; k < n; k++) product[k] += share * p[row + k];
      }
      for (let j = 0; j <= i; j++) {
        const at = width * j + 1;
        const other = rows[at - 1];
        let sum = 0;
        for (let r = 0; r < TERMS; r++) sum += rows[at + r] * product[other + r];
        out[i * count + j] = sum;
      }
    }
    return rows;
  }
}

/** Sets the force of the law at the samples, and gives the speed of the impact, m/s: where the motion passes the plate. */
export function replay(one: TapContact, values: TapValues, period: number): number {
  one.shift(values.height, values.lag / period);
  const speed = impactSpeed(one);
  const law = lawOf(values, speed);
  for (let i = 0; i < one.count; i++) one.fitted[i] = law.forceAt(one.gap[i], one.rate[i]);
  blur(one.fitted, values.blur, period);
  return speed;
}

/**
 * A filter of first order with the variance T² beside its mean lag: e^(sT)/(1 + sT) = 1 + (sT)²/2 − (sT)³/3 + …, here 1 + (sT)²/2/(1 + 2 sT/3) with second
 * differences for s². Below 0, where the place is filtered more than the force, it ends after the square.
 */
function blur(force: Float64Array, variance: number, period: number): void {
  const share = (0.5 * variance) / (period * period);
  const time = variance > 0 ? (2 / 3) * (Math.sqrt(variance) / period) : 0;
  const keep = time > 0 ? exp(-1 / time) : 0;
  const n = force.length;
  let [before, here] = [force[0], force[0]];
  let [change, kept] = [0, 0];
  for (let i = 0; i < n; i++) {
    const after = i + 1 < n ? force[i + 1] : 2 * here - before;
    const next = share * (before - 2 * here + after);
    kept = keep * (kept - change) + next - (next - change) * (1 - keep) * time; // straight between samples
    change = next;
    force[i] += kept;
    before = here;
    here = after;
  }
}

const lawOf = ({ stiffness, exponent, restitutionAt }: TapValues, speed: number): LawReplay =>
  new LawReplay(stiffness, exponent, restitutionAt(speed), speed);

function impactSpeed({ gap, rate }: TapContact): number {
  const i = Math.max(
    0,
    gap.findIndex((one) => one < 0),
  );
  const share = i > 0 ? gap[i - 1] / (gap[i - 1] - gap[i]) : 1;
  const before = i > 0 ? rate[i - 1] : 0;
  return Math.max(LEAST_SPEED, -(before + share * (rate[i] - before)));
}

/** What errors of the residuals are made of, and room for them. */
export class TapErrors {
  readonly #forceNoise: number;
  readonly #step: number;
  #factor = new Float64Array(0);
  #spread: Float64Array = new Float64Array(0);

  /** @param step - of a difference along the depth, m */
  constructor(forceNoise: number, step: number) {
    this.#forceNoise = forceNoise;
    this.#step = step;
  }

  /** out[at..] := L⁻¹ r with the residuals r of a contact and C = σ_F² + J B P Bᵀ Jᵀ = L Lᵀ. */
  residuals(
    one: TapContact,
    values: TapValues,
    period: number,
    out: Float64Array,
    at: number,
  ): void {
    const speed = replay(one, values, period);
    const law = lawOf(values, speed);
    const { count, gap, rate } = one;
    const [ofGap, ofRate] = one.slopes;
    const [step, rateStep] = [this.#step, RATE_STEP * speed];
    for (let i = 0; i < count; i++) {
      const [z, v] = [gap[i], rate[i]];
      ofGap[i] = (law.forceAt(z + step, v) - law.forceAt(z - step, v)) / (2 * step);
      ofRate[i] = (law.forceAt(z, v + rateStep) - law.forceAt(z, v - rateStep)) / (2 * rateStep);
      out[at + i] = one.forces[i] - one.fitted[i];
    }
    if (this.#factor.length < count * count) this.#factor = new Float64Array(count * count);
    const factor = this.#factor;
    this.#spread = one.spread(values.lag / period, factor, this.#spread);
    for (let i = 0; i < count; i++) factor[i * count + i] += this.#forceNoise * this.#forceNoise;
    factorCholesky(factor, factor, count, NO_TOLERANCE);
    solveLower(factor, count, out, at);
  }
}

/** Spacings of knots, in samples. */
const LEAST_SPACING = 1;
const MOST_SPACING = 10;

/** The widest spacing whose splines leave of the contacts what noise leaves, within a standard deviation of it. */
export function fittingSpacing(data: TapData, { spans, period, shifted, noise }: TapSpans): number {
  const leftWith = (spacing: number): number => {
    let [left, freedoms] = [0, 0];
    for (const { from, to } of spans) {
      const around = BESIDE + shifted;
      const one = new MotionSpline(data, from - around, to + around, period, spacing, noise);
      left += one.left;
      freedoms += one.freedoms;
    }
    return left / freedoms - Math.sqrt(2 / freedoms);
  };
  let spacing = LEAST_SPACING;
  while (spacing < MOST_SPACING && leftWith(spacing + 1) <= 1) spacing++;
  return spacing;
}
