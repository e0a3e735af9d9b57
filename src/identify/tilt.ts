/**
 * Tilt of the plate and bias of the sensor from a press: without friction the force is along the normal of the plate, F = N n. A plate that is
 * tilted by an angle α shows a side force of F_z tan α, 0.52 N of 30 N at 1°. What does not grow with the load is bias.
 *
 * Friction of a side motion looks the same, and so does a bristle that the press itself bends: α counts as long as σ₀ times the travel
 * sin α · depth stays small beside tan α.
 */
import { BerthError } from '../base/errors.ts';
import { atan } from '../math/elementary/inverse-circular.ts';
import { binned } from './bins.ts';
import { identify, type Identification } from './estimate.ts';
import type { Parameter } from './parameter.ts';

/** Forces of a press on the tool, N, in the order of time. */
export interface TiltData {
  /** Along the normal as it is thought to be. */
  readonly force: Float64Array;
  /** Along the two axes across it. */
  readonly sideU: Float64Array;
  readonly sideV: Float64Array;
}

/** Result of a press. */
export interface TiltResult {
  /** Slopes of both side forces over the load, and their biases, N. */
  readonly identification: Identification;
  /** Angle between both normals, rad. */
  readonly tilt: number;
  /** Largest load of a mean, N. */
  readonly largestForce: number;
}

const MOST_BINS = 150;
/** The load has to change by so many times the noise of a mean. */
const LEAST_SIGNAL = 20;
/** Side forces may be so many times the load: 45°. */
const MOST_SLOPE = 1;

/** Identifies the tilt. @throws BerthError for data without a press in them */
export function identifyTilt({ force, sideU, sideV }: TiltData, confidence: number): TiltResult {
  const { count, size, means, noise } = binned([force, sideU, sideV], MOST_BINS);
  const [load, u, v] = means;
  const sigma = noise.map((one) => one / Math.sqrt(size));
  const [least, most] = [Math.min(...load), Math.max(...load)];
  if (!(most - least > LEAST_SIGNAL * sigma[0])) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `force: changes by ${(most - least).toPrecision(3)} N, and the noise of the mean of ${size} samples is ${sigma[0].toPrecision(2)} N: there is no press in the data; allowed: a change of ${LEAST_SIGNAL} times the noise`,
      { field: 'force' },
    );
  }
  const slope = (name: string): Parameter => ({
    name,
    unit: '1',
    start: 0,
    low: -MOST_SLOPE,
    high: MOST_SLOPE,
    logarithmic: false,
  });
  const bias = (name: string, values: Float64Array): Parameter => {
    const range = Math.max(...values.map(Math.abs)) + most;
    return { name, unit: 'N', start: 0, low: -range, high: range, logarithmic: false };
  };
  const identification = identify({
    parameters: [slope('slope_u'), slope('slope_v'), bias('bias_u', u), bias('bias_v', v)],
    rows: 2 * count,
    residuals: ([tu, tv, bu, bv], out) => {
      for (let i = 0; i < count; i++) {
        // both columns have noise: orthogonal regression, as for a press
        const eu = Math.sqrt(sigma[1] * sigma[1] + tu * tu * sigma[0] * sigma[0]);
        const ev = Math.sqrt(sigma[2] * sigma[2] + tv * tv * sigma[0] * sigma[0]);
        out[i] = (u[i] - bu - tu * load[i]) / (eu > 0 ? eu : 1);
        out[count + i] = (v[i] - bv - tv * load[i]) / (ev > 0 ? ev : 1);
      }
    },
    robust: true,
    confidence,
  });
  const [tu, tv] = identification.values;
  const tilt = atan(Math.sqrt(tu * tu + tv * tv));
  return { identification, tilt, largestForce: most };
}
