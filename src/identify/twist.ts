/**
 * Friction of pure spin from twists under load (Gonthier 2007, (4.230)): a contact that turns about its normal and does not slide has the moment
 * M = −sign(w_n) f μ_C r N, r the radius of gyration of its pressure and f the spin factor of a volumetric law, 1 where the ellipse of slip and spin is taken.
 * Twists to both sides tell it from a bias of the sensor.
 */
import { BerthError } from '../base/errors.ts';
import { binned } from './bins.ts';
import { identify, type Identification } from './estimate.ts';

/** Samples of twists in the order of time. */
export interface TwistData {
  /** About the normal of the plate, rad/s. */
  readonly spin: Float64Array;
  /** Normal force, N. */
  readonly force: Float64Array;
  /** On the tool about the normal, N m. */
  readonly torque: Float64Array;
}

/** Result of twists. */
export interface TwistResult {
  /** Moment over normal force f μ_C r, m, and the bias of the sensor, N m. */
  readonly identification: Identification;
  /** Means that were used to each side, and that were left out. */
  readonly used: readonly [number, number];
  readonly unused: number;
}

const MOST_BINS = 400;
/** Least load and spin of a mean as multiples of their noise. */
const LEAST_SIGNAL = 5;
/** Change of the spin between neighbours that still counts as steady. */
const STEADY = 0.05;
const LEAST_BINS = 4;

/** Identifies the lever. @throws BerthError for data without steady twists to both sides */
export function identifyTwist(data: TwistData, confidence: number): TwistResult {
  const { count, size, means, noise } = binned([data.spin, data.force, data.torque], MOST_BINS);
  const [w, n, m] = means;
  const sigma = noise.map((one) => one / Math.sqrt(size));
  const steady = (i: number): boolean => {
    const allowed = Math.max(STEADY * Math.abs(w[i]), LEAST_SIGNAL * sigma[0]);
    return [w[i - 1], w[i + 1]].every(
      (one) => one === undefined || Math.abs(one - w[i]) <= allowed,
    );
  };
  const used = [...w.keys()].filter(
    (i) =>
      n[i] > LEAST_SIGNAL * sigma[1] &&
      Math.abs(w[i]) > LEAST_SIGNAL * sigma[0] &&
      w[i] !== 0 &&
      steady(i),
  );
  const left = used.filter((i) => w[i] > 0).length;
  if (left < LEAST_BINS || used.length - left < LEAST_BINS) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `spin: ${left} of ${count} means turn steadily under load to one side and ${used.length - left} to the other; allowed: ${LEAST_BINS} or more to each`,
      { field: 'spin' },
    );
  }
  const ratios = used.map((i) => Math.abs(m[i]) / n[i]);
  const middle = [...ratios].sort((a, b) => a - b)[Math.floor(ratios.length / 2)];
  const most = Math.max(...used.map((i) => Math.abs(m[i])));
  const lever = Math.max(middle, 1e-9);
  const ofLoad = lever * sigma[1];
  const both = Math.sqrt(sigma[2] * sigma[2] + ofLoad * ofLoad);
  const error = both > 0 ? both : 1;
  const identification = identify({
    parameters: [
      {
        name: 'lever',
        unit: 'm',
        start: lever,
        low: lever / 1e3,
        high: lever * 1e3,
        logarithmic: true,
      },
      { name: 'bias', unit: 'N m', start: 0, low: -10 * most, high: 10 * most, logarithmic: false },
    ],
    rows: used.length,
    residuals: ([arm, bias], out) => {
      for (const [k, i] of used.entries())
        out[k] = (m[i] - bias + Math.sign(w[i]) * arm * n[i]) / error;
    },
    robust: true,
    confidence,
  });
  return { identification, used: [left, used.length - left], unused: count - used.length };
}
