/** `berth identify --procedure press`: stiffness, exponent and height of the plate. */
import { identifyPress } from '../../../src/identify/press.ts';
import {
  type Choice,
  digits,
  type Findings,
  foundOf,
  type Procedure,
  fitPlot,
} from './findings.ts';
import type { MeasuredData } from './measured-data.ts';
import { stiffnessOf } from './stiffness.ts';

function press({ columns }: MeasuredData, { exponent, confidence }: Choice): Findings {
  const { place, force } = columns;
  const result = identifyPress({ place, force }, { exponent, confidence });
  const { identification, tangent, resolved, largestForce, noise } = result;
  const [first, height, power] = identification.estimates;
  const resolution = { largestForce, tangent, resolved, noise: noise[0] };
  const parameters = [stiffnessOf(first, exponent, resolution), foundOf(height, 'height_m', 'm')];
  if (exponent === null) parameters.push(foundOf(power, 'exponent', '1'));
  const lines = [
    `largest force ${digits(largestForce)} N, slope of the law there ${digits(tangent)} N/m; slopes up to ${digits(resolved)} N/m can be identified`,
    `noise of a sample: place ${digits(noise[0])} m, force ${digits(noise[1])} N`,
  ];
  if (exponent === null) lines.push(`reference_depth_m: ${result.referenceDepth}`);
  const { places, forces, fitted } = result;
  return {
    parameters,
    lines,
    range: { force_N: [0, largestForce], depth_m: [0, result.height - Math.min(...places)] },
    plots: [fitPlot('Force over place, means', ['place, m', 'force, N'], places, forces, fitted)],
    identification,
  };
}

/** A slow press. */
export const PRESS: Procedure = {
  columns: [
    { name: 'place', unit: 'm' },
    { name: 'force', unit: 'N' },
  ],
  find: press,
};
