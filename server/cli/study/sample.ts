/** Which runs of a plan are a sample of what varies, and when a study that may end early has enough of them. */
import { type Figure, meanInterval, rateInterval } from '../../../src/study/intervals.ts';
import type { StudyQuantity } from '../../../config/study-schema.ts';
import type { Manifest } from './manifest.ts';
import type { StudyResult } from './results.ts';

/** Confidence of the intervals of a study, over all its looks together. */
export const CONFIDENCE = 0.95;

type Results = ReadonlyMap<string, StudyResult>;

/** How the points of a design lie: independent of each other, more even than that, or not as the dispersions say. */
export type Sampling = 'independent' | 'balanced' | 'none';

export function samplingOf({ design }: Manifest): Sampling {
  switch (design.kind) {
    case 'random':
    case 'subset': // its first level
      return 'independent';
    case 'latin-hypercube':
    case 'sobol':
    case 'saltelli':
      return 'balanced';
    case 'grid':
    case 'morris':
      return 'none';
  }
}

/** Which of the runs, from the first of the plan, are drawn as the dispersions say. */
export function sampleEnd({ design, runs }: Manifest): number {
  // the other runs of the design are those of the first two samples with one value exchanged
  if (design.kind === 'saltelli') return 2 * design.pairs;
  return design.kind === 'subset' ? design.runs : runs.length;
}

/** Runs after which a study looks whether it has enough: the last is its end. One look without `stop`. */
export function looksOf({ stop, runs }: Manifest): number[] {
  const looks = [];
  if (stop !== null) for (let n = stop.least_runs; n < runs.length; n *= 2) looks.push(n);
  return [...looks, runs.length];
}

/**
 * Confidence of each interval: what is left over is shared out among the looks (Bonferroni), so that the interval at the look where the study ended holds
 * with 95 % at least.
 */
export function confidenceOf(manifest: Manifest): number {
  return 1 - (1 - CONFIDENCE) / looksOf(manifest).length;
}

/** Is a value within a limit? A value that is missing is not. */
export function isWithin(value: number | null, limit: { least?: number; most?: number }): boolean {
  return value !== null && value >= (limit.least ?? -Infinity) && value <= (limit.most ?? Infinity);
}

/** Mean of the values that there are; null without one. */
export function meanOf(values: readonly (number | null)[], confidence: number): Figure | null {
  const present = Float64Array.from(values.filter((value) => value !== null));
  return present.length === 0 ? null : meanInterval(present, confidence);
}

/** Share of the runs within the limit of a quantity; null without a limit or a run. */
export function shareWithin(
  values: readonly (number | null)[],
  { limit }: StudyQuantity,
  confidence: number,
): Figure | null {
  if (limit === undefined || values.length === 0) return null;
  const hits = values.filter((value) => isWithin(value, limit)).length;
  return { value: hits / values.length, ...rateInterval(hits, values.length, confidence) };
}

/** Are all intervals that end the study narrow enough after the first n runs? */
function isEnough(manifest: Manifest, results: Results, n: number): boolean {
  const first = manifest.runs.slice(0, n).map(({ id }) => results.get(id));
  if (first.includes(undefined)) return false;
  const confidence = confidenceOf(manifest);
  return (manifest.stop?.when ?? []).every(({ quantity, of, half_width }) => {
    const k = manifest.quantities.findIndex(({ name }) => name === quantity);
    const values = first.map((result) => result?.quantities[k] ?? null);
    const figure =
      of === 'mean'
        ? meanOf(values, confidence)
        : shareWithin(values, manifest.quantities[k], confidence);
    return figure !== null && (figure.high - figure.low) / 2 <= half_width;
  });
}

/**
 * How many runs of the plan, from its first, the study is made of: those up to the first look that finds enough, else all. It follows from the
 * results in the order of the plan, and not from who was done first.
 */
export function neededRuns(manifest: Manifest, results: Results): number {
  if (manifest.stop === null) return manifest.runs.length;
  return looksOf(manifest).find((n) => isEnough(manifest, results, n)) ?? manifest.runs.length;
}
