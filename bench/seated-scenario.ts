/** The insertion of the battery box with a short flight: benchmarks of the loop need contact soon. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scenarioFile } from '../config/scenario.ts';

/** The scenario with the box 2 mm over the floor, not turned: the flight is short. */
export function nearlySeated(folder: string): string {
  const text = readFileSync(scenarioFile('battery-box-insertion'), 'utf8');
  const moved = text
    .replace(/position_m: \[-250 mm, 0, -5 mm\]/g, 'position_m: [-2 mm, 0, 0]')
    .replace(/orientation: \{ kind: quaternion, xyzw: \[0\.0174[^\]]*\] \}/g, '')
    .replace(/^( +)(#.*)$/gm, '');
  if (moved.split('-2 mm, 0, 0').length !== 3)
    throw new Error('The scenario has other start poses');
  const file = join(folder, 'battery-box-seated.yaml');
  writeFileSync(file, moved);
  return file;
}
