/**
 * Scenario files of the user: those directly in the folders that `scenario_folders` names. What a request asks for is looked up in this list
 * and nowhere else, so that no name leads out of the folders. A link counts as the file that it leads to.
 */
import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { BerthError } from '../src/base/errors.ts';
import { shownPath } from './paths.ts';
import { scenarioFile, scenarioNames } from './scenario.ts';
import type { Settings } from './settings.ts';

/** A scenario that a client may ask for. */
export interface OfferedScenario {
  /** What `loadScenario` takes: a name of the package, or the path of a file. */
  readonly name: string;
  /** Folder of the user that it is in; '' for the package. */
  readonly folder: string;
  readonly file: string;
}

/** Most files of one folder. */
const MOST_FILES = 500;
/** Longest name that a client may ask for. */
export const MOST_NAME = 1024;

type Places = Pick<Settings, 'scenario' | 'scenario_folders'>;

/** Scenarios of the package, then those of each folder, each by name; then the one of the settings, wherever its file is. */
export function offeredScenarios(places: Places): OfferedScenario[] {
  const offered = [
    ...scenarioNames().map((name) => ({ name, folder: '', file: scenarioFile(name) })),
    ...places.scenario_folders.flatMap(filesIn),
  ];
  const { scenario } = places;
  const place = realPath(scenario);
  // a name of the package is no path
  if (offered.some(({ name }) => name === scenario) || place === null) return offered;
  const known = offered.some(({ file }) => realPath(file) === place);
  const own = { name: scenario, folder: dirname(scenario), file: scenario };
  return known ? offered : [...offered, own];
}

/** @throws BerthError naming the entry that is no folder */
export function checkScenarioFolders({ scenario_folders }: Pick<Places, 'scenario_folders'>): void {
  for (const [index, folder] of scenario_folders.entries()) {
    const field = `scenario_folders[${index}]`;
    if (isKind(folder, 'isDirectory')) continue;
    const text = `${field}: there is no folder "${folder}"; paths are relative to the working directory`;
    throw new BerthError('BERTH_MISSING_FILE', text, { field });
  }
}

function isKind(path: string, kind: 'isDirectory' | 'isFile'): boolean {
  try {
    return statSync(path)[kind]();
  } catch {
    return false;
  }
}

/** Path without links; null where nothing is. */
export function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** Files of a folder by name; none of a folder that is gone. */
function filesIn(folder: string): OfferedScenario[] {
  const real = realPath(folder);
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .filter(({ name }) => /[.]ya?ml$/.test(name) && !/\p{Cc}/u.test(name))
    .map(({ name }) => ({ name: shownPath(join(folder, name)), folder, file: join(folder, name) }))
    .filter(({ name, file }) => name.length <= MOST_NAME && real !== null && isFileIn(file, real))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, MOST_FILES);
}

function isFileIn(file: string, folder: string): boolean {
  const real = realPath(file);
  const below = folder.endsWith(sep) ? folder : folder + sep;
  return real !== null && real.startsWith(below) && isKind(real, 'isFile');
}
