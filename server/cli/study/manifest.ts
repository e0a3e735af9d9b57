/**
 * What a study will run, as a list that any machine can take a part of: `manifest.json`. A run is named by the hash of all that its result depends on:
 * model with the files it names, changes, time, quantities and build.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileScenario } from '../../../config/compile.ts';
import { packageRoot, packageVersion } from '../../../config/paths.ts';
import { loadScenario } from '../../../config/scenario.ts';
import type {
  StudyDesign,
  StudyFile,
  StudyQuantity,
  StudyStop,
  StudyTurn,
} from '../../../config/study-schema.ts';
import { changesOf, type Study, type StudyValue } from '../../../config/study.ts';
import { Column } from '../../../hil/contract/columns.ts';
import { BerthError } from '../../../src/base/errors.ts';
import { makeSystem } from '../../../src/system/system.ts';
import { QuantityReader, systemRows, TickRows } from './quantities.ts';

/** One run. */
export interface PlannedRun {
  readonly id: string;
  readonly changes: readonly string[];
  readonly values: readonly StudyValue[];
}

/** All runs of a study. */
export interface Manifest {
  readonly format: typeof FORMAT;
  readonly name: string;
  readonly title: string;
  /** Version and hash of the program. */
  readonly build: string;
  readonly scenario: string;
  /** Changes that all runs have; those of a run have them as well. */
  readonly set: readonly string[];
  readonly until_s: number | null;
  readonly end_when: readonly StudyTurn[];
  readonly seed: number;
  readonly design: StudyDesign;
  readonly dispersions: readonly string[];
  readonly quantities: readonly StudyQuantity[];
  /** When it may end early; null for never. */
  readonly stop: StudyStop | null;
  /** The study, where more runs follow from results; null where all runs are planned. */
  readonly file: StudyFile | null;
  readonly runs: readonly PlannedRun[];
}

const FORMAT = 'berth-study-4';
const ID_LENGTH = 32;

const hashOf = (...parts: readonly (string | Buffer)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

/** Files below a folder whose names match, sorted. */
function filesBelow(folder: string, names: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => names.test(path))
    .sort()
    .map((path) => join(folder, path));
}

/** Version and hash of the code and data that a result depends on. */
export function buildName(): string {
  const code = fileURLToPath(new URL('../../..', import.meta.url));
  const files = [
    ...['src', 'config'].flatMap((room) =>
      filesBelow(join(code, room), /(?<![.]d)[.][jt]s$|[.]wasm$/),
    ),
    ...filesBelow(join(packageRoot(), 'config'), /[.]ya?ml$/),
  ];
  const hash = hashOf(...files.flatMap((file) => [file.slice(code.length), readFileSync(file)]));
  return `${packageVersion()}+${hash.slice(0, ID_LENGTH)}`;
}

/** The scenario with each file that it names as the hash of what is in it. */
function modelHash(study: Study, changes: readonly string[]): string {
  const scenario = loadScenario(study.scenario, changes);
  const text = JSON.stringify(scenario, (_key, value: unknown) =>
    typeof value === 'string' && isAbsolute(value) && existsSync(value) && statSync(value).isFile()
      ? hashOf(readFileSync(value))
      : value,
  );
  return hashOf(text);
}

/** The models of words and cases that a run may have, each by itself: they may name files. One that needs another one's is the scenario as it is. */
function variantHashes(study: Study): string[] {
  const { vary, set } = study.file;
  const variants = vary.flatMap(({ fields, choice, cases }) => [
    ...(cases ?? []).map((one) => one.set),
    ...(choice ?? [])
      .filter((value) => typeof value === 'string')
      .map((value) => fields.map((field) => `${field}=${JSON.stringify(value)}`)),
  ]);
  return variants.map((changes) => {
    try {
      return modelHash(study, [...set, ...changes]);
    } catch {
      return '';
    }
  });
}

/** Runs with these values, each with its name. */
export function planRuns(
  study: Study,
  build: string,
  values: readonly (readonly StudyValue[])[],
): PlannedRun[] {
  const { file } = study;
  const common = JSON.stringify([
    build,
    modelHash(study, file.set),
    ...variantHashes(study),
    file.until_s ?? null,
    file.end_when,
    file.quantities,
  ]);
  return values.map((each) => {
    const changes = changesOf(file, each);
    return {
      id: hashOf(common, JSON.stringify(changes)).slice(0, ID_LENGTH),
      changes,
      values: each,
    };
  });
}

/** What the build of flown runs has at its end: their results are no simulated ones. */
export const FLOWN = '+hil';

/**
 * The list of a study; the same file and build always give the same.
 * @param flown - runs are flown against the emulated robot, and quantities are of columns of the loop
 * @throws BerthError for a scenario that fails its check
 */
export function makeManifest(study: Study, flown = false): Manifest {
  const { file, scenario } = study;
  const build = buildName() + (flown ? FLOWN : '');
  const runs = planRuns(study, build, study.values);
  // what is wrong with every run is refused before one runs: the first and the last have every field, and all have the columns of the first
  const [first] = [0, runs.length - 1].map((i) => loadScenario(scenario, runs[i].changes));
  const source = flown
    ? new TickRows(Column.time_s)
    : systemRows(makeSystem(compileScenario(first)));
  new QuantityReader(source, file.quantities, file.end_when);
  const dispersions = file.vary.map(({ name }) => name);
  return {
    format: FORMAT,
    name: file.name,
    title: file.title,
    build,
    scenario,
    set: file.set,
    until_s: file.until_s ?? null,
    end_when: file.end_when,
    seed: file.seed,
    design: file.design,
    dispersions,
    quantities: file.quantities,
    stop: file.stop ?? null,
    file: file.design.kind === 'subset' ? file : null,
    runs,
  };
}

/** Writes the manifest, whole or not at all: another process may read it. */
export function writeManifest(folder: string, manifest: Manifest): void {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'manifest.json');
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, JSON.stringify(manifest));
  renameSync(fresh, path);
}

/** Reads the manifest of a folder. @throws BerthError when there is none, or one of another format */
export function readManifest(folder: string): Manifest {
  const path = join(folder, 'manifest.json');
  if (!existsSync(path)) {
    throw new BerthError(
      'BERTH_MISSING_FILE',
      `there is no study in "${folder}": berth study plan STUDY.yaml -o ${folder} makes one`,
      { field: '--output' },
    );
  }
  let manifest;
  try {
    manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  } catch (error) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `${path} is damaged: ${(error as Error).message}; berth study plan STUDY.yaml -o ${folder} writes it anew, and results stay`,
      { field: '--output', cause: error },
    );
  }
  const format: string = manifest.format;
  if (format !== FORMAT) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `${path} has the format "${format}"; allowed: ${FORMAT}`,
      { field: '--output' },
    );
  }
  return manifest;
}
