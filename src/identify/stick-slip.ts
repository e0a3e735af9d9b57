/**
 * Dwell time and stiction from a stick-slip rig (Bowden and Leben; Gonthier 2007, 3.3 and 5.1.2): a block on a moving plate, held by a spring.
 * Data are peaks of the friction force. The first one of a run is of a block that has stuck for long, and shows stiction; later ones are the lower
 * the faster the plate is, as the block has less time to stick (3.36), (3.37). Each speed is a run of the rig as its model has it.
 */
import { BerthError } from '../base/errors.ts';
import type { SystemModel } from '../model/model.ts';
import { identify, type Identification } from './estimate.ts';
import type { Parameter } from './parameter.ts';
import { ONE_ALONE } from './team.ts';
import { type DwellingLaw, peaksOf, rigOf } from './stick-slip-rig.ts';

/** One peak. */
export interface StickSlipPeak {
  /** Of the plate, m/s, > 0. */
  readonly speed: number;
  /** 1 for the first peak of a run. */
  readonly cycle: number;
  /** Largest friction force of the cycle, N. */
  readonly peak: number;
}

/** Result of a rig. */
export interface StickSlipResult {
  /** Dwell time, and stiction where there are first peaks. */
  readonly identification: Identification;
  /** Peaks of the model, N, in the order of the data. */
  readonly fitted: Float64Array;
}

const DWELL_RANGE = 100;
/** A peak is that of a step: it jumps with the step of breakaway, and differences have to be wide. */
const DIFFERENCE = 0.02;

/** Identifies the law of a rig. @throws BerthError for a model that is no such rig, or peaks that say nothing of the dwell time */
export function identifyStickSlip(
  model: SystemModel,
  peaks: readonly StickSlipPeak[],
  confidence: number,
  team = ONE_ALONE,
): StickSlipResult {
  const rig = rigOf(model);
  const { law } = rig;
  checkPeaks(peaks);
  const least = leastDwell(law);
  const parameters: Parameter[] = [
    {
      name: 'dwell_time',
      unit: 's',
      start: Math.max(law.dwellTime, 10 * least),
      low: least,
      high: DWELL_RANGE * Math.max(1, law.dwellTime),
      logarithmic: true,
      difference: DIFFERENCE,
    },
  ];
  if (peaks.some(({ cycle }) => cycle === 1)) {
    parameters.push({
      name: 'stiction',
      unit: '1',
      start: Math.max(law.stiction, 1.1 * law.coulomb),
      low: law.coulomb,
      high: 10 * law.coulomb,
      logarithmic: true,
      difference: DIFFERENCE,
    });
  }
  const fitted = new Float64Array(peaks.length);
  const speeds = [...new Set(peaks.map(({ speed }) => speed))];
  const evaluate = (values: ArrayLike<number>, out: Float64Array): void => {
    const changed = { ...law, dwellTime: values[0], stiction: values[1] ?? law.stiction };
    for (const speed of speeds) {
      const cycles = peaks.map((one) => (one.speed === speed ? one.cycle : 0));
      const found = peaksOf(rig, changed, speed, Math.max(...cycles));
      for (const [i, { peak }] of peaks.entries()) {
        if (cycles[i] === 0) continue;
        fitted[i] = found[cycles[i] - 1] ?? NaN;
        out[i] = peak - fitted[i];
      }
    }
  };
  const start = Float64Array.from(parameters, (one) => one.start);
  evaluate(start, new Float64Array(peaks.length));
  const missing = fitted.findIndex(Number.isNaN);
  if (missing >= 0) {
    const { cycle, speed } = peaks[missing];
    throw new BerthError(
      'BERTH_MISMATCH',
      `cycle: the rig of the scenario has no peak ${cycle} at ${speed} m/s, as it slides there; allowed: peaks at speeds at which it sticks and slips`,
      { field: 'cycle' },
    );
  }
  const identification = identify({
    parameters,
    rows: peaks.length,
    residuals: evaluate,
    robust: false,
    confidence,
    team,
  });
  evaluate(identification.values, new Float64Array(peaks.length));
  return { identification, fitted: fitted.slice() };
}

function checkPeaks(peaks: readonly StickSlipPeak[]): void {
  const refused = (field: string, text: string): BerthError =>
    new BerthError('BERTH_MISMATCH', `${field}: ${text}`, { field });
  for (const { speed, cycle } of peaks) {
    if (!(Number.isInteger(cycle) && cycle > 0))
      throw refused('cycle', `${cycle} is no number of a cycle; allowed: 1, 2, …`);
    if (!(speed > 0)) throw refused('speed', `is ${speed} m/s; allowed: above 0`);
  }
  const later = peaks.filter(({ cycle }) => cycle > 1);
  if (new Set(later.map(({ speed }) => speed)).size < 2) {
    throw refused(
      'cycle',
      `${later.length} peaks are of cycle 2 or later, and not of two speeds: they say nothing of the dwell time; allowed: such peaks at two speeds or more`,
    );
  }
}

/** The law asks for a dwell time of ten times that of the bristles. */
const leastDwell = ({ bristleDamping, bristleStiffness }: DwellingLaw): number =>
  (10 * bristleDamping) / bristleStiffness;
