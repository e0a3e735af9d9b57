/** Scenario files: list, load, override, check. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { BerthError } from '../src/base/errors.ts';
import { list, text } from '../src/base/parameter-checks.ts';
import type { ContactKernels } from '../src/contact/contact-loops.ts';
import { makeSystem, type System } from '../src/system/system.ts';
import { MOST_TEXT_BYTES, readInput } from './input-file.ts';
import { compileInsertion } from './compile-insertion.ts';
import { compileScenario } from './compile.ts';
import { located } from './located.ts';
import { packageRoot, shownPath } from './paths.ts';
import { nearest, readBySchema } from './read.ts';
import { type Scenario, ScenarioSchema } from './scenario-schema.ts';
import { ConfigError, YamlSource } from './yaml-source.ts';

export { shownPath } from './paths.ts';
export type { Scenario } from './scenario-schema.ts';

/** Characters of names in a message: it is to be one sentence. */
const LONGEST_LIST = 400;

/** A line of the list of scenarios. */
export interface ScenarioSummary {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** A scenario, and the system that it makes. */
export interface CheckedScenario {
  readonly scenario: Scenario;
  readonly system: System;
}

/** Folder of the scenarios in the package. */
export function scenarioFolder(): string {
  return join(packageRoot(), 'config', 'scenarios');
}

/** Names of the scenarios in the package. */
export function scenarioNames(): string[] {
  return readdirSync(scenarioFolder())
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort();
}

/** Summaries by file, valid while the file has the same stamp. */
const summaries = new Map<string, { readonly stamp: string; readonly summary: ScenarioSummary }>();

/** All scenarios of the package, by name. */
export function listScenarios(): ScenarioSummary[] {
  return scenarioNames().map((name) => {
    const file = scenarioFile(name);
    const { mtimeMs, size } = statSync(file);
    const stamp = `${mtimeMs} ${size}`;
    const kept = summaries.get(file);
    if (kept?.stamp === stamp) return kept.summary;
    const { title, description } = scenarioByFields(file);
    const summary = { name, title, description };
    summaries.set(file, { stamp, summary });
    return summary;
  });
}

/** A scenario file by its fields alone, physics not checked. @throws BerthError with `file:line:column` */
export function scenarioByFields(file: string): Scenario {
  return readBySchema(open(file), ScenarioSchema) as Scenario;
}

/** Finds the file of a scenario name or path. @throws BerthError when there is none */
export function scenarioFile(nameOrPath: string): string {
  if (/[/\\]|[.]ya?ml$/.test(nameOrPath)) {
    if (existsSync(nameOrPath) && statSync(nameOrPath).isFile()) return nameOrPath;
    throw new BerthError('BERTH_MISSING_FILE', `there is no scenario file "${nameOrPath}"`, {
      field: 'scenario',
    });
  }
  const names = scenarioNames();
  if (names.includes(nameOrPath)) return join(scenarioFolder(), `${nameOrPath}.yaml`);
  const near = nearest(nameOrPath, names);
  const hint =
    near.length > 0 ? `did you mean ${near.join(' or ')}?` : `allowed: ${namesInWords(names)}`;
  throw new BerthError('BERTH_MISSING_FILE', `scenario "${nameOrPath}" does not exist; ${hint}`, {
    field: 'scenario',
  });
}

/** Names for a message: as many as a sentence bears, and how many there are beside them. */
function namesInWords(names: readonly string[]): string {
  let shown = 0;
  for (let length = 0; shown < names.length; shown++) {
    length += names[shown].length + 2;
    if (length > LONGEST_LIST) break;
  }
  const more = names.length - shown;
  const rest = more > 0 ? ` and ${more} more of config/scenarios` : '';
  return `${names.slice(0, shown).join(', ')}${rest}`;
}

/**
 * Loads a scenario by name or path, applies `path=value` overrides and checks it, including
 * physics.
 * @throws BerthError with `file:line:column`
 */
export function loadScenario(nameOrPath: string, overrides: readonly string[] = []): Scenario {
  return loadSystem(nameOrPath, overrides).scenario;
}

/** The same with the system that the check of the physics has built, for a run. @throws BerthError with `file:line:column` */
export function loadSystem(
  nameOrPath: string,
  overrides: readonly string[],
  kernels: ContactKernels | null = null,
): CheckedScenario {
  text('scenario', nameOrPath);
  list('overrides', overrides);
  overrides.forEach((override, index) => {
    text(`overrides[${index}]`, override);
  });
  const file = scenarioFile(nameOrPath);
  const source = open(file);
  for (const override of overrides) source.override(override);
  return checkedScenario(source, dirname(file), kernels);
}

/** The scenario of a source, physics checked, and its system; relative paths start in `folder`. @throws BerthError */
export function checkedScenario(
  source: YamlSource,
  folder: string,
  kernels: ContactKernels | null = null,
): CheckedScenario {
  const scenario = readBySchema(source, ScenarioSchema) as Scenario;
  for (const { cells } of [...scenario.bodies, ...scenario.chains.flatMap(({ links }) => links)]) {
    // relative to the scenario, wherever it is compiled
    for (const cell of cells) if (cell.file !== undefined) cell.file = resolve(folder, cell.file);
  }
  for (const { pair } of scenario.contacts) {
    if ('compliance' in pair) {
      const { target } = pair;
      if (target?.kind === 'file') target.file = resolve(folder, target.file);
      const other = target?.kind === 'face' ? [target.compliance] : [];
      for (const compliance of [pair.compliance, ...other]) {
        if (!('file' in compliance)) continue;
        compliance.file = resolve(folder, compliance.file);
        if (compliance.mesh !== undefined) compliance.mesh = resolve(folder, compliance.mesh);
      }
    }
    if ('surfaces_i' in pair) {
      for (const side of [pair.surfaces_i, pair.surfaces_j]) {
        for (const { shape } of side.kind === 'faces' ? side.faces : [])
          if (shape.kind === 'step') shape.file = resolve(folder, shape.file);
      }
    }
    if (!('shape_i' in pair)) continue;
    const sides = 'shape_j' in pair ? [pair.shape_i, pair.shape_j] : [pair.shape_i];
    for (const side of sides) {
      const pieces = 'pieces' in side ? (side.pieces ?? []) : [];
      for (const { shape } of [side, ...pieces])
        if (shape?.kind === 'mesh' && shape.file !== undefined)
          shape.file = resolve(folder, shape.file);
    }
    if (!('field_j' in pair)) continue;
    const { field_j: j } = pair;
    j.file = resolve(folder, j.file);
    if (j.field !== undefined) j.field = resolve(folder, j.field);
  }
  const { materials_file: palette } = scenario;
  if (palette !== undefined) scenario.materials_file = resolve(folder, palette);
  const robot = scenario.tool?.robot;
  if (robot !== undefined && isFile(robot.name)) robot.name = resolve(folder, robot.name);
  for (const tree of scenario.trees)
    if (isFile(tree.robot)) tree.robot = resolve(folder, tree.robot);
  try {
    compileInsertion(scenario);
    return { scenario, system: makeSystem(compileScenario(scenario), kernels) };
  } catch (error) {
    // a file that the scenario names has its own positions
    if (error instanceof BerthError && !(error instanceof ConfigError))
      throw located(source, scenario, error);
    throw error;
  }
}

const isFile = (name: string): boolean => /[/\\]|[.](ya?ml|urdf)$/i.test(name);

function open(file: string): YamlSource {
  return new YamlSource(shownPath(file), readInput(file, 'scenario', MOST_TEXT_BYTES).toString());
}
