/**
 * Contacts of taps: from free motion to a touch and on to the release, in samples that are even and agree with each other. A sample that came late, one that is
 * missing and a jump of the place are gaps, and a contact with one is not used.
 */
import { differenceNoise } from './noise.ts';
import type { MotionNoise } from './motion-spline.ts';

/** Samples of taps in the order of time. */
export interface TapData {
  /** s, rising, in even steps but for gaps. */
  readonly time: Float64Array;
  /** Along the outward normal of the plate, m. */
  readonly place: Float64Array;
  /** Its rate, m/s: below 0 on the way in. */
  readonly rate: Float64Array;
  /** On the tool along that normal, N; what it is in free motion is taken for 0. */
  readonly force: Float64Array;
}

/** A contact: samples from ≤ i < to have a force, and BESIDE more on each side count. */
export interface TapSpan {
  readonly from: number;
  readonly to: number;
}

/** Contacts, and what is known of the samples. */
export interface TapSpans {
  readonly spans: readonly TapSpan[];
  /** Step of time, s, and samples beside those that count over which the motion is smoothed. */
  readonly period: number;
  readonly shifted: number;
  readonly noise: MotionNoise;
  /** Of the force, N, and the force of free motion. */
  readonly forceNoise: number;
  readonly bias: number;
  /** Contacts that were left out: with a gap in them or beside them, without free motion before them, with too few samples. */
  readonly gaps: number;
  readonly unfree: number;
  readonly short: number;
}

/** Samples without a force beside a contact that count: they say where the plate is not. */
export const BESIDE = 6;
/** Least samples of a contact: the motion is smoothed over some of them. */
export const LEAST_SAMPLES = 16;
/** Samples of a contact that count at most; the impact is in the first ones. */
const MOST_SAMPLES = 250;
/** Further samples of free motion on each side beside those of the lag. */
const AROUND = 16;
/** A force is one from so many times its noise on, and from this share of the largest one on. */
const TOUCH = 6;
const TOUCH_SHARE = 0.01;
/** Samples without a force that end a contact. */
const RELEASED = 3;
/** A step of time is even within this share. */
const EVEN = 0.25;
/** Means of so many samples before and after follow the rate within so many times their noise: at 2 µm and 1 kHz a jump of 4 µm shows. */
const WINDOW = 16;
const JUMP = 6;
/** Noise of a column that has none, as a share of its span. */
const LEAST_NOISE = 1e-9;

/** Finds the contacts, with as many samples on each side without a gap as a force needs that lags by `lag`, s. */
export function tapSpans(data: TapData, lag: number): TapSpans {
  const { time, place, rate } = data;
  const rows = time.length;
  const steps = Float64Array.from(
    { length: Math.max(1, rows - 1) },
    (_, i) => time[i + 1] - time[i],
  );
  const period = steps.slice().sort()[steps.length >> 1];
  const shifted = Math.ceil(lag / period) + AROUND;
  const margin = BESIDE + shifted;
  const noise = { place: noiseOf(place), rate: noiseOf(rate) };
  const forceNoise = noiseOf(data.force);
  const bias = freeForce(data.force, forceNoise);
  const largest = data.force.reduce((most, one) => Math.max(most, Math.abs(one - bias)), 0);
  const level = Math.max(TOUCH * forceNoise, TOUCH_SHARE * largest);
  const loaded = (i: number): boolean => data.force[i] - bias > level;
  const gapAfter = gapsOf(data, steps, period, noise);
  const spans: TapSpan[] = [];
  let [gaps, unfree, short] = [0, 0, 0];
  let end = 0;
  for (let i = 0; i < rows; i++) {
    if (!loaded(i)) continue;
    const from = i;
    let free = 0;
    while (i < rows && free < RELEASED) free = loaded(i++) ? 0 : free + 1;
    const to = Math.min(i - free, from + MOST_SAMPLES);
    const [first, last] = [from - margin, to + margin];
    if (to - from < LEAST_SAMPLES) short++;
    else if (first < 0 || last > rows || gapAfter.subarray(first, last - 1).includes(1)) gaps++;
    else if (from - end < BESIDE) unfree++;
    else spans.push({ from, to });
    end = i - free;
    i--;
  }
  return { spans, period, shifted, noise, forceNoise, bias, gaps, unfree, short };
}

/** 1 for each sample with a gap after it, or so near that the means show it. */
function gapsOf(
  { place, rate }: TapData,
  steps: Float64Array,
  period: number,
  noise: MotionNoise,
): Uint8Array {
  const rows = place.length;
  // sums of what the place has gone beside its rate, and of how much a step may differ from the mean of its ends
  const gone = new Float64Array(rows + 1);
  const turned = new Float64Array(rows);
  let left = 0;
  for (let i = 0; i < rows; i++) {
    if (i > 0) {
      left += place[i] - place[i - 1] - 0.5 * period * (rate[i - 1] + rate[i]);
      turned[i] = turned[i - 1] + 0.5 * period * Math.abs(rate[i] - rate[i - 1]);
    }
    gone[i + 1] = gone[i] + left;
  }
  const [a, b] = [noise.place, noise.rate * period];
  const most = JUMP * Math.sqrt((2 * a * a) / WINDOW + (2 / 3) * WINDOW * b * b);
  return Uint8Array.from(steps, (step, i) => {
    if (Math.abs(step - period) > EVEN * period) return 1;
    const [first, last] = [i + 1 - WINDOW, i + 1 + WINDOW];
    if (first < 0 || last > rows) return 0;
    const jump = (gone[last] - 2 * gone[i + 1] + gone[first]) / WINDOW;
    return Math.abs(jump) > most + turned[last - 1] - turned[first] ? 1 : 0;
  });
}

function noiseOf(values: Float64Array): number {
  const [least, most] = values.reduce(
    ([low, high], one) => [Math.min(low, one), Math.max(high, one)],
    [Infinity, -Infinity],
  );
  // a column of few digits that stands still most of the time: its digit is its noise
  let digit = Infinity;
  for (let i = 1; i < values.length; i++) {
    const change = Math.abs(values[i] - values[i - 1]);
    if (change > 0 && change < digit) digit = change;
  }
  const rounding = digit < Infinity ? digit / Math.sqrt(12) : 0;
  return Math.max(differenceNoise(values), rounding, LEAST_NOISE * (most - least));
}

/** Share of the samples that is free motion at least. */
const LEAST_FREE = 0.05;

/** Mean force far from all that may be a touch: a bias of the sensor; 0 where there are too few samples of it. */
function freeForce(force: Float64Array, noise: number): number {
  // a touch pushes the tool away, so that the least forces are free
  const least = force.slice().sort()[Math.floor(LEAST_FREE * force.length)];
  const touched = force.map((one) => (Math.abs(one - least) > TOUCH * noise ? 1 : 0));
  let [sum, count, since] = [0, 0, 0];
  let next = touched.indexOf(1);
  for (let i = 0; i < force.length; i++) {
    since = touched[i] === 1 ? 0 : since + 1;
    if (next >= 0 && next < i) next = touched.indexOf(1, i);
    if (since <= AROUND || (next >= 0 && next - i <= AROUND)) continue;
    sum += force[i];
    count++;
  }
  return count > LEAST_SAMPLES ? sum / count : 0;
}
