/** How much each dispersion matters for a quantity, by what its design can say: indices of Sobol', effects of Morris, or correlations of ranks. */
import type { Figure } from '../../../src/study/intervals.ts';
import { morrisDesign } from '../../../src/study/designs.ts';
import { morrisEffects } from '../../../src/study/morris-effects.ts';
import { rankCorrelation } from '../../../src/study/rank-correlation.ts';
import { sobolIndices } from '../../../src/study/sobol-indices.ts';
import type { Manifest } from './manifest.ts';

/** Resamples of a bootstrap: percentiles of 2.5 % have 25 beyond them. */
const RESAMPLES = 1000;

export const MEASURES = {
  total: 'total index of Sobol’: share of the variance, with all that it acts with',
  first: 'first index of Sobol’: share of the variance, alone',
  effect: 'mean size of the elementary effects, over the whole range',
  rank: 'correlation of ranks: what only rises or only falls',
} as const;

/** One measure of all dispersions, in their order; null for one that has none. */
export interface Influence {
  readonly measure: keyof typeof MEASURES;
  readonly figures: readonly (Figure | null)[];
}

/** Pairs of which each run has a value, as samples for the indices. */
function wholePairs(values: readonly (number | null)[], pairs: number): Float64Array {
  const blocks = values.length / pairs;
  const whole = Array.from({ length: pairs }, (_, i) => i).filter((i) =>
    Array.from({ length: blocks }, (_, k) => values[k * pairs + i]).every(
      (value) => value !== null,
    ),
  );
  return Float64Array.from({ length: blocks * whole.length }, (_, at) =>
    Number(values[Math.floor(at / whole.length) * pairs + whole[at % whole.length]]),
  );
}

const differ = (values: Float64Array): boolean => values.some((value) => value !== values[0]);

/** @param values of all runs that count, in the order of the plan; null where a run has none */
export function influencesOf(
  { design, seed, dispersions, runs }: Manifest,
  values: readonly (number | null)[],
  confidence: number,
): Influence[] {
  const d = dispersions.length;
  if (design.kind === 'saltelli') {
    const sample = wholePairs(values, design.pairs);
    if (sample.length < 2 * (d + 2) || !differ(sample)) return [];
    const indices = sobolIndices(sample, d, RESAMPLES, confidence, seed);
    return [
      {
        measure: 'total',
        figures: indices.map(({ total, totalInterval }) => ({ value: total, ...totalInterval })),
      },
      {
        measure: 'first',
        figures: indices.map(({ first, firstInterval }) => ({ value: first, ...firstInterval })),
      },
    ];
  }
  if (design.kind === 'morris') {
    const points = morrisDesign(design.trajectories, d, design.levels, seed);
    const numbers = Float64Array.from(values, (value) => value ?? NaN);
    const isWhole = (_: unknown, t: number): boolean =>
      numbers.subarray(t * (d + 1), (t + 1) * (d + 1)).every(Number.isFinite);
    if (!Array.from({ length: design.trajectories }, isWhole).some(Boolean)) return [];
    const effects = morrisEffects(points, numbers, RESAMPLES, confidence, seed);
    return [
      {
        measure: 'effect',
        figures: effects.map(({ meanSize, meanSizeInterval }) => ({
          value: meanSize,
          ...meanSizeInterval,
        })),
      },
    ];
  }
  const present = values.flatMap((value, run) => (value === null ? [] : [{ value, run }]));
  const y = Float64Array.from(present, ({ value }) => value);
  const figures = dispersions.map((_, j) => {
    const x = present.map(({ run }) => runs[run].values[j]);
    // words have no order
    if (!x.every((value) => typeof value === 'number')) return null;
    return rankCorrelation(Float64Array.from(x), y, confidence);
  });
  return figures.every((figure) => figure === null) ? [] : [{ measure: 'rank', figures }];
}
