/**
 * Bristle stiffness and damping from the ring-down after a small tangential tap, while the contact sticks (Gonthier 2007, (3.48)–(3.50)):
 *
 *   x″ + (N/m) (σ₁ x′ + σ₀ x) = 0      σ₀ = ω²/(N/m)      σ₁ = 2 ζ ω/(N/m)
 *
 * ω is the natural frequency; that of the damped swing is ω √(1 − ζ²), which the source calls ω. The load over the mass N/m is g for a body that lies on
 * the plate. The swing has to stay below breakaway: |x| < μ_S/σ₀.
 */
import { BerthError } from '../base/errors.ts';
import { cos, sin } from '../math/elementary/circular.ts';
import { exp } from '../math/elementary/exponential.ts';
import { factorCholesky, solveLower, solveLowerTransposed } from '../math/cholesky.ts';
import { identify, type Identification } from './estimate.ts';

/** Samples of a swing in the order of time. */
export interface RingDownData {
  /** s */
  readonly time: Float64Array;
  /** Along the tap, m, from any place. */
  readonly travel: Float64Array;
}

/** What is known of the rig. */
export interface RingDownChoice {
  /** Normal force over the mass that swings, m/s². */
  readonly loadPerMass: number;
  readonly confidence: number;
}

/** Result of a swing. */
export interface RingDownResult {
  /** Bristle stiffness, 1/m; bristle damping, s/m; swing along cosine and sine, place at rest, m. */
  readonly identification: Identification;
  /** Natural frequency, rad/s, and damping ratio. */
  readonly frequency: number;
  readonly damping: number;
  /** Swing at the first sample, m. */
  readonly amplitude: number;
}

const LEAST_ROWS = 20;
/** Frequencies of the search for a start, and damping ratios. */
const FREQUENCIES = 240;
const RATIOS = [0.01, 0.03, 0.07, 0.15, 0.3, 0.5, 0.7];
/** A period of the search has so many samples at least, and fits into the data so often. */
const SAMPLES = 4;
const PERIODS = 1;
/** Bounds beyond the start on both sides. */
const RANGE = 30;
/** Share of the scatter that a swing has to explain, and times the noise that it has to have. */
const EXPLAINED = 0.5;
const LEAST_SIGNAL = 5;
const TERMS = 3;

const refused = (field: string, text: string): BerthError =>
  new BerthError('BERTH_MISMATCH', `${field}: ${text}`, { field });

/** Identifies the law. @throws BerthError for times that do not rise, or data without a swing */
export function identifyRingDown(
  { time, travel }: RingDownData,
  { loadPerMass, confidence }: RingDownChoice,
): RingDownResult {
  const rows = time.length;
  const back = time.findIndex((t, i) => i > 0 && !(t > time[i - 1]));
  if (back >= 0)
    throw refused('time', `${time[back]} s follows ${time[back - 1]} s; allowed: rising times`);
  if (rows < LEAST_ROWS)
    throw refused('time', `${rows} rows; allowed: ${LEAST_ROWS} or more of a swing`);
  const t = time.map((one) => one - time[0]);
  const start = findStart(t, travel);
  const mean = travel.reduce((sum, one) => sum + one, 0) / rows;
  const scatter = travel.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
  const size = Math.sqrt(start.swing[0] * start.swing[0] + start.swing[1] * start.swing[1]);
  const noise = Math.sqrt(start.squares / (rows - TERMS));
  if (!(start.squares < (1 - EXPLAINED) * scatter) || !(size > LEAST_SIGNAL * noise)) {
    const part = (100 * (1 - start.squares / scatter)).toPrecision(2);
    throw refused(
      'travel',
      `there is no swing in the data: the best one explains ${part} % of the scatter; allowed: ${100 * EXPLAINED} % or more, and a swing above ${LEAST_SIGNAL} times the noise`,
    );
  }
  const stiffness = (start.frequency * start.frequency) / loadPerMass;
  const drag = (2 * start.ratio * start.frequency) / loadPerMass;
  const reach = 10 * travel.reduce((most, one) => Math.max(most, Math.abs(one - mean)), 0);
  const place = (name: string, value: number, about = 0): object => ({
    name,
    unit: 'm',
    start: Math.max(about - reach, Math.min(about + reach, value)),
    low: about - reach,
    high: about + reach,
    logarithmic: false,
  });
  const swing = new Swing(t);
  const identification = identify({
    parameters: [
      positive('bristle_stiffness', '1/m', stiffness),
      positive('bristle_damping', 's/m', drag),
      ...([
        place('cosine', start.swing[0]),
        place('sine', start.swing[1]),
        place('rest', start.swing[2], mean),
      ] as ReturnType<typeof positive>[]),
    ],
    rows,
    residuals: (values, out) => {
      const frequency = Math.sqrt(values[0] * loadPerMass);
      // a damping above the critical one is no swing
      const ratio = Math.min(0.999, (values[1] * loadPerMass) / (2 * frequency));
      swing.fill(frequency, ratio);
      for (let i = 0; i < rows; i++)
        out[i] = travel[i] - values[2] * swing.cosine[i] - values[3] * swing.sine[i] - values[4];
    },
    robust: false,
    confidence,
  });
  const [sigma0, sigma1, c, s] = identification.values;
  const frequency = Math.sqrt(sigma0 * loadPerMass);
  return {
    identification,
    frequency,
    damping: (sigma1 * loadPerMass) / (2 * frequency),
    amplitude: Math.sqrt(c * c + s * s),
  };
}

const positive = (name: string, unit: string, start: number) => ({
  name,
  unit,
  start,
  low: start / RANGE,
  high: start * RANGE,
  logarithmic: true,
});

/** e^(−ζωt) cos ω_d t and its sine. */
class Swing {
  readonly cosine: Float64Array;
  readonly sine: Float64Array;
  readonly #time: Float64Array;

  constructor(time: Float64Array) {
    this.#time = time;
    this.cosine = new Float64Array(time.length);
    this.sine = new Float64Array(time.length);
  }

  fill(frequency: number, ratio: number): void {
    const turning = frequency * Math.sqrt(1 - ratio * ratio);
    for (let i = 0; i < this.#time.length; i++) {
      const fade = exp(-ratio * frequency * this.#time[i]);
      const phase = turning * this.#time[i];
      this.cosine[i] = fade * cos(phase);
      this.sine[i] = fade * sin(phase);
    }
  }
}

interface Start {
  readonly frequency: number;
  readonly ratio: number;
  /** Along cosine, sine and one. */
  readonly swing: readonly number[];
  readonly squares: number;
}

/** The best of many frequencies and damping ratios, the rest by linear least squares. */
function findStart(time: Float64Array, travel: Float64Array): Start {
  const rows = time.length;
  const span = time[rows - 1];
  const low = (2 * Math.PI * PERIODS) / span;
  const high = (2 * Math.PI * (rows - 1)) / (SAMPLES * span);
  const swing = new Swing(time);
  let best: Start = { frequency: low, ratio: RATIOS[0], swing: [0, 0, 0], squares: Infinity };
  const factor = Math.sqrt(Math.sqrt(high / low));
  // equal steps of the logarithm, by a product
  let grow = factor;
  for (let n = 4; n < FREQUENCIES; n *= 2) grow = Math.sqrt(grow);
  for (let frequency = low; frequency <= high * grow; frequency *= grow) {
    for (const ratio of RATIOS) {
      swing.fill(frequency, ratio);
      const found = linear(swing, travel);
      if (found.squares < best.squares) best = { frequency, ratio, ...found };
    }
  }
  return best;
}

/** Least squares of the swing along cosine, sine and one. */
function linear(
  { cosine, sine }: Swing,
  travel: Float64Array,
): { swing: readonly number[]; squares: number } {
  const matrix = new Float64Array(TERMS * TERMS);
  const right = new Float64Array(TERMS);
  const terms = [0, 0, 1];
  for (let i = 0; i < travel.length; i++) {
    terms[0] = cosine[i];
    terms[1] = sine[i];
    for (let a = 0; a < TERMS; a++) {
      right[a] += terms[a] * travel[i];
      for (let b = 0; b < TERMS; b++) matrix[TERMS * a + b] += terms[a] * terms[b];
    }
  }
  if (factorCholesky(matrix, matrix, TERMS, new Float64Array(1)) === 0)
    return { swing: [0, 0, 0], squares: Infinity };
  solveLower(matrix, TERMS, right, 0);
  solveLowerTransposed(matrix, TERMS, right, 0);
  let squares = 0;
  for (let i = 0; i < travel.length; i++) {
    const left = travel[i] - right[0] * cosine[i] - right[1] * sine[i] - right[2];
    squares += left * left;
  }
  return { swing: [...right], squares };
}
