/** `berth identify --procedure drag`: friction of steady sliding. */
import { identifyDrag } from '../../../src/identify/drag.ts';
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
import type { Team } from '../../../src/identify/team.ts';
import type { MeasuredData } from './measured-data.ts';

const DRAG_NAMES = [
  ['coulomb', '1'],
  ['viscous_damping_s_per_m', 's/m'],
  ['stiction_less_coulomb', '1'],
  ['stribeck_velocity_mps', 'm/s'],
];

function drag({ columns }: MeasuredData, { confidence }: Choice, team: Team): Findings {
  const { speed, force, friction } = columns;
  const result = identifyDrag({ speed, force, friction }, confidence, team);
  const { identification, speeds, unused } = result;
  const parameters = identification.estimates.map((estimate, i) =>
    foundOf(estimate, DRAG_NAMES[i][0], DRAG_NAMES[i][1]),
  );
  const [least, most] = [Math.min(...speeds), Math.max(...speeds)];
  const lines = [
    `${speeds.length} means of steady sliding from ${digits(least)} to ${digits(most)} m/s, ${unused} left out`,
  ];
  const { ratios, fitted, loads } = result;
  return {
    parameters: [...parameters, ...sumFound(identification, 'stiction', 0, 2)],
    lines,
    range: { force_N: spanOf(loads), speed_mps: [least, most] },
    plots: [
      fitPlot(
        'Friction number over speed',
        ['speed, m/s', 'friction number'],
        speeds,
        ratios,
        fitted,
      ),
    ],
    identification,
  };
}

/** Drags at several speeds. */
export const DRAG: Procedure = {
  columns: [
    { name: 'speed', unit: 'm/s' },
    { name: 'force', unit: 'N' },
    { name: 'friction', unit: 'N' },
  ],
  find: drag,
};
