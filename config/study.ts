/** Loads a study and gives the changes of each of its runs. The same file gives the same points on every machine. */
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { BerthError } from '../src/base/errors.ts';
import { expect } from '../src/base/parameter-checks.ts';
import { correlate } from '../src/study/correlation.ts';
import {
  type Design,
  gridDesign,
  latinHypercube,
  morrisDesign,
  randomDesign,
  sobolDesign,
} from '../src/study/designs.ts';
import { checkDistribution, type Distribution, quantile } from '../src/study/distribution.ts';
import { saltelliDesign } from '../src/study/sobol-indices.ts';
import { SOBOL_DIMENSIONS } from '../src/study/sobol-sequence.ts';
import { SubsetSimulation } from '../src/study/subset-simulation.ts';
import { MOST_TEXT_BYTES, readInput } from './input-file.ts';
import { locatedField } from './located-field.ts';
import { shownPath } from './paths.ts';
import { readBySchema } from './read.ts';
import { scenarioFile } from './scenario.ts';
import {
  type StudyDispersion,
  type StudyFile,
  StudySchema,
  type StudyTurn,
} from './study-schema.ts';
import { YamlSource } from './yaml-source.ts';

/** A value of a dispersion, as it stands in the scenario. */
export type StudyValue = number | string | boolean;

/** A checked study. */
export interface Study {
  readonly file: StudyFile;
  /** The scenario, as a path or a name of the package. */
  readonly scenario: string;
  /** Values of the dispersions of each run, in their order; of a rare event those of the first level. */
  readonly values: readonly (readonly StudyValue[])[];
  /** Values of the dispersions at points of the unit cube, row by row. */
  readonly valuesAt: (points: Float64Array) => StudyValue[][];
}

/** Of the interval of a rare event. */
const CONFIDENCE = 0.95;
/** Most runs of one study. */
const MOST_RUNS = 1_000_000;
const KINDS = ['uniform', 'log_uniform', 'normal', 'choice', 'cases'] as const;

const refused = (field: string, message: string): BerthError =>
  new BerthError('BERTH_MISMATCH', message, { field });

/** Loads a study. @throws BerthError with `file:line:column` */
export function loadStudy(path: string): Study {
  if (!existsSync(path) || !statSync(path).isFile()) {
    throw new BerthError('BERTH_MISSING_FILE', `there is no study file "${path}"`, {
      field: 'study',
    });
  }
  const source = new YamlSource(
    shownPath(path),
    readInput(path, 'study', MOST_TEXT_BYTES).toString(),
  );
  const file = readBySchema(source, StudySchema) as StudyFile;
  try {
    return compileStudy(file, dirname(path));
  } catch (error) {
    if (error instanceof BerthError) throw locatedField(source, error);
    throw error;
  }
}

/** Checks a study that was read. @param folder what the name of the scenario is relative to @throws BerthError naming the field */
export function compileStudy(file: StudyFile, folder: string): Study {
  checkNames('vary', file.vary);
  checkNames('quantities', file.quantities);
  checkQuantities(file);
  file.end_when.forEach((turn, i) => checkTurn(turn, `end_when[${i}]`));
  checkStop(file);
  checkRareEvent(file);
  const isPath = /[/\\]|[.]ya?ml$/.test(file.scenario);
  const scenario = isPath ? resolve(folder, file.scenario) : file.scenario;
  scenarioFile(scenario);
  file.vary.forEach(({ cases }, i) => checkNames(`vary[${i}].cases`, cases ?? []));
  const distributions = file.vary.map((dispersion, i) => distributionOf(dispersion, `vary[${i}]`));
  const dimensions = file.vary.length;
  const correlation = file.correlations.length === 0 ? null : correlationOf(file);
  const valuesAt = (cube: Float64Array): StudyValue[][] => {
    const count = cube.length / dimensions;
    const design = { count, dimensions, points: cube };
    const { points } =
      correlation === null ? design : correlate('correlations', design, correlation);
    return Array.from({ length: count }, (_, i) =>
      file.vary.map((dispersion, j) => {
        const value = quantile(distributions[j], points[dimensions * i + j]);
        return choicesOf(dispersion)?.[value] ?? value;
      }),
    );
  };
  const values = valuesAt(cubeOf(file, distributions).points);
  return { file, scenario, values, valuesAt };
}

function checkNames(field: string, items: readonly { readonly name: string }[]): void {
  items.forEach(({ name }, i) => {
    if (items.findIndex((other) => other.name === name) !== i) {
      throw refused(
        `${field}[${i}].name`,
        `${field}[${i}].name is "${name}"; allowed: a name that no other has`,
      );
    }
  });
}

function checkQuantities({ quantities }: StudyFile): void {
  quantities.forEach((quantity, i) => {
    const { of, when, limit } = quantity;
    const field = `quantities[${i}]`;
    const bounds = boundsOf(quantity);
    if ((of === 'at') !== (when !== undefined)) {
      const given = when === undefined ? 'missing' : `given with ${of}`;
      throw refused(`${field}.when`, `${field}.when is ${given}; allowed: with at, and only there`);
    }
    if (when !== undefined) checkTurn(when, `${field}.when`);
    if (of === 'time_to' ? bounds !== 1 : bounds !== 0) {
      const allowed =
        of === 'time_to' ? 'above or below, one of them' : 'above and below with time_to only';
      throw refused(field, `${field}: ${bounds} of above and below are given; allowed: ${allowed}`);
    }
    if (limit !== undefined && limit.least === undefined && limit.most === undefined) {
      throw refused(`${field}.limit`, `${field}.limit is empty; allowed: least, most or both`);
    }
  });
}

const boundsOf = ({ above, below }: Pick<StudyTurn, 'above' | 'below'>): number =>
  [above, below].filter((bound) => bound !== undefined).length;

function checkTurn(turn: StudyTurn, field: string): void {
  const bounds = boundsOf(turn);
  if (bounds === 1) return;
  throw refused(field, `${field}: ${bounds} of above and below are given; allowed: one of them`);
}

/** Values of a dispersion that has a list of them. */
const choicesOf = ({ choice, cases }: StudyDispersion): readonly StudyValue[] | undefined =>
  cases === undefined ? choice : cases.map(({ name }) => name);

function checkStop({ stop, quantities, design }: StudyFile): void {
  if (stop === undefined) return;
  if (design.kind !== 'random' && design.kind !== 'sobol') {
    throw refused(
      'stop',
      `stop is given with design ${design.kind}; allowed: with random and sobol, of which a first part is a sample as well`,
    );
  }
  stop.when.forEach(({ quantity, of }, i) => {
    const field = `stop.when[${i}]`;
    const found = quantities.find(({ name }) => name === quantity);
    if (found === undefined) {
      const names = quantities.map(({ name }) => name).join(', ');
      throw refused(`${field}.quantity`, `${field}.quantity is "${quantity}"; allowed: ${names}`);
    }
    if (of === 'within' && found.limit === undefined) {
      throw refused(
        `${field}.of`,
        `${field}.of is within, and ${quantity} has no limit; allowed: mean`,
      );
    }
  });
}

/** A rare event is that one quantity leaves the one end of its limit. */
function checkRareEvent({ design, quantities }: StudyFile): void {
  if (design.kind !== 'subset') return;
  const found = quantities.find(({ name }) => name === design.quantity);
  const ends = [found?.limit?.least, found?.limit?.most].filter((end) => end !== undefined);
  if (ends.length === 1) return;
  const names = quantities
    .filter(({ limit }) => (limit?.least === undefined) !== (limit?.most === undefined))
    .map(({ name }) => name);
  throw refused(
    'design.quantity',
    `design.quantity is "${design.quantity}"; allowed: a quantity with a limit of one end (${names.join(', ') || 'there is none'})`,
  );
}

function distributionOf(dispersion: StudyDispersion, field: string): Distribution {
  const given = KINDS.filter((kind) => dispersion[kind] !== undefined);
  if (given.length !== 1) {
    throw refused(
      field,
      `${field} has ${given.length} distributions (${given.join(', ')}); allowed: one of ${KINDS.join(', ')}`,
    );
  }
  const { uniform, log_uniform: even, normal } = dispersion;
  if ((dispersion.cases === undefined) !== dispersion.fields.length > 0) {
    throw refused(
      `${field}.fields`,
      `${field}.fields has ${dispersion.fields.length} fields; allowed: one or more, and none with cases`,
    );
  }
  const distribution: Distribution =
    uniform !== undefined
      ? { kind: 'uniform', ...uniform }
      : even !== undefined
        ? { kind: 'log-uniform', ...even }
        : normal !== undefined
          ? { kind: 'normal', ...normal }
          : { kind: 'choice', count: choicesOf(dispersion)?.length ?? 0 };
  checkDistribution(`${field}.${given[0]}`, distribution);
  return distribution;
}

function cubeOf(file: StudyFile, distributions: readonly Distribution[]): Design {
  const { design, seed, vary } = file;
  const dimensions = vary.length;
  if (design.kind !== 'grid') {
    vary.forEach(({ levels }, i) => {
      if (levels !== undefined)
        throw refused(
          `vary[${i}].levels`,
          `vary[${i}].levels is ${levels}; allowed: with design grid`,
        );
    });
  }
  if (design.kind === 'grid' || design.kind === 'morris') {
    distributions.forEach((distribution, i) => {
      if (distribution.kind !== 'normal') return;
      const bounded = distribution.low !== undefined && distribution.high !== undefined;
      if (!bounded) {
        throw refused(
          `vary[${i}].normal`,
          `vary[${i}].normal has no low and high; allowed with design ${design.kind}: a distribution with both ends`,
        );
      }
    });
  }
  switch (design.kind) {
    case 'grid': {
      const levels = vary.map((dispersion, i) => {
        const { levels: count } = dispersion;
        const choices = choicesOf(dispersion);
        if (choices !== undefined) return choices.length;
        if (count === undefined)
          throw refused(
            `vary[${i}].levels`,
            `vary[${i}].levels is missing; allowed with design grid: a number of levels`,
          );
        return count;
      });
      const count = levels.reduce((product, each) => product * each, 1);
      expect('design', count, count <= MOST_RUNS, `to have at most ${MOST_RUNS} combinations`);
      return gridDesign(levels);
    }
    case 'random':
      return randomDesign(design.runs, dimensions, seed);
    case 'latin-hypercube':
      return latinHypercube(design.runs, dimensions, seed);
    case 'sobol':
      expect(
        'vary',
        dimensions,
        dimensions <= SOBOL_DIMENSIONS,
        `to have at most ${SOBOL_DIMENSIONS} dispersions with design sobol`,
      );
      return sobolDesign(design.runs, dimensions, seed);
    case 'subset':
      return { count: design.runs, dimensions, points: rareEventOf(file).pending };
    case 'morris':
      return morrisDesign(design.trajectories, dimensions, design.levels, seed);
    case 'saltelli': {
      expect(
        'vary',
        dimensions,
        2 * dimensions <= SOBOL_DIMENSIONS,
        `to have at most ${Math.floor(SOBOL_DIMENSIONS / 2)} dispersions with design saltelli`,
      );
      const count = design.pairs * (dimensions + 2);
      expect('design.pairs', count, count <= MOST_RUNS, `to give at most ${MOST_RUNS} runs`);
      return saltelliDesign(sobolDesign(design.pairs, 2 * dimensions, seed));
    }
  }
}

/** The simulation of a rare event, at its start. @throws BerthError when the design is another */
export function rareEventOf({ design, seed, vary }: StudyFile): SubsetSimulation {
  if (design.kind !== 'subset') throw refused('design', `design ${design.kind} has no rare event`);
  const { runs: count, levels } = design;
  return new SubsetSimulation({ count, dimensions: vary.length, levels, seed }, CONFIDENCE);
}

/** The correlation of all dispersions, ones on the diagonal. */
function correlationOf({ correlations, vary, design }: StudyFile): Float64Array {
  if (design.kind === 'grid' || design.kind === 'morris' || design.kind === 'saltelli') {
    throw refused(
      'correlations',
      `correlations are given with design ${design.kind}; allowed: with random, latin-hypercube, sobol and subset`,
    );
  }
  const d = vary.length;
  const matrix = Float64Array.from({ length: d * d }, (_, at) => (at % (d + 1) === 0 ? 1 : 0));
  correlations.forEach(({ between, value }, i) => {
    const [a, b] = between.map((name, end) => {
      const at = vary.findIndex((dispersion) => dispersion.name === name);
      const field = `correlations[${i}].between[${end}]`;
      if (at < 0)
        throw refused(
          field,
          `${field} is "${name}"; allowed: ${vary.map((each) => each.name).join(', ')}`,
        );
      return at;
    });
    if (a === b)
      throw refused(
        `correlations[${i}].between`,
        `correlations[${i}].between is "${vary[a].name}" twice; allowed: two dispersions`,
      );
    matrix[d * a + b] = value;
    matrix[d * b + a] = value;
  });
  return matrix;
}

/** Changes of a run with these values, as for --set: those of all runs first. */
export function changesOf(file: StudyFile, values: readonly StudyValue[]): string[] {
  const varied = file.vary.flatMap(
    ({ fields, cases }, j) =>
      cases?.find(({ name }) => name === values[j])?.set ??
      fields.map((field) => `${field}=${JSON.stringify(values[j])}`),
  );
  return [...file.set, ...varied];
}
