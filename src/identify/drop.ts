/**
 * Restitution from a drop or from taps (Gonthier 2007, 3.3): speeds just before and just after each impact, from the free motion on both sides of
 * it. e of the hysteretic law is their ratio for any mass, stiffness and elastic law (3.22). Three impacts or more at different speeds hold the
 * slope of e = e₀ − α v as well, (3.12).
 *
 * Free is what has no force. The motion next to an impact is a parabola of time, over as many samples as one fits: an arm that is driven follows one
 * for a shorter time than a ball that falls. Both speeds are those at the place of touch, where gravity has no part in their ratio.
 */
import { BerthError } from '../base/errors.ts';
import { identify, type Identification } from './estimate.ts';
import { restitutionOf } from './impact-probe.ts';
import { differenceNoise } from './noise.ts';
import { acceleration, fitParabola, type Parabola, placeAt, speedAtHeight } from './parabola.ts';
import type { Parameter } from './parameter.ts';

/** Samples of impacts in the order of time. */
export interface DropData {
  /** s, rising. */
  readonly time: Float64Array;
  /** Along the outward normal of the plate, m. */
  readonly place: Float64Array;
  /** On the tool along that normal, N; 0 in free motion. */
  readonly force: Float64Array;
}

/** What is asked of a drop. */
export interface DropChoice {
  /** Whether the slope over speed is identified, too. */
  readonly slope: boolean;
  /** Exponent p of the elastic law. */
  readonly exponent: number;
  readonly confidence: number;
}

/** One impact. */
export interface Impact {
  /** Of the touch, s. */
  readonly time: number;
  /** Before and after, m/s, both > 0. */
  readonly speed: number;
  readonly rebound: number;
  readonly restitution: number;
  /** Standard deviation of the restitution. */
  readonly error: number;
}

/** Result of a drop. */
export interface DropResult {
  readonly identification: Identification;
  readonly impacts: readonly Impact[];
  /** Restitution of the fit at each impact. */
  readonly fitted: Float64Array;
  /** Touches between two free motions that were no impact to count: too slow, or under a lasting force. */
  readonly unused: number;
}

/** A force is a touch from so many times its noise on, and from this share of the largest one on. */
const TOUCH = 6;
const TOUCH_SHARE = 0.01;
/** Least samples of a free motion that are fitted. */
const LEAST_SAMPLES = 12;
/** A parabola does not fit when it leaves so many times the variance of one over half of its samples. */
const WORSE = 3;
/** Speeds count from so many of their standard deviations on. */
const LEAST_SPEED = 20;
/** Share of the momentum that forces which last (gravity, a drive) may bring during a contact: beyond it the touch is no impact. */
const MOST_LASTING = 0.25;
/** Speeds have to differ by this share of the largest for a slope. */
const LEAST_SPREAD = 0.2;

/** Identifies the restitution. @throws BerthError for data without an impact between two free motions, or too few of them for a slope */
export function identifyDrop(data: DropData, choice: DropChoice): DropResult {
  const { slope, exponent, confidence } = choice;
  const free = freeMotions(data);
  const found = free.slice(1).map((after, k) => impactBetween(data, free[k], after, exponent));
  const impacts = found.filter((one) => one !== null);
  if (impacts.length === 0) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `force: ${free.length} parts of ${LEAST_SAMPLES} samples or more have no force, and there is no impact between two of them; allowed: a drop or taps that begin and end in free motion, and a force that is 0 there`,
      { field: 'force' },
    );
  }
  const speeds = impacts.map(({ speed }) => speed);
  const [least, most] = [Math.min(...speeds), Math.max(...speeds)];
  if (slope && !(impacts.length > 2 && most - least > LEAST_SPREAD * most)) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `place: ${impacts.length} impacts from ${least.toPrecision(3)} to ${most.toPrecision(3)} m/s hold no slope over speed; allowed: three or more at speeds that differ by ${100 * LEAST_SPREAD} %`,
      { field: 'place' },
    );
  }
  const parameters: Parameter[] = [
    { name: 'restitution', unit: '1', start: 0.5, low: 0, high: 1.5, logarithmic: false },
  ];
  if (slope) {
    parameters.push({
      name: 'slope',
      unit: 's/m',
      start: 0,
      low: -1 / most,
      high: 1 / most,
      logarithmic: false,
    });
  }
  const fitted = new Float64Array(impacts.length);
  const search = (noise: number): Identification =>
    identify({
      parameters,
      rows: impacts.length,
      residuals: (values, out) => {
        for (const [i, { restitution, speed, error }] of impacts.entries()) {
          fitted[i] = values[0] - (slope ? values[1] * speed : 0);
          out[i] = (restitution - fitted[i]) / error;
        }
      },
      robust: false,
      part: (row) => row,
      noise,
      confidence,
    });
  const first = search(1);
  // impacts that scatter more than their own errors say have other causes besides (Birge 1932)
  const freedoms = impacts.length - parameters.length;
  const squares = first.residuals.reduce((sum, r) => sum + r * r, 0);
  const scatter = freedoms > 0 ? Math.sqrt(squares / freedoms) : 1;
  const identification = scatter > 1 ? search(scatter) : first;
  for (const [i, { speed }] of impacts.entries()) {
    fitted[i] = identification.values[0] - (slope ? identification.values[1] * speed : 0);
  }
  return { identification, impacts, fitted, unused: found.length - impacts.length };
}

/** A run of samples without a force, from ≤ i < to. */
interface FreeMotion {
  readonly from: number;
  readonly to: number;
}

function freeMotions({ force }: DropData): FreeMotion[] {
  let largest = 0;
  for (const value of force) largest = Math.max(largest, Math.abs(value));
  const level = Math.max(TOUCH * differenceNoise(force), TOUCH_SHARE * largest);
  const runs: FreeMotion[] = [];
  let from = 0;
  for (let i = 0; i <= force.length; i++) {
    if (i < force.length && Math.abs(force[i]) <= level) continue;
    if (i - from >= LEAST_SAMPLES) runs.push({ from, to: i });
    from = i + 1;
  }
  return runs;
}

/** Parabola of the samples of a free motion next to its end, or to its beginning. */
function besideTouch(data: DropData, { from, to }: FreeMotion, atEnd: boolean): Parabola {
  const fit = (count: number): Parabola =>
    atEnd
      ? fitParabola(data.time, data.place, to - count, to)
      : fitParabola(data.time, data.place, from, from + count);
  let count = LEAST_SAMPLES;
  let fitting = fit(count);
  while (count < to - from) {
    count = Math.min(2 * count, to - from);
    const longer = fit(count);
    if (!(longer.variance <= WORSE * fitting.variance)) break;
    fitting = longer;
  }
  return fitting;
}

/** The impact between two free motions; null where it is none to count. */
function impactBetween(
  data: DropData,
  before: FreeMotion,
  after: FreeMotion,
  exponent: number,
): Impact | null {
  const { time } = data;
  const fall = besideTouch(data, before, true);
  const rise = besideTouch(data, after, false);
  // the touch lies between the last sample without a force and the next one
  const touch = 0.5 * (time[before.to - 1] + time[before.to]);
  const parting = 0.5 * (time[after.from - 1] + time[after.from]);
  const height = 0.5 * (placeAt(fall, touch) + placeAt(rise, parting));
  const [into, out] = [speedAtHeight(fall, height), speedAtHeight(rise, height)];
  if (!(into.speed > LEAST_SPEED * Math.sqrt(into.variance))) return null;
  if (!(out.speed > LEAST_SPEED * Math.sqrt(out.variance))) return null;
  const reverses =
    placeAt(fall, touch) < placeAt(fall, time[before.to - 2]) &&
    placeAt(rise, parting) < placeAt(rise, time[after.from + 1]);
  const pull = -0.5 * (acceleration(fall) + acceleration(rise));
  const duration = parting - touch;
  const share = (pull * duration) / into.speed;
  if (!reverses || Math.abs(share) > MOST_LASTING) return null;
  const ratio = out.speed / into.speed;
  const restitution = restitutionOf(ratio, exponent, share);
  if (!Number.isFinite(restitution)) return null;
  // Touch and parting are uniform within a period each. A place of touch that is wrong by dh changes v²/2 by a dh on each side;
  // a duration that is wrong changes the part of the lasting force.
  const [vi, vo] = [into.speed * into.speed, out.speed * out.speed];
  const lever = acceleration(rise) / vo - acceleration(fall) / vi;
  const period = (time[before.to - 1] - time[before.from]) / (before.to - 1 - before.from);
  const square = period * period;
  const relative =
    into.variance / vi + out.variance / vo + (lever * lever * square * (vi + vo)) / 48;
  const part = (restitution - ratio) / duration;
  return {
    time: touch,
    speed: into.speed,
    rebound: out.speed,
    restitution,
    error: Math.sqrt(ratio * ratio * relative + (part * part * square) / 6),
  };
}
