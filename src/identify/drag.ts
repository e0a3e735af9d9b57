/**
 * Coulomb friction, viscous part and Stribeck speed from drags at constant load and several speeds (Gonthier 2007, 3.3): μ = F_t/F_n of steady
 * sliding against the speed, as the bristle law of this project answers it (3.28)–(3.42). Bins with a changing speed are left out.
 *
 * What the speeds do not show is refused: drags far above the Stribeck speed say nothing of it, nor of stiction.
 */
import { BerthError } from '../base/errors.ts';
import { binned } from './bins.ts';
import { identify, type Identification } from './estimate.ts';
import type { Parameter } from './parameter.ts';
import { ONE_ALONE } from './team.ts';
import { Probe } from './probe.ts';

/** Samples of drags in the order of time. */
export interface DragData {
  /** Slip, m/s, ≥ 0. */
  readonly speed: Float64Array;
  /** Normal force, N. */
  readonly force: Float64Array;
  /** Friction against the motion, N. */
  readonly friction: Float64Array;
}

/** Result of drags. */
export interface DragResult {
  readonly identification: Identification;
  /** Means of the bins that were used, and the friction number of the law there. */
  readonly speeds: Float64Array;
  readonly loads: Float64Array;
  readonly ratios: Float64Array;
  readonly fitted: Float64Array;
  /** Bins that were left out: no slip, no load, or a changing speed. */
  readonly unused: number;
}

const MOST_BINS = 400;
/** Least load and slip of a bin as multiples of their noise. */
const LEAST_SIGNAL = 5;
/** Change of the speed between neighbouring bins that still counts as steady. */
const STEADY = 0.05;
const LEAST_BINS = 8;
/** Speeds have to differ by this factor. */
const LEAST_FACTOR = 1.5;
/** Bristles of the probe are stiff and quick, so that steady sliding comes soon: σ0, 1/m, and σ1, s/m. */
const BRISTLE_STIFFNESS = 1e5;
const BRISTLE_DAMPING = 316;
const SETTLE_s = 0.06;
/** Any load: friction is in proportion to it. */
const LOAD = { depth: 1e-3, stiffness: 1e4 };

/** Identifies the law. @throws BerthError for data without steady sliding at different speeds */
export function identifyDrag(data: DragData, confidence: number, team = ONE_ALONE): DragResult {
  const { count, size, means, noise } = binned([data.speed, data.force, data.friction], MOST_BINS);
  const [v, n, t] = means;
  const sigma = noise.map((one) => one / Math.sqrt(size));
  const used = [...v.keys()].filter(
    (i) =>
      n[i] > LEAST_SIGNAL * sigma[1] &&
      v[i] > LEAST_SIGNAL * sigma[0] &&
      v[i] > 0 &&
      isSteady(v, i, sigma[0]),
  );
  const speeds = Float64Array.from(used, (i) => v[i]);
  const [least, most] = [Math.min(...speeds), Math.max(...speeds)];
  if (used.length < LEAST_BINS || !(most > LEAST_FACTOR * least)) {
    const found =
      used.length < LEAST_BINS
        ? `${used.length} of ${count} means are of steady sliding under load`
        : `all of them are near ${most.toPrecision(3)} m/s`;
    throw new BerthError(
      'BERTH_MISMATCH',
      `speed: ${found}; allowed: ${LEAST_BINS} means or more of steady sliding, at speeds that differ by a factor of ${LEAST_FACTOR}`,
      { field: 'speed' },
    );
  }
  const ratios = Float64Array.from(used, (i) => t[i] / n[i]);
  // noise of a ratio: of the friction, and of the load with μ
  const errors = used.map((i, k) => {
    const ofLoad = ratios[k] * sigma[1];
    return Math.sqrt(sigma[2] * sigma[2] + ofLoad * ofLoad) / n[i];
  });
  const slow = Math.max(1e-4, least / 10);
  const number = (
    name: string,
    unit: string,
    start: number,
    low: number,
    high: number,
  ): Parameter => ({
    name,
    unit,
    start,
    low,
    high,
    logarithmic: false,
  });
  const middle = [...ratios].sort((a, b) => a - b)[Math.floor(ratios.length / 2)];
  const parameters = [
    {
      ...number('coulomb', '1', Math.min(2, Math.max(0.002, middle)), 0.001, 3),
      logarithmic: true,
    },
    number('viscous_damping', 's/m', 0, 0, 2 / most),
    number('stiction_less_coulomb', '1', 0.05, 0, 2),
    {
      ...number('stribeck_velocity', 'm/s', Math.sqrt(slow * most), slow, most),
      logarithmic: true,
    },
  ];
  const fitted = new Float64Array(used.length);
  const distinct = groupedSpeeds(speeds);
  const evaluate = (values: ArrayLike<number>, out: Float64Array): void => {
    const friction = distinct.values.map((speed) => steadyFriction(values, speed));
    for (let k = 0; k < fitted.length; k++) {
      fitted[k] = friction[distinct.of[k]];
      out[k] = (ratios[k] - fitted[k]) / errors[k];
    }
  };
  const identification = identify({
    parameters,
    rows: used.length,
    residuals: evaluate,
    robust: true,
    confidence,
    team,
  });
  evaluate(identification.values, new Float64Array(fitted.length));
  return {
    identification,
    speeds,
    loads: Float64Array.from(used, (i) => n[i]),
    ratios,
    fitted: fitted.slice(),
    unused: count - used.length,
  };
}

function isSteady(v: Float64Array, i: number, sigma: number): boolean {
  const allowed = Math.max(STEADY * v[i], LEAST_SIGNAL * sigma);
  const near = [v[i - 1], v[i + 1]].filter((one) => one !== undefined);
  return near.every((one) => Math.abs(one - v[i]) <= allowed);
}

/** Speeds within one per cent of each other answer as one: their mean. */
function groupedSpeeds(speeds: Float64Array): { values: number[]; of: Int32Array } {
  const order = [...speeds.keys()].sort((a, b) => speeds[a] - speeds[b]);
  const of = new Int32Array(speeds.length);
  const groups: number[][] = [];
  let first = -1;
  for (const i of order) {
    if (first < 0 || speeds[i] > 1.01 * first) {
      groups.push([]);
      first = speeds[i];
    }
    groups[groups.length - 1].push(speeds[i]);
    of[i] = groups.length - 1;
  }
  return { values: groups.map((g) => g.reduce((sum, one) => sum + one, 0) / g.length), of };
}

/** Friction number of the bristle law in steady sliding. */
function steadyFriction(values: ArrayLike<number>, speed: number): number {
  const stribeckVelocity = values[3];
  const probe = new Probe(
    {
      kind: 'hysteretic',
      stiffness: LOAD.stiffness,
      exponent: 1,
      restitution: 1,
      smallVelocity: 1e-3,
      relaxationTime: 0,
    },
    {
      kind: 'bristle',
      stiction: values[0] + values[2],
      coulomb: values[0],
      bristleStiffness: BRISTLE_STIFFNESS,
      bristleDamping: BRISTLE_DAMPING,
      viscousDamping: values[1],
      stribeckVelocity,
      dwellTime: 0,
      velocityTolerance: stribeckVelocity / 100,
      startsSticking: true,
    },
  );
  return probe.frictionAt(speed, LOAD.depth, SETTLE_s);
}
