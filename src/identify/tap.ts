/**
 * Restitution from taps of an arm that is led (Gonthier 2007, 3.3 and 5.1.4). Such an arm is no free mass: it comes back by its gain and its delay, and the ratio of
 * its speeds says nothing. But the force at the measured motion obeys the law, F = k d^p (1 + A d'), A = d(e)/(e v_i) by (3.19) to (3.25): loading and unloading
 * differ by it. So the normal law of this project is driven by the measured motion of each contact, and the force that comes out is compared with the measured one
 * (output error). k, the height of the plate and e are common to all contacts; the impact speed v_i is that of each one where its motion passes the plate.
 *
 * A sensor that lags by T makes a hysteresis of its own: F changes by −T p F d'/d, beside F A d'. Both grow with d', but one with F/d and the other with F, so that
 * they are apart by the depth within one contact. Taps at several speeds tell little: where a motion scales, d grows with v_i^0.8, and p/d falls with v_i^−0.8 as A does
 * with v_i^−1. The lag is a parameter, a shift of time, and with it the variance of a filter,
 * which is no shift from (ωT)²/2 on, 4 % at 2 ms and the 20 Hz of a contact.
 *
 * Errors: those of the smoothed motion follow each other over a contact. Their covariance is known, and that of a force is C = σ_F² + J Σ Jᵀ with J = ∂F/∂(d, d');
 * residuals are L⁻¹ r with C = L Lᵀ at the parameters of the moment, as orthogonal regression has it. A place that is wrong by 0.2 µm all over a contact
 * is 0.6 % of the force at 50 µm, and no hysteresis: it costs stiffness and height, not restitution. Speeds that are wrong by 20 µm/s are 0.3 % of A d'.
 */
import { BerthError } from '../base/errors.ts';
import { pow } from '../math/elementary/power.ts';
import { elasticGuess } from './elastic-guess.ts';
import { identify, type Identification } from './estimate.ts';
import type { Parameter } from './parameter.ts';
import { ONE_ALONE } from './team.ts';
import { LEAST_SAMPLES, type TapData, type TapSpans, tapSpans } from './tap-contacts.ts';
import { fittingSpacing, replay, TapContact, TapErrors, type TapValues } from './tap-replay.ts';

/** What is asked of taps. */
export interface TapChoice {
  /** Whether the slope over speed is identified, too. */
  readonly slope: boolean;
  /** Exponent p; null to identify it, too. */
  readonly exponent: number | null;
  readonly confidence: number;
}

/** One contact as it was measured and as the law has it. */
export interface Tap {
  /** Of the touch, s. */
  readonly time: number;
  /** Of the impact, m/s. */
  readonly speed: number;
  readonly restitution: number;
  /** Depth, m, measured force and that of the law, N, sample by sample. */
  readonly depths: Float64Array;
  readonly forces: Float64Array;
  readonly fitted: Float64Array;
}

/** Result of taps. */
export interface TapResult {
  /** Stiffness or reference force, height, restitution, lag; then the slope and the exponent where they are asked for. */
  readonly identification: Identification;
  readonly taps: readonly Tap[];
  /** Depth at which a free exponent has its reference force, m. */
  readonly referenceDepth: number;
  /** Largest force, N, and the slope of the law there, N/m; slope above which the data hold no stiffness. */
  readonly largestForce: number;
  readonly tangent: number;
  readonly resolved: number;
  /** Noise of a sample: place, m, speed, m/s, force, N; samples from knot to knot of the smoothed motion. */
  readonly noise: readonly [number, number, number];
  readonly spacing: number;
  /** Contacts that were left out: see TapSpans; and those too slow beside the fastest. */
  readonly gaps: number;
  readonly unfree: number;
  readonly short: number;
  readonly slow: number;
}

/** The lag of the sensor is within this, s. */
const MOST_LAG_s = 0.01;
const MOST_BLUR_s2 = 2.5e-5;
/** Impacts count from this share of the fastest one on, and from so many times the noise of the speed. */
const LEAST_SHARE = 0.2;
const LEAST_SIGNAL = 20;
/** Speeds have to differ by this share of the largest for a slope, and at so many contacts. */
const LEAST_SPREAD = 0.2;
const LEAST_CONTACTS = 3;
/** Range of the restitution. */
const LEAST_RESTITUTION = 0.01;
/** Range of the stiffness about its start, and of the height about its start in ways of the press. */
const STIFFNESS_RANGE = 1e3;
const HEIGHT_RANGE = 2;
/** The way of a contact over the noise of the place, as for a press. */
const LEAST_WAY = 20;
/** Step of a difference along the depth as a share of the way. */
const DIFFERENCE = 1e-3;

/** Identifies the law. @throws BerthError for data without taps, or too few of them for a slope */
export function identifyTap(data: TapData, choice: TapChoice, team = ONE_ALONE): TapResult {
  const { slope, confidence } = choice;
  const found = tapSpans(data, MOST_LAG_s);
  const { period, noise, forceNoise, gaps, short } = found;
  const spacing = fittingSpacing(data, found);
  const all = found.spans.map((span) => new TapContact(data, found, spacing, span));
  const fastest = all.reduce((most, { speed }) => Math.max(most, speed), 0);
  const steady = all.filter(({ free }) => free);
  const unfree = found.unfree + all.length - steady.length;
  const contacts = steady.filter(
    ({ speed }) => speed > Math.max(LEAST_SHARE * fastest, LEAST_SIGNAL * noise.rate),
  );
  const slow = steady.length - contacts.length;
  if (contacts.length === 0) throw noTaps({ ...found, unfree }, slow);
  const speeds = contacts.map(({ speed }) => speed);
  const [least, most] = [Math.min(...speeds), Math.max(...speeds)];
  if (slope && !(contacts.length >= LEAST_CONTACTS && most - least > LEAST_SPREAD * most)) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `rate: ${contacts.length} taps from ${least.toPrecision(3)} to ${most.toPrecision(3)} m/s hold no slope over speed; allowed: ${LEAST_CONTACTS} or more at speeds that differ by ${100 * LEAST_SPREAD} %`,
      { field: 'rate' },
    );
  }
  const { parameters, way, valuesOf, largest } = searched(contacts, choice, most);
  const part = contacts.flatMap(({ count }, k) => Array.from({ length: count }, () => k));
  const rows = part.length;
  const errors = new TapErrors(forceNoise, DIFFERENCE * way);
  const identification = identify({
    parameters,
    rows,
    residuals: (values, out) => {
      const now = valuesOf(values);
      let at = 0;
      for (const one of contacts) {
        errors.residuals(one, now, period, out, at);
        at += one.count;
      }
    },
    robust: true,
    part: (row) => part[row],
    confidence,
    team,
  });
  const now = valuesOf(identification.values);
  const taps = contacts.map((one): Tap => {
    const speed = replay(one, now, period);
    return {
      time: one.time,
      speed,
      restitution: now.restitutionAt(speed),
      depths: one.gap.map((gap) => -gap),
      forces: one.forces,
      fitted: one.fitted.slice(),
    };
  });
  return {
    identification,
    taps,
    referenceDepth: way,
    largestForce: largest,
    tangent: (now.exponent * largest) / pow(largest / now.stiffness, 1 / now.exponent),
    resolved: largest / (LEAST_WAY * noise.place),
    noise: [noise.place, noise.rate, forceNoise],
    spacing,
    gaps,
    unfree,
    short,
    slow,
  };
}

interface Searched {
  readonly parameters: readonly Parameter[];
  /** Depth at the largest force, m, and that force, N. */
  readonly way: number;
  readonly largest: number;
  readonly valuesOf: (values: ArrayLike<number>) => TapValues;
}

/** What is searched, from where on. */
function searched(
  contacts: readonly TapContact[],
  { slope, exponent }: TapChoice,
  fastest: number,
): Searched {
  const joined = (pick: (one: TapContact) => Float64Array): Float64Array =>
    Float64Array.from(contacts.flatMap((one) => [...pick(one)]));
  for (const one of contacts) one.shift(0, 0);
  const forces = joined(({ forces: of }) => of);
  const largest = forces.reduce((most, one) => Math.max(most, one), 0);
  const guess = elasticGuess(
    joined(({ gap }) => gap),
    forces,
    largest,
    exponent ?? 1.5,
  );
  const { way } = guess;
  const free = exponent === null;
  const start = free ? guess.stiffness * pow(way, 1.5) : guess.stiffness;
  const parameter = (name: string, unit: string, at: number, low: number, high: number) => ({
    ...{ name, unit, start: at, low, high },
    logarithmic: false,
  });
  const parameters: Parameter[] = [
    {
      ...parameter(free ? 'force' : 'stiffness', free ? 'N' : 'N/m^p', start, 0, 0),
      low: start / STIFFNESS_RANGE,
      high: start * STIFFNESS_RANGE,
      logarithmic: true,
    },
    parameter(
      'height',
      'm',
      guess.height,
      guess.height - HEIGHT_RANGE * way,
      guess.height + HEIGHT_RANGE * way,
    ),
    parameter('restitution', '1', 0.7, LEAST_RESTITUTION, 1),
    parameter('lag', 's', 0, -MOST_LAG_s, MOST_LAG_s),
    parameter('blur', 's²', 0, -MOST_BLUR_s2, MOST_BLUR_s2),
  ];
  if (slope) parameters.push(parameter('slope', 's/m', 0, -1 / fastest, 1 / fastest));
  if (free) parameters.push(parameter('exponent', '1', 1.5, 1, 3));
  const valuesOf = (values: ArrayLike<number>): TapValues => {
    const p = exponent ?? values[values.length - 1];
    const [e, alpha] = [values[2], slope ? values[5] : 0];
    return {
      exponent: p,
      stiffness: free ? values[0] / pow(way, p) : values[0],
      height: values[1],
      lag: values[3],
      blur: values[4],
      restitutionAt: (speed) => Math.min(1, Math.max(LEAST_RESTITUTION, e - alpha * speed)),
    };
  };
  return { parameters, way, largest, valuesOf };
}

function noTaps({ gaps, unfree, short }: TapSpans, slow: number): BerthError {
  const reasons = [
    [gaps, 'with a gap, or a place that does not follow its rate'],
    [unfree, 'without free motion before'],
    [short, `with less than ${LEAST_SAMPLES} samples`],
    [slow, 'too slow'],
  ].flatMap(([count, why]) => (count === 0 ? [] : [`${count} ${why}`]));
  const why =
    reasons.length === 0 ? 'there is no touch' : `there are touches ${reasons.join(', ')}`;
  return new BerthError(
    'BERTH_MISMATCH',
    `force: ${why}, and none that counts; allowed: taps that begin in free motion, sampled evenly, with the rate of the place (below 0 on the way in)`,
    { field: 'force' },
  );
}
