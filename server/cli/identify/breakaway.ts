/** `berth identify --procedure breakaway`: stiction and dwell time from breakaways after rests. */
import { type BreakawayData, identifyBreakaway } from '../../../src/identify/breakaway.ts';
import { findBreakaways } from '../../../src/identify/rests.ts';
import {
  type Choice,
  digits,
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
  const { data, words } = tableOf(columns);
  const { dwell, force } = data;
  const { identification, ratios, fitted } = identifyBreakaway(data, confidence);
  const { estimates } = identification;
  const parameters = estimates.map((one, i) => foundOf(one, NAMES[i][0], NAMES[i][1]));
  const stiction = estimates[0].value + estimates[1].value;
  const lines = [...words, `stiction ${stiction.toPrecision(4)} is the sum of both`];
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

/** The table of a file, or that of the rests in a recording, and what a person should know of it. */
function tableOf(columns: MeasuredData['columns']): { data: BreakawayData; words: string[] } {
  const { dwell, force, friction, time, slip, drag } = columns as Partial<typeof columns>;
  if (time === undefined || slip === undefined || drag === undefined)
    return { data: { dwell, force, friction } as BreakawayData, words: [] };
  const found = findBreakaways({ time, slip, force: force!, friction: drag });
  const { rests, broken, falling, pull } = found;
  const words = [
    `${broken} of ${rests} rests after a slide end in a breakaway, ${found.dwell.length} windows of it; pulls of up to ${digits(pull)} m/s: the Stribeck speed has to be above ${digits(3 * pull)} m/s`,
    ...(falling === 0
      ? []
      : [
          `after ${falling} of them the friction falls: the pull is too fast, or the law another; only what is before counts`,
        ]),
  ];
  return { data: found, words };
}

/** A table of breakaways, or a recording of slides, rests and slow pulls. */
export const BREAKAWAY: Procedure = {
  columns: [
    { name: 'dwell', unit: 's' },
    { name: 'force', unit: 'N', mayBeConstant: true },
    { name: 'friction', unit: 'N' },
  ],
  recorded: [
    { name: 'time', unit: 's' },
    { name: 'slip', unit: 'm/s' },
    { name: 'force', unit: 'N' },
    { name: 'drag', unit: 'N' },
  ],
  find: breakaway,
};
