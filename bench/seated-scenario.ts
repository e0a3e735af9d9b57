/** The insertion of the battery box with a short flight: benchmarks of the loop need contact soon. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scenarioFile } from '../config/scenario.ts';

/** The scenario with the box 2 mm over the floor, not turned: the flight is short. `merged`: with `merge_cells` for both bodies. */
export function nearlySeated(folder: string, merged = false): string {
  const text = readFileSync(scenarioFile('battery-box-insertion'), 'utf8');
  const moved = text
    .replace(/position_m: \[-250 mm, 0, -5 mm\]/g, 'position_m: [-2 mm, 0, 0]')
    .replace(/orientation: \{ kind: quaternion, xyzw: \[0\.0174[^\]]*\] \}/g, '')
    .replace(/^( +)(#.*)$/gm, '');
  if (moved.split('-2 mm, 0, 0').length !== 3)
    throw new Error('The scenario has other start poses');
  const file = join(folder, merged ? 'battery-box-merged.yaml' : 'battery-box-seated.yaml');
  writeFileSync(file, merged ? moved.replace(/^( +)cells:$/gm, '$1merge_cells: true\n$&') : moved);
  return file;
}
