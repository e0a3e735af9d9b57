/** `berth identify --procedure breakaway`: stiction and dwell time from breakaways after rests. */
import { identifyBreakaway } from '../../../src/identify/breakaway.ts';
import {
  type Choice,
  type Findings,
  foundOf,
  type Procedure,
  fitPlot,
  sumFound,
  spanOf,
} from './findings.ts';
import type { MeasuredData } from './measured-data.ts';

const NAMES = [
  ['coulomb', '1'],
  ['stiction_less_coulomb', '1'],
  ['dwell_time_s', 's'],
];

function breakaway({ columns }: MeasuredData, { confidence }: Choice): Findings {
  const { dwell, force, friction } = columns;
  const result = identifyBreakaway({ dwell, force, friction }, confidence);
  const { identification, ratios, fitted } = result;
  const { estimates } = identification;
  const parameters = estimates.map((one, i) => foundOf(one, NAMES[i][0], NAMES[i][1]));
  const stiction = estimates[0].value + estimates[1].value;
  const lines = [`stiction ${stiction.toPrecision(4)} is the sum of both`];
  return {
    parameters: [...parameters, ...sumFound(identification, 'stiction', 0, 1)],
    lines,
    range: { force_N: spanOf(force), dwell_s: spanOf(dwell) },
    plots: [
      fitPlot(
        'Friction number of a breakaway over the rest',
        ['rest, s', 'friction number'],
        dwell,
        ratios,
        fitted,
      ),
    ],
    identification,
  };
}

/** A table of breakaways. */
export const BREAKAWAY: Procedure = {
  columns: [
    { name: 'dwell', unit: 's' },
    { name: 'force', unit: 'N', mayBeConstant: true },
    { name: 'friction', unit: 'N' },
  ],
  find: breakaway,
};
