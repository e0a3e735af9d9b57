/** Runs of a study that stand out, flown again as MCAP files in `notable/`. Each must come out as its result says. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createSimulationFile } from '../../../hil/replay/simulation-file.ts';
import { BerthError } from '../../../src/base/errors.ts';
import { Random } from '../../../src/math/random.ts';
import { buildName, type Manifest } from './manifest.ts';
import { outcomeOf, type StudyResult } from './results.ts';
import { PointRun } from './run-point.ts';
import type { QuantitySummary, StudySummary } from './summary.ts';

export const NOTABLE = 'notable';
/** Most files of one study. */
const MOST_FILES = 32;
/** Rows of a file at most, with the first. */
const MOST_ROWS = 1001;
const FILE = /^run-\d+-[0-9a-f]{8}[.]mcap$/;

export interface NotableRun {
  readonly word: string;
  readonly run: number;
  readonly value: number;
}

/** Least, median and most of a quantity, and one at random, which the seed gives; none without a value. */
export function notableRuns({ values }: QuantitySummary, seed: number): NotableRun[] {
  const ordered = values
    .flatMap((value, run) => (value === null ? [] : [{ value, run }]))
    .sort((a, b) => a.value - b.value || a.run - b.run);
  if (ordered.length === 0) return [];
  const drawn = new Random(seed).uniform() * ordered.length;
  return [
    { word: 'least', ...ordered[0] },
    { word: 'median', ...ordered[Math.floor(ordered.length / 2)] },
    { word: 'most', ...ordered[ordered.length - 1] },
    { word: 'at random', ...ordered[Math.floor(drawn)] },
  ];
}

/** Name of the file of a run: another plan has other names. */
export const notableFile = ({ runs }: Manifest, run: number): string =>
  `run-${run}-${runs[run].id.slice(0, 8)}.mcap`;

/** Writes the files that are missing, and removes those of runs that no longer stand out. @throws BerthError when a run comes out differently */
export async function writeNotable(
  folder: string,
  manifest: Manifest,
  results: ReadonlyMap<string, StudyResult>,
  { quantities }: StudySummary,
  note: (words: string) => void,
): Promise<void> {
  const place = join(folder, NOTABLE);
  const all = quantities.flatMap((each) => notableRuns(each, manifest.seed).map(({ run }) => run));
  const chosen = [...new Set(all)].slice(0, MOST_FILES);
  if (chosen.length === 0) return;
  mkdirSync(place, { recursive: true });
  const names = new Set(chosen.map((run) => notableFile(manifest, run)));
  for (const name of readdirSync(place))
    if (FILE.test(name) && !names.has(name)) rmSync(join(place, name));
  const missing = chosen.filter((run) => !existsSync(join(place, notableFile(manifest, run))));
  if (missing.length > 0 && buildName() !== manifest.build) {
    note(`the runs that stand out are not flown again: the study is of build ${manifest.build}`);
    return;
  }
  for (const run of missing) {
    const { id, changes } = manifest.runs[run];
    const result = results.get(id);
    if (result !== undefined)
      await fly(join(place, notableFile(manifest, run)), manifest, changes, result);
  }
}

async function fly(
  path: string,
  manifest: Manifest,
  changes: readonly string[],
  result: StudyResult,
): Promise<void> {
  const run = new PointRun(manifest, changes);
  const { system, steps } = run;
  const stride = Math.ceil(steps / (MOST_ROWS - 1)) || 1;
  const fresh = `${path}.${process.pid}`;
  const out = await createSimulationFile(fresh, system, {
    scenario: system.model.name,
    changes,
    interval_s: stride * system.model.step,
  });
  await out.row();
  for (let n = 1; run.outcome === null; n++) if (!run.step() || n % stride === 0) await out.row();
  await out.end();
  if (outcomeOf(run.outcome) !== outcomeOf(result)) {
    rmSync(fresh);
    throw new BerthError(
      'BERTH_MISMATCH',
      `run ${result.id} came out differently here than on ${result.machine}: one of them does not compute as the other`,
      { field: 'results' },
    );
  }
  renameSync(fresh, path);
}
