/** What the runs of a study say, each figure with its interval. */
import {
  type Figure,
  type Interval,
  quantileInterval,
  toleranceLimits,
} from '../../../src/study/intervals.ts';
import type { RareEvent } from '../../../src/study/subset-simulation.ts';
import { type Influence, influencesOf } from './influence.ts';
import type { Manifest } from './manifest.ts';
import { rareEvent } from './rare-event.ts';
import type { StudyResult } from './results.ts';
import {
  confidenceOf,
  meanOf,
  neededRuns,
  type Sampling,
  sampleEnd,
  samplingOf,
  shareWithin,
} from './sample.ts';

export const QUANTILES = [0.05, 0.5, 0.95] as const;
/** Part of all runs that the tolerance limits speak of. */
export const COVERAGE = 0.95;

/** One quantity over the runs that count. */
export interface QuantitySummary {
  readonly name: string;
  /** Value of each run that counts, in the order of the plan; null for one that has none, or no result yet. */
  readonly values: readonly (number | null)[];
  /** Those of the sample, sorted. */
  readonly sorted: Float64Array;
  /** Least and most of all runs; null without a value. */
  readonly range: Interval | null;
  /** Of the sample; null without one. */
  readonly mean: Figure | null;
  /** 5 %, 50 % and 95 %, by order statistics; none without a sample. */
  readonly quantiles: readonly Figure[];
  /** What 95 % of all cases stay above and below, each; null when the runs are not independent. */
  readonly tolerance: Interval | null;
  /** Share within the limit, those without the value included; null without a limit or a sample. */
  readonly within: Figure | null;
  /** How rarely it leaves its limit; null when that is not asked, or not known yet. */
  readonly rare: RareEvent | null;
  readonly influences: readonly Influence[];
}

/** The figures of a study. */
export interface StudySummary {
  /** Runs that it is made of, all done, or those of them that are. */
  readonly runs: number;
  /** Whether each run that counts has a result, in the order of the plan. */
  readonly isDone: readonly boolean[];
  readonly failed: number;
  readonly sampling: Sampling;
  /** Runs that means, quantiles and rates are of. */
  readonly sample: number;
  readonly confidence: number;
  readonly quantities: readonly QuantitySummary[];
}

/** Figures of the results that are there, in the order of the plan. */
export function summarize(
  manifest: Manifest,
  results: ReadonlyMap<string, StudyResult>,
): StudySummary {
  const { design } = manifest;
  const counted = manifest.runs
    .slice(0, neededRuns(manifest, results))
    .map(({ id }) => results.get(id));
  const done = counted.filter((result) => result !== undefined);
  const sampling = samplingOf(manifest);
  const sampled = counted.slice(0, sampleEnd(manifest));
  const sample = sampling === 'none' ? [] : sampled.filter((result) => result !== undefined);
  const confidence = confidenceOf(manifest);
  const event = rareEvent(manifest, results);
  const quantities = manifest.quantities.map((quantity, k): QuantitySummary => {
    const all = counted.map((result) => result?.quantities[k] ?? null);
    const ordered = Float64Array.from(all.filter((value) => value !== null)).sort();
    const drawn = sample.map(({ quantities: each }) => each[k]);
    const sorted = Float64Array.from(drawn.filter((value) => value !== null)).sort();
    const count = sorted.length;
    return {
      name: quantity.name,
      values: all,
      sorted,
      range: ordered.length === 0 ? null : { low: ordered[0], high: ordered[ordered.length - 1] },
      mean: meanOf(drawn, confidence),
      quantiles:
        count === 0
          ? []
          : QUANTILES.map((q) => ({
              value: sorted[Math.min(count - 1, Math.floor(q * count))],
              ...quantileInterval(sorted, q, confidence),
            })),
      // a run without a value could lie on either side
      tolerance:
        sampling === 'independent' && count > 0 && count === drawn.length
          ? toleranceLimits(sorted, COVERAGE, confidence)
          : null,
      within: shareWithin(drawn, quantity, confidence),
      rare: design.kind === 'subset' && design.quantity === quantity.name ? event : null,
      influences: influencesOf(
        manifest,
        design.kind === 'subset' ? all.slice(0, design.runs) : all,
        confidence,
      ),
    };
  });
  return {
    runs: done.length,
    isDone: counted.map((result) => result !== undefined),
    failed: done.filter(({ reason }) => reason !== null).length,
    sampling,
    sample: sample.length,
    confidence,
    quantities,
  };
}
