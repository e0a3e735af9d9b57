/** `berth identify --procedure tilt`: angle between the plate and its thought normal, and bias of the sensor across it. */
import { identifyTilt } from '../../../src/identify/tilt.ts';
import { type Choice, digits, type Findings, foundOf, type Procedure } from './findings.ts';
import type { MeasuredData } from './measured-data.ts';

const NAMES = [
  ['slope_u', '1'],
  ['slope_v', '1'],
  ['bias_u_N', 'N'],
  ['bias_v_N', 'N'],
];
const DEGREE = Math.PI / 180;

function tilt({ columns }: MeasuredData, { confidence }: Choice): Findings {
  const { force, side_u: sideU, side_v: sideV } = columns;
  const {
    identification,
    tilt: angle,
    largestForce,
  } = identifyTilt({ force, sideU, sideV }, confidence);
  const parameters = identification.estimates.map((one, i) =>
    foundOf(one, NAMES[i][0], NAMES[i][1]),
  );
  const lines = [
    `plate tilted by ${digits(angle / DEGREE)} deg: ${digits(largestForce * Math.tan(angle))} N of side force at ${digits(largestForce)} N`,
  ];
  return { parameters, lines, range: {}, plots: [], identification };
}

/** A press with the forces across it. */
export const TILT: Procedure = {
  columns: [
    { name: 'force', unit: 'N' },
    { name: 'side_u', unit: 'N' },
    { name: 'side_v', unit: 'N' },
  ],
  find: tilt,
};
