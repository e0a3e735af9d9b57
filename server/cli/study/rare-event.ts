/**
 * Studies of a rare event: levels and steps of chains follow from the results before them, so that the plan grows as results come. It is a function of the
 * study and its results alone: the same file gives the same runs on every machine, and a study that was stopped goes on where it was.
 */
import { compileStudy, rareEventOf } from '../../../config/study.ts';
import type { StudyQuantity } from '../../../config/study-schema.ts';
import type { RareEvent, SubsetSimulation } from '../../../src/study/subset-simulation.ts';
import { type Manifest, planRuns } from './manifest.ts';
import type { StudyResult } from './results.ts';

type Results = ReadonlyMap<string, StudyResult>;

/** How far a run is beyond its limit, above 0; a run without the value is beyond every limit. */
function beyond(value: number | null, { limit }: StudyQuantity): number {
  if (value === null) return Infinity;
  return limit?.most === undefined ? (limit?.least ?? -Infinity) - value : value - limit.most;
}

/** The simulation with the results that are there, and how many runs it took. */
function replay(
  { file, design, quantities, runs }: Manifest,
  results: Results,
): { readonly simulation: SubsetSimulation; readonly known: number } | null {
  if (file === null || design.kind !== 'subset') return null;
  const simulation = rareEventOf(file);
  const k = quantities.findIndex(({ name }) => name === design.quantity);
  const dimensions = file.vary.length;
  let known = 0;
  while (simulation.event === null) {
    const count = simulation.pending.length / dimensions;
    const done = runs.slice(known, known + count).map(({ id }) => results.get(id));
    if (done.length < count || done.includes(undefined)) break;
    simulation.take(
      Float64Array.from(done, (result) => beyond(result?.quantities[k] ?? null, quantities[k])),
    );
    known += count;
  }
  return { simulation, known };
}

/** The plan with the runs that follow from the results of all runs before; null when there are none to add. */
export function growPlan(manifest: Manifest, results: Results): Manifest | null {
  const { file, scenario, build, runs } = manifest;
  const replayed = replay(manifest, results);
  if (file === null || replayed === null) return null;
  const { simulation, known } = replayed;
  if (simulation.event !== null || known < runs.length) return null;
  const study = compileStudy({ ...file, scenario }, '');
  const more = planRuns(study, build, study.valuesAt(simulation.pending));
  return { ...manifest, runs: [...runs, ...more] };
}

/** Its probability, when the study is done. */
export function rareEvent(manifest: Manifest, results: Results): RareEvent | null {
  return replay(manifest, results)?.simulation.event ?? null;
}

/** Runs that it may take. */
export function mostRuns({ design, runs }: Manifest): number {
  return design.kind === 'subset'
    ? design.runs + (design.levels - 1) * (design.runs - design.runs / 10)
    : runs.length;
}
