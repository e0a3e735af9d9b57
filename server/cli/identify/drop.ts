/** `berth identify --procedure drop`: restitution of drops or taps. */
import { BerthError } from '../../../src/base/errors.ts';
import { identifyDrop } from '../../../src/identify/drop.ts';
import {
  type Choice,
  digits,
  type Findings,
  foundOf,
  type Procedure,
  fitPlot,
  spanOf,
} from './findings.ts';
import type { MeasuredData } from './measured-data.ts';

function drop({ columns }: MeasuredData, { exponent, slope, confidence }: Choice): Findings {
  if (exponent === null) {
    throw new BerthError(
      'BERTH_USAGE',
      '--exponent is free; allowed with --procedure drop: 1 to 3, as impacts say nothing of it',
      { field: '--exponent' },
    );
  }
  const { time, place, force } = columns;
  const found = identifyDrop({ time, place, force }, { slope, exponent, confidence });
  const { identification, impacts, unused } = found;
  const [first, second] = identification.estimates;
  const parameters = slope
    ? [
        foundOf(first, 'restitution_at_rest', '1'),
        foundOf(second, 'restitution.slope_s_per_m', 's/m'),
      ]
    : [foundOf(first, 'restitution', '1')];
  const lines = impacts.map(
    ({ time: at, speed, rebound, restitution, error }) =>
      `impact at ${at.toFixed(3)} s: ${digits(speed)} m/s in, ${digits(rebound)} m/s out, restitution ${digits(restitution)} ± ${error.toPrecision(2)}`,
  );
  if (unused > 0)
    lines.push(`${unused} touches were no impact to count: slow, or under a lasting force`);
  const speeds = impacts.map(({ speed }) => speed);
  const ratios = impacts.map(({ restitution }) => restitution);
  return {
    parameters,
    lines,
    range: { impact_speed_mps: spanOf(speeds) },
    plots: [
      fitPlot(
        'Restitution over speed',
        ['speed before, m/s', 'restitution'],
        speeds,
        ratios,
        found.fitted,
      ),
    ],
    identification,
  };
}

/** Drops or taps. */
export const DROP: Procedure = {
  columns: [
    { name: 'time', unit: 's' },
    { name: 'place', unit: 'm' },
    { name: 'force', unit: 'N' },
  ],
  find: drop,
};
