/** `berth identify --procedure stick-slip`: dwell time and stiction from peaks of a rig that a scenario describes. */
import { compileScenario } from '../../../config/compile.ts';
import { loadScenario } from '../../../config/scenario.ts';
import { identifyStickSlip } from '../../../src/identify/stick-slip.ts';
import {
  type Choice,
  type Findings,
  foundOf,
  type Procedure,
  fitPlot,
  spanOf,
} from './findings.ts';
import type { Team } from '../../../src/identify/team.ts';
import type { MeasuredData } from './measured-data.ts';

const NAMES = [
  ['dwell_time_s', 's'],
  ['stiction', '1'],
];

function stickSlip({ columns, rows }: MeasuredData, choice: Choice, team: Team): Findings {
  const { scenario, changes, confidence } = choice;
  const { speed, cycle, peak } = columns;
  const model = compileScenario(loadScenario(scenario ?? 'bowden-leben', changes));
  const peaks = Array.from({ length: rows }, (_, i) => ({
    speed: speed[i],
    cycle: cycle[i],
    peak: peak[i],
  }));
  const { identification, fitted } = identifyStickSlip(model, peaks, confidence, team);
  const parameters = identification.estimates.map((one, i) =>
    foundOf(one, NAMES[i][0], NAMES[i][1]),
  );
  const lines = peaks.map(
    (one, i) =>
      `cycle ${one.cycle} at ${one.speed} m/s: peak ${one.peak.toFixed(4)} N, of the rig ${fitted[i].toFixed(4)} N`,
  );
  if (parameters.length === 1)
    lines.push(`no peaks of cycle 1: stiction is that of scenario ${model.name}`);
  return {
    parameters,
    lines,
    range: { speed_mps: spanOf(speed) },
    plots: [fitPlot('Peaks over speed', ['speed, m/s', 'peak, N'], speed, peak, fitted)],
    identification,
  };
}

/** A table of peaks. */
export const STICK_SLIP: Procedure = {
  columns: [
    { name: 'speed', unit: 'm/s' },
    { name: 'cycle', unit: '1', mayBeConstant: true },
    { name: 'peak', unit: 'N' },
  ],
  find: stickSlip,
};
