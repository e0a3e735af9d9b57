/** `berth identify --procedure pre-sliding`: stiffness and damping of a bristle from slow strokes below breakaway. */
import { BerthError } from '../../../src/base/errors.ts';
import {
  identifyPreSliding,
  type PreSlidingData,
  type PreSlidingResult,
} from '../../../src/identify/pre-sliding.ts';
import { longestUnderLoad } from '../../../src/identify/under-load.ts';
import {
  type Choice,
  digits,
  type Findings,
  type Found,
  foundOf,
  type Procedure,
  spanOf,
} from './findings.ts';
import type { MeasuredData } from './measured-data.ts';

/** Least rate, as a multiple of the noise of a mean of it: 1 % of the damping. */
const RATE_OF_NOISE = 10;

function preSliding({ columns }: MeasuredData, { confidence, forceDelay }: Choice): Findings {
  const data = aligned(strokesOf(columns), forceDelay);
  const result = identifyPreSliding(data, confidence);
  const { identification, way, leastWay, slid, rate } = result;
  const { estimates } = identification;
  const found = foundOf(estimates[0], 'bristle_stiffness_per_m', '1/m');
  const unresolved =
    way < leastWay
      ? `not identifiable: a way of ${digits(way)} m, and with the noise of the travel only ways above ${digits(leastWay)} m are`
      : '';
  const parameters = [
    { ...found, refusal: found.refusal === '' ? unresolved : found.refusal },
    ...(rate === null ? [] : [dampingOf(result, rate, unresolved)]),
    ...(slid ? [foundOf(estimates[estimates.length - 1], 'breakaway', '1')] : []),
  ];
  const lines = [
    `the friction number goes through its change in ${digits(way)} m of travel; ways above ${digits(leastWay)} m can be identified`,
    slid
      ? 'the contact slid: breakaway is where that began'
      : 'the contact did not slide: the data hold no breakaway',
    rate === null
      ? 'no speeds: the damping of the bristle is not looked for'
      : `rate of ${digits(rate.rms)} m/s; a force 1 ms behind the travel would take ${digits(1e-3 * estimates[0].value)} s/m from the damping`,
  ];
  const { ratios, fitted, places } = result;
  return {
    parameters,
    lines,
    range: { force_N: spanOf(data.force) },
    plots: [
      {
        title: 'Friction number over travel, means',
        xLabel: 'travel, m',
        yLabel: 'friction number',
        curves: [
          { name: 'measured', kind: 'points', x: [...places], y: [...ratios] },
          { name: 'law found', kind: 'points', x: [...places], y: [...fitted] },
        ],
      },
    ],
    identification,
  };
}

/** A table as it is; of a recording what is along the motion, while the tool presses. */
function strokesOf(columns: MeasuredData['columns']): PreSlidingData {
  const { travel, force, friction, speed, slip, drag } = columns as Partial<typeof columns>;
  if (slip === undefined || drag === undefined)
    return { travel, force, friction, speed } as PreSlidingData;
  const [from, to] = longestUnderLoad(force!);
  if (from === to) {
    throw new BerthError(
      'BERTH_MISMATCH',
      'force: the tool never presses along this axis; allowed: strokes under load, and --axis along the normal of the plate',
      { field: 'force' },
    );
  }
  const pressed = (column: Float64Array): Float64Array => column.subarray(from, to);
  return {
    travel: pressed(travel!),
    force: pressed(force!),
    friction: pressed(drag),
    speed: pressed(slip),
  };
}

/** The travel at the time of the force. @throws BerthError for a delay without speeds */
function aligned(data: PreSlidingData, delay: number): PreSlidingData {
  const { travel, speed } = data;
  if (delay === 0) return data;
  if (speed === undefined) {
    throw new BerthError(
      'BERTH_USAGE',
      `--force-delay is ${delay} s, and the data have no speeds; allowed: 0, or a column "speed"`,
      { field: '--force-delay' },
    );
  }
  return { ...data, travel: travel.map((x, i) => x - delay * speed[i]) };
}

/** The damping, or why the rates do not show it. */
function dampingOf(
  { identification, slid }: PreSlidingResult,
  { rms, noise }: NonNullable<PreSlidingResult['rate']>,
  unresolved: string,
): Found {
  const found = foundOf(identification.estimates[2], 'bristle_damping_s_per_m', 's/m');
  const turned = slid
    ? 'not identifiable from strokes that slide at their ends: what it adds shows where they turn; allowed: shorter ones'
    : '';
  const hidden =
    rms < RATE_OF_NOISE * noise
      ? `not identifiable: a rate of ${digits(rms)} m/s, and with the noise of the speed only rates above ${digits(RATE_OF_NOISE * noise)} m/s are`
      : found.refusal === '' && !(found.low > 0)
        ? `the rates do not show it: its interval, ${digits(found.low)} to ${digits(found.high)}, has none in it`
        : '';
  const refusal = [found.refusal, unresolved, turned, hidden].find((why) => why !== '') ?? '';
  return { ...found, refusal };
}

/** Slow strokes; the damping needs speeds. */
export const PRE_SLIDING: Procedure = {
  columns: [
    { name: 'travel', unit: 'm' },
    { name: 'force', unit: 'N', mayBeConstant: true },
    { name: 'friction', unit: 'N' },
    { name: 'speed', unit: 'm/s', optional: true, mayBeConstant: true },
  ],
  recorded: [
    { name: 'travel', unit: 'm' },
    { name: 'force', unit: 'N' },
    { name: 'drag', unit: 'N' },
    { name: 'slip', unit: 'm/s' },
  ],
  find: preSliding,
};
