/**
 * Stiffness, exponent and plate height from a slow press: f = k (h − z)^p, the elastic part of every hysteretic law (Gonthier 2007, 3.3 and
 * 5.1.4). z is the measured place along the outward normal of the plate and h that of its face.
 *
 * Both columns have noise. Each bin counts with σ² = σ_F² + (∂f/∂z)² σ_z², at the parameters of the moment, which is orthogonal regression to
 * first order (Deming 1943; York 1966): without the second part the stiffness would come out too small by σ_z² over the variance of z.
 *
 * What stands in series counts: an elastic plate or robot is part of k.
 */
import { BerthError } from '../base/errors.ts';
import { pow } from '../math/elementary/power.ts';
import { binned } from './bins.ts';
import { elasticGuess } from './elastic-guess.ts';
import { identify, type Identification } from './estimate.ts';
import type { Parameter } from './parameter.ts';
import { Probe } from './probe.ts';

/** Samples of a press in the order of time. */
export interface PressData {
  /** Along the outward normal of the plate, m. */
  readonly place: Float64Array;
  /** On the tool along that normal, N. */
  readonly force: Float64Array;
}

/** What is asked of a press. */
export interface PressChoice {
  /** Exponent p; null to identify it, too. */
  readonly exponent: number | null;
  readonly confidence: number;
}

/** Result of a press. */
export interface PressResult {
  readonly identification: Identification;
  /** Stiffness, N/m^p; height, m; exponent. */
  readonly stiffness: number;
  readonly height: number;
  readonly exponent: number;
  /** Depth at which a free exponent has its reference force, m. */
  readonly referenceDepth: number;
  /** Largest force of a bin, N, and the slope of the law there, N/m. */
  readonly largestForce: number;
  readonly tangent: number;
  /** Slope above which the data hold no stiffness, N/m. */
  readonly resolved: number;
  /** Noise of one sample: place, m, and force, N. */
  readonly noise: readonly number[];
  /** Means that were fitted, and the force of the law there. */
  readonly places: Float64Array;
  readonly forces: Float64Array;
  readonly fitted: Float64Array;
}

const MOST_BINS = 150;
/** Bins above half of the largest force that a press has to have. */
const LEAST_LOADED = 5;
/** The largest force has to be so many times the noise of a bin. */
const LEAST_SIGNAL = 20;
/**
 * The way of the press, F/(∂f/∂z), has to be so many times the noise of the place. An error of place as large as that noise, which need not
 * average out, is then 5 % of the stiffness at most.
 */
const LEAST_WAY = 20;
/** Range of the stiffness about its start, and of the height about its start in ways of the press. */
const STIFFNESS_RANGE = 1e4;
const HEIGHT_RANGE = 5;
/** Step of a difference along z as a share of the way. */
const DIFFERENCE = 1e-3;

/** Identifies the law. @throws BerthError for data without a press in them */
export function identifyPress({ place, force }: PressData, choice: PressChoice): PressResult {
  const { count, size, means, noise } = binned([place, force], MOST_BINS);
  const [z, f] = means;
  const sigma = noise.map((one) => one / Math.sqrt(size));
  const largest = Math.max(...f);
  const loaded = [...f.keys()].filter((i) => f[i] > 0.5 * largest);
  if (!(largest > LEAST_SIGNAL * sigma[1]) || loaded.length < LEAST_LOADED) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `force: the largest is ${largest.toPrecision(3)} N, the noise of the mean of ${size} samples ${sigma[1].toPrecision(2)} N: there is no press in the data; allowed: a force of ${LEAST_SIGNAL} times the noise`,
      { field: 'force' },
    );
  }
  const first = elasticGuess(z, f, largest, choice.exponent ?? 1.5);
  const { way } = first;
  const parameters: Parameter[] = [
    {
      name: 'stiffness',
      unit: 'N/m^p',
      start: first.stiffness,
      low: first.stiffness / STIFFNESS_RANGE,
      high: first.stiffness * STIFFNESS_RANGE,
      logarithmic: true,
    },
    {
      name: 'height',
      unit: 'm',
      start: first.height,
      low: first.height - HEIGHT_RANGE * way,
      high: first.height + HEIGHT_RANGE * way,
      logarithmic: false,
    },
  ];
  // a stiffness in N/m^p says nothing while p moves: the force at the depth of the guess takes its place
  const free = choice.exponent === null;
  if (free) {
    const start = first.stiffness * pow(way, 1.5);
    parameters[0] = {
      ...parameters[0],
      name: 'force',
      unit: 'N',
      start,
      low: start / 100,
      high: start * 100,
    };
    parameters.push({
      name: 'exponent',
      unit: '1',
      start: 1.5,
      low: 1,
      high: 3,
      logarithmic: false,
    });
  }
  const lawOf = (values: ArrayLike<number>): { stiffness: number; exponent: number } => {
    const exponent = choice.exponent ?? values[2];
    return { exponent, stiffness: free ? values[0] / pow(way, exponent) : values[0] };
  };
  const step = DIFFERENCE * way;
  const fitted = new Float64Array(count);
  const evaluate = (values: ArrayLike<number>, out: Float64Array): void => {
    const { stiffness, exponent } = lawOf(values);
    const probe = new Probe(elastic(stiffness, exponent));
    for (let i = 0; i < count; i++) {
      const gap = z[i] - values[1];
      fitted[i] = probe.forceAt(gap);
      const slope = (probe.forceAt(gap - step) - probe.forceAt(gap + step)) / (2 * step);
      const spread = Math.sqrt(sigma[1] * sigma[1] + slope * slope * sigma[0] * sigma[0]);
      out[i] = (f[i] - fitted[i]) / (spread > 0 ? spread : 1);
    }
  };
  const identification = identify({
    parameters,
    rows: count,
    residuals: evaluate,
    robust: true,
    ...presses(f, largest),
    confidence: choice.confidence,
  });
  const { values } = identification;
  evaluate(values, new Float64Array(count));
  const { stiffness, exponent } = lawOf(values);
  const depth = pow(largest / stiffness, 1 / exponent);
  return {
    identification,
    stiffness,
    height: values[1],
    exponent,
    referenceDepth: way,
    largestForce: largest,
    tangent: (exponent * largest) / depth,
    resolved: largest / (LEAST_WAY * noise[0]),
    noise,
    places: z,
    forces: f,
    fitted: fitted.slice(),
  };
}

/** Each press with the free motion after it is a part, where there are two or more. */
function presses(f: Float64Array, largest: number): { part?: (row: number) => number } {
  let [count, loaded] = [0, true];
  const of = f.map((force) => {
    if (force < 0.1 * largest) loaded = false;
    else if (!loaded && force > 0.3 * largest) {
      loaded = true;
      count++;
    }
    return count;
  });
  // before the first press: as the first
  return count > 1 ? { part: (row) => Math.max(0, of[row] - 1) } : {};
}

/** The elastic law alone: a restitution of 1 has no damping. */
function elastic(stiffness: number, exponent: number) {
  return {
    kind: 'hysteretic',
    stiffness,
    exponent,
    restitution: 1,
    smallVelocity: 1e-3,
    relaxationTime: 0,
  } as const;
}
