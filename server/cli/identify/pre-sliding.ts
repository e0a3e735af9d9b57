/** `berth identify --procedure pre-sliding`: bristle stiffness from a slow push below breakaway. */
import { identifyPreSliding } from '../../../src/identify/pre-sliding.ts';
import { type Choice, digits, type Findings, foundOf, type Procedure, spanOf } from './findings.ts';
import type { MeasuredData } from './measured-data.ts';

function preSliding({ columns }: MeasuredData, { confidence }: Choice): Findings {
  const { travel, force, friction } = columns;
  const result = identifyPreSliding({ travel, force, friction }, confidence);
  const { identification, way, leastWay, slid } = result;
  const [stiffness, , limit] = identification.estimates;
  const found = foundOf(stiffness, 'bristle_stiffness_per_m', '1/m');
  const unresolved =
    way < leastWay
      ? `not identifiable: a way of ${digits(way)} m, and with the noise of the travel only ways above ${digits(leastWay)} m are`
      : '';
  const parameters = [
    { ...found, refusal: found.refusal === '' ? unresolved : found.refusal },
    ...(slid ? [foundOf(limit, 'breakaway', '1')] : []),
  ];
  const lines = [
    `the friction number goes through its change in ${digits(way)} m of travel; ways above ${digits(leastWay)} m can be identified`,
    slid
      ? 'the contact slid: breakaway is where that began'
      : 'the contact did not slide: the data hold no breakaway',
  ];
  return { parameters, lines, range: { force_N: spanOf(force) }, plots: [], identification };
}

/** A slow push. */
export const PRE_SLIDING: Procedure = {
  columns: [
    { name: 'travel', unit: 'm' },
    { name: 'force', unit: 'N', mayBeConstant: true },
    { name: 'friction', unit: 'N' },
  ],
  find: preSliding,
};
