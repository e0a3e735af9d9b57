/**
 * Bristle stiffness from a slow push below breakaway (Gonthier 2007, 3.3 and (3.46)). A contact that sticks answers with σ₀ z, and its bristle z follows
 * the travel until the friction number meets its limit, from where on it is dragged along: φ = σ₀ (x − a), |φ| ≤ μ, a the place without force.
 * Strokes to and fro give a loop of such lines.
 *
 * With the speed as well the damping is found, φ = σ₀ (x − a) + σ₁ v: a bristle that sticks has z′ = v. A viscous part σ₂ v cannot be told from it. A force that is
 * measured δ after the travel looks like a damping less by σ₀ δ, the part δ/τ_br of it. Without the speed σ₁ z′ is left out, which makes the stiffness too
 * large by the part 2 σ₁ v of the change of φ. Left out are always the rise of the limit by dwell and the creep of a bristle by (v/v_s)² σ₀/σ₁ of itself in a second,
 * (3.28)–(3.42).
 */
import { BerthError } from '../base/errors.ts';
import { binned } from './bins.ts';
import { identify, type Identification, type Problem } from './estimate.ts';
import type { Parameter } from './parameter.ts';

/** Samples of a push in the order of time. */
export interface PreSlidingData {
  /** Along the push, m. */
  readonly travel: Float64Array;
  /** Normal force, N. */
  readonly force: Float64Array;
  /** Friction against a push towards greater travel, N. */
  readonly friction: Float64Array;
  /** Towards greater travel, m/s. */
  readonly speed?: Float64Array;
}

/** Result of a push. */
export interface PreSlidingResult {
  /** Bristle stiffness, 1/m; friction number at the start; with speeds the damping, s/m; where the contact slid, its limit. */
  readonly identification: Identification;
  /** Travel to the largest friction number, m, and the least that the noise of the travel lets count. */
  readonly way: number;
  readonly leastWay: number;
  /** Whether the contact slid. */
  readonly slid: boolean;
  /** Means: travel, m, friction number as measured and of the law. */
  readonly places: Float64Array;
  readonly ratios: Float64Array;
  readonly fitted: Float64Array;
  /** Root mean square of the speed and noise of a mean of it, m/s; null without speeds. */
  readonly rate: { readonly rms: number; readonly noise: number } | null;
}

/** Many: a mean over the place where a stroke turns or begins to slide is on no line. */
const MOST_BINS = 3000;
/** Least load of a mean, and least change of the friction number, as multiples of their noise. */
const LEAST_SIGNAL = 10;
/** The way has to be so many times the noise of a sample of the travel, as for a press. */
const WAY_OF_NOISE = 20;
/** Bounds beyond the start value on both sides. */
const RANGE = 100;
/** The contact slid when the travel spans more than the change of the number by so many times its noise, and this part. */
const SLID = 6;
const SLID_PART = 0.03;
/** Part of the largest friction number below which it counts as stuck for the start value. */
const STUCK = 0.5;

const refused = (field: string, text: string): BerthError =>
  new BerthError('BERTH_MISMATCH', `${field}: ${text}`, { field });

/** Identifies the law. @throws BerthError for data without load or without a push */
export function identifyPreSliding(data: PreSlidingData, confidence: number): PreSlidingResult {
  const { travel, force, friction } = data;
  // speeds that are all 0 say nothing
  const speed = data.speed?.some((one) => one !== 0) === true ? data.speed : undefined;
  const given = [travel, force, friction, ...(speed === undefined ? [] : [speed])];
  const { count, size, means, noise } = binned(given, MOST_BINS);
  const [x, n, t] = means;
  const v = speed === undefined ? null : means[3];
  const sigma = noise.map((one) => one / Math.sqrt(size));
  const idle = n.findIndex((load) => !(load > LEAST_SIGNAL * sigma[1]));
  if (idle >= 0) {
    throw refused(
      'force',
      `is ${n[idle].toPrecision(3)} N in mean ${idle + 1}; allowed: a load above ${LEAST_SIGNAL} times its noise of ${sigma[1].toPrecision(2)} N in all of them`,
    );
  }
  const ratios = t.map((one, i) => one / n[i]);
  const errors = ratios.map((ratio, i) => {
    const ofLoad = ratio * sigma[1];
    return Math.sqrt(sigma[2] * sigma[2] + ofLoad * ofLoad) / n[i];
  });
  const slope = startSlope(x, ratios);
  const largest = Math.max(...ratios.map(Math.abs));
  const change = Math.max(...ratios) - Math.min(...ratios);
  if (!(slope > 0) || !(change > LEAST_SIGNAL * Math.max(...errors))) {
    throw refused(
      'friction',
      `there is no push in the data: its number changes by ${change.toPrecision(3)}, and rises by ${slope.toPrecision(3)} 1/m with the travel; allowed: a rise above ${LEAST_SIGNAL} times the noise, and strokes that do not slide from the start`,
    );
  }
  // both columns have noise: orthogonal regression at the slope of the start
  const level = errors.map((one) => {
    const ofTravel = slope * sigma[0];
    const both = Math.sqrt(one * one + ofTravel * ofTravel);
    return both > 0 ? both : 1;
  });
  const residuals =
    (limit: (values: ArrayLike<number>) => number): Problem['residuals'] =>
    (values, out) => {
      const [stiffness, first] = [values[0], values[1]];
      const damping = v === null ? 0 : values[2];
      const most = limit(values);
      let rest = x[0] - first / stiffness;
      for (let i = 0; i < count; i++) {
        const number = stiffness * (x[i] - rest) + (v === null ? 0 : damping * v[i]);
        const held = Math.max(-most, Math.min(most, number));
        if (held !== number) rest = x[i] - held / stiffness;
        out[i] = (ratios[i] - held) / level[i];
      }
    };
  const stuck = [
    {
      name: 'bristle_stiffness',
      unit: '1/m',
      start: slope,
      low: slope / RANGE,
      high: slope * RANGE,
      logarithmic: true,
    },
    {
      name: 'first',
      unit: '1',
      start: Math.max(-largest, Math.min(largest, ratios[0])),
      low: -2 * largest,
      high: 2 * largest,
      logarithmic: false,
    },
    ...(v === null ? [] : [dampingOf(largest, v)]),
  ];
  const limit = {
    name: 'limit',
    unit: '1',
    start: 0.98 * largest,
    low: largest / RANGE,
    high: RANGE * largest,
    logarithmic: true,
  };
  const shared = { rows: count, robust: true, confidence };
  const sliding = identify({
    ...shared,
    parameters: [...stuck, limit],
    residuals: residuals((values) => values[stuck.length]),
  });
  const span = Math.max(...x) - Math.min(...x);
  const way = change / sliding.values[0];
  const slid = span - way > SLID * sigma[0] + SLID_PART * span;
  const identification = slid
    ? sliding
    : identify({ ...shared, parameters: stuck, residuals: residuals(() => Infinity) });
  return {
    identification,
    way: change / identification.values[0],
    leastWay: WAY_OF_NOISE * noise[0],
    slid,
    places: x,
    ratios,
    fitted: ratios.map((ratio, i) => ratio - level[i] * identification.residuals[i]),
    rate: v === null ? null : { rms: rmsOf(v), noise: sigma[3] },
  };
}

const rmsOf = (v: Float64Array): number =>
  Math.sqrt(v.reduce((sum, one) => sum + one * one, 0) / v.length);

/** The damping of the search: at most one that makes all of the friction at the speeds of the data. */
function dampingOf(largest: number, v: Float64Array): Parameter {
  const most = largest / Math.max(rmsOf(v), Number.MIN_VALUE);
  return {
    name: 'bristle_damping',
    unit: 's/m',
    start: 0,
    low: -most,
    high: most,
    logarithmic: false,
  };
}

/** Slope of the friction number over the travel from the start until it has changed by a half of all its change. */
function startSlope(x: Float64Array, ratios: Float64Array): number {
  const reach = STUCK * Math.max(...ratios.map((one) => Math.abs(one - ratios[0])));
  const out = ratios.findIndex((one) => Math.abs(one - ratios[0]) > reach);
  const end = out < 2 ? Math.min(2, x.length) : out;
  let [sx, sy, sxx, sxy] = [0, 0, 0, 0];
  for (let i = 0; i < end; i++) {
    sx += x[i];
    sy += ratios[i];
  }
  for (let i = 0; i < end; i++) {
    const dx = x[i] - sx / end;
    sxx += dx * dx;
    sxy += dx * (ratios[i] - sy / end);
  }
  return sxy / sxx;
}
