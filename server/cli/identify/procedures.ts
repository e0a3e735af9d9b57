/** The procedures of `berth identify`: which columns each one needs, and what it finds in them. */
import type { Estimate, Identification } from '../../../src/identify/estimate.ts';
import { identifyDrag } from '../../../src/identify/drag.ts';
import { identifyPress } from '../../../src/identify/press.ts';
import type { MeasuredData, WantedColumn } from './measured-data.ts';

/** What the options say. */
export interface Choice {
  /** Exponent of the press; null to identify it. */
  readonly exponent: number | null;
  readonly confidence: number;
}

/** One parameter for people and for the file. */
export interface Found {
  /** Field of a scenario, or what comes nearest. */
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Why there is no value; empty for one that is identified. */
  readonly refusal: string;
}

/** What a procedure found. */
export interface Findings {
  readonly parameters: readonly Found[];
  /** Further figures, a line each. */
  readonly lines: readonly string[];
  readonly identification: Identification;
}

/** A procedure. */
export interface Procedure {
  readonly columns: readonly WantedColumn[];
  find(data: MeasuredData, choice: Choice): Findings;
}

const digits = (value: number): string => value.toPrecision(4);

/** Why an estimate is no value; empty for one that is. */
function refusalOf({ status, parameter, combination }: Estimate): string {
  if (status === 'identified') return '';
  if (status === 'no-effect') return 'the data do not depend on it';
  if (status === 'at-bound')
    return `at its bound, which goes from ${digits(parameter.low)} to ${digits(parameter.high)}`;
  const names = combination.map(({ name, change }) => `${name} ${digits(change)}`);
  return `known only together with others; changes that do not show: ${names.join(', ')}`;
}

function foundOf(estimate: Estimate, name: string, unit: string): Found {
  const { value, low, high } = estimate;
  return { name, unit, value, low, high, refusal: refusalOf(estimate) };
}

const STIFFNESS_NAMES = new Map([
  [1, ['stiffness_N_per_m', 'N/m']],
  [1.5, ['stiffness_N_per_m1_5', 'N/m^1.5']],
  [2, ['stiffness_N_per_m2', 'N/m^2']],
]);

function press({ columns }: MeasuredData, { exponent, confidence }: Choice): Findings {
  const { place, force } = columns;
  const result = identifyPress({ place, force }, { exponent, confidence });
  const { identification, tangent, resolved, largestForce, noise } = result;
  const [first, height, power] = identification.estimates;
  const needed = (20 * noise[0] * tangent).toPrecision(2);
  const unresolved =
    tangent > resolved
      ? `not identifiable: the slope at ${digits(largestForce)} N is ${digits(tangent)} N/m, and with ${digits(noise[0])} m of noise only slopes up to ${digits(resolved)} N/m are; about ${needed} N would be needed`
      : '';
  const known = exponent === null ? undefined : STIFFNESS_NAMES.get(exponent);
  const [name, unit] = known ?? ['reference_force_N', 'N'];
  const stiffness = foundOf(first, name, unit);
  const parameters = [
    { ...stiffness, refusal: stiffness.refusal === '' ? unresolved : stiffness.refusal },
    foundOf(height, 'height_m', 'm'),
  ];
  if (exponent === null) parameters.push(foundOf(power, 'exponent', '1'));
  const lines = [
    `largest force ${digits(largestForce)} N, slope of the law there ${digits(tangent)} N/m; slopes up to ${digits(resolved)} N/m can be identified`,
    `noise of a sample: place ${digits(noise[0])} m, force ${digits(noise[1])} N`,
  ];
  if (exponent === null) lines.push(`reference_depth_m: ${result.referenceDepth}`);
  return { parameters, lines, identification };
}

const DRAG_NAMES = [
  ['coulomb', '1'],
  ['viscous_damping_s_per_m', 's/m'],
  ['stiction_less_coulomb', '1'],
  ['stribeck_velocity_mps', 'm/s'],
];

function drag({ columns }: MeasuredData, { confidence }: Choice): Findings {
  const { speed, force, friction } = columns;
  const { identification, speeds, unused } = identifyDrag({ speed, force, friction }, confidence);
  const parameters = identification.estimates.map((estimate, i) =>
    foundOf(estimate, DRAG_NAMES[i][0], DRAG_NAMES[i][1]),
  );
  const [least, most] = [Math.min(...speeds), Math.max(...speeds)];
  const lines = [
    `${speeds.length} means of steady sliding from ${digits(least)} to ${digits(most)} m/s, ${unused} left out`,
  ];
  return { parameters, lines, identification };
}

/** Every procedure by its name. */
export const PROCEDURES: Readonly<Record<string, Procedure>> = {
  press: {
    columns: [
      { name: 'place', unit: 'm' },
      { name: 'force', unit: 'N' },
    ],
    find: press,
  },
  drag: {
    columns: [
      { name: 'speed', unit: 'm/s' },
      { name: 'force', unit: 'N' },
      { name: 'friction', unit: 'N' },
    ],
    find: drag,
  },
};
