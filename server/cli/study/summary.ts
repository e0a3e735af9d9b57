/** What the runs of a study say, each figure with its interval. */
import { type Interval, quantileInterval, rateInterval } from '../../../src/study/intervals.ts';
import { normalQuantile } from '../../../src/study/normal.ts';
import type { Manifest } from './manifest.ts';
import type { StudyResult } from './results.ts';

export const CONFIDENCE = 0.95;
const QUANTILES = [0.05, 0.5, 0.95];

/** A figure with the interval that holds it with 95 %. */
export interface Figure extends Interval {
  readonly value: number;
}

/** One quantity over all runs that have it. */
export interface QuantitySummary {
  readonly name: string;
  readonly count: number;
  /** Mean, with the interval of large samples. */
  readonly mean: Figure;
  /** 5 %, 50 % and 95 %, by order statistics. */
  readonly quantiles: readonly Figure[];
  /** Share of all runs within the limit, those without the value included; null without a limit. */
  readonly within: Figure | null;
}

const isWithin = (value: number | null, limit: { least?: number; most?: number }): boolean =>
  value !== null && value >= (limit.least ?? -Infinity) && value <= (limit.most ?? Infinity);

/** Summaries in the order of the quantities. */
export function summarize(
  manifest: Manifest,
  results: ReadonlyMap<string, StudyResult>,
): QuantitySummary[] {
  const done = manifest.runs.flatMap(({ id }) => results.get(id) ?? []);
  return manifest.quantities.map(({ name, limit }, k) => {
    const all = done.map(({ quantities }) => quantities[k]);
    const sorted = Float64Array.from(all.filter((value) => value !== null)).sort();
    const count = sorted.length;
    const value = sorted.reduce((sum, each) => sum + each, 0) / count;
    const square = sorted.reduce((sum, each) => sum + (each - value) ** 2, 0);
    const half = normalQuantile((1 + CONFIDENCE) / 2) * Math.sqrt(square / (count - 1) / count);
    const hits = limit === undefined ? 0 : all.filter((each) => isWithin(each, limit)).length;
    return {
      name,
      count,
      mean: { value, low: value - half, high: value + half },
      quantiles:
        count === 0
          ? []
          : QUANTILES.map((q) => ({
              value: sorted[Math.min(count - 1, Math.floor(q * count))],
              ...quantileInterval(sorted, q, CONFIDENCE),
            })),
      within:
        limit === undefined || all.length === 0
          ? null
          : { value: hits / all.length, ...rateInterval(hits, all.length, CONFIDENCE) },
    };
  });
}

const DIGITS = 4;
const number = (value: number): string => String(Number(value.toPrecision(DIGITS)));
const words = ({ value, low, high }: Figure): string =>
  `${number(value)} (${number(low)} to ${number(high)})`;

/** The summaries, for people. */
export function summaryLines(summaries: readonly QuantitySummary[]): string[] {
  return summaries.flatMap(({ name, count, mean, quantiles, within }) => [
    `${name}: ${count} runs${count === 0 ? '' : `, mean ${words(mean)}`}`,
    ...quantiles.map((figure, i) => `  ${100 * QUANTILES[i]} %: ${words(figure)}`),
    ...(within === null ? [] : [`  within its limit: ${words(within)} of the runs`]),
  ]);
}
