/**
 * A payload that a free body of this project is, found again from what a force sensor under it measures. Tolerances are three standard errors of each
 * parameter beside its bias alone: the noise of a sample over the root of the sum of squares of what it is multiplied with, about its mean.
 */
import { identifyPayload, type PayloadChoice } from '../../src/identify/payload.ts';
import { curve, type Figure, independent, type Plot } from './case.ts';
import { GRAVITY, MASS, measured, shaken, TARE, TRUTH } from './payload-bench.ts';

const SAMPLES = 5000;
const [NOISE_N, NOISE_Nm] = [1, 0.1];
const ERRORS = 3;
const AXES = ['x', 'y', 'z'];
const ONES = [1, 1, 1, 1, 1, 1];
const CHOICE: PayloadChoice = {
  ...{ gravity: GRAVITY, mass: null, center: null, tared: false, confidence: 0.95 },
};
/** What is drawn, s. */
const DRAWN_s = 6;
const MARKED = 15;

/** Sum of squares about the mean. */
function spreadOf(values: readonly number[]): number {
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
  return values.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
}

/** Figures of the payload, and force over time. */
export function payloadPart(): {
  readonly figures: readonly Figure[];
  readonly plots: readonly Plot[];
} {
  const motion = shaken(SAMPLES, 1, 1);
  const result = identifyPayload(measured(motion, 19, ONES), CHOICE);
  const found = new Map(
    result.identification.estimates.map(({ parameter, value }) => [parameter.name, value]),
  );
  const { time, twist, orientation } = measured(motion, 19, ONES, 0);
  const step = time[1] - time[0];
  // f of the payload over its mass is s − what its centre has of ẇ and w: near enough for an error
  const pull = AXES.map((_, a) => spreadOf(motion.rows.map((row) => row[11 + a] / MASS)));
  const across = (a: number): number => pull[(a + 1) % 3] + pull[(a + 2) % 3];
  const turned = motion.rows.map((_, i) =>
    AXES.map((_axis, a) => {
      const own = (at: number): number =>
        AXES.reduce((sum, _one, k) => sum + motion.rotations[at][3 * k + a] * twist[3 + k][at], 0);
      return i === 0 ? 0 : (own(i) - own(i - 1)) / step;
    }),
  );
  const figure = (what: string, unit: string, name: string, error: number): Figure =>
    independent(what, unit, found.get(name)!, TRUTH.get(name)!, ERRORS * error);
  const total = pull[0] + pull[1] + pull[2];
  const each = Math.sqrt(orientation[0].length);
  const tared = identifyPayload(measured(motion, 20, ONES, 1, TARE), { ...CHOICE, tared: true });
  // in the base frame gravity is constant, and what the force varies by is the acceleration of the centre
  const shake = AXES.map((_, a) =>
    spreadOf(turnedToBase(motion.rows, motion.rotations, a).map((one) => one / MASS)),
  );
  return {
    figures: [
      figure('mass of a payload', 'kg', 'mass', NOISE_N / Math.sqrt(total)),
      ...AXES.map((axis, a) =>
        figure(
          `centre of the payload, ${axis}`,
          'm',
          `center_${axis}`,
          NOISE_Nm / (MASS * Math.sqrt(across(a))),
        ),
      ),
      ...AXES.map((axis, a) =>
        figure(
          `moment of inertia of the payload, ${axis}${axis}`,
          'kg m^2',
          `inertia_${axis}${axis}`,
          NOISE_Nm / Math.sqrt(spreadOf(turned.map((one) => one[a]))),
        ),
      ),
      ...AXES.map((axis) =>
        figure(`bias of the force sensor, ${axis}`, 'N', `bias_force_${axis}`, NOISE_N / each),
      ),
      ...AXES.map((axis) =>
        figure(`bias of its moment, ${axis}`, 'N m', `bias_moment_${axis}`, NOISE_Nm / each),
      ),
      independent(
        'mass of a payload whose sensor was tared in the base frame',
        'kg',
        tared.identification.values[0],
        MASS,
        (ERRORS * NOISE_N) / Math.sqrt(shake[0] + shake[1] + shake[2]),
      ),
    ],
    plots: [plotOf(result)],
  };
}

/** A component of the force on the sensor in the base frame. */
const turnedToBase = (
  rows: readonly (readonly number[])[],
  rotations: readonly Float64Array[],
  a: number,
): number[] =>
  rows.map((row, i) => AXES.reduce((sum, _, k) => sum + rotations[i][3 * a + k] * row[11 + k], 0));

function plotOf({ time, wrench, fitted }: ReturnType<typeof identifyPayload>): Plot {
  const count = time.findIndex((one) => one > DRAWN_s);
  const x = [...time.subarray(0, count)];
  const thin = (values: readonly number[]): number[] => values.filter((_, i) => i % MARKED === 0);
  return {
    title: `Force of a payload on its sensor, frame of the tool, every ${MARKED}th mean`,
    xLabel: 'time, s',
    yLabel: 'force, N',
    curves: AXES.flatMap((axis, a) => [
      {
        name: `${axis} measured`,
        kind: 'points',
        x: thin(x),
        y: thin([...wrench[a].subarray(0, count)]),
      },
      curve(`${axis}, law found`, x, [...fitted[a].subarray(0, count)]),
    ]),
  };
}
