/** The figures of a study as lines for a terminal. */
import type { Figure } from '../../../src/study/intervals.ts';
import type { Influence } from './influence.ts';
import type { Manifest } from './manifest.ts';
import { COVERAGE, QUANTILES, type QuantitySummary, type StudySummary } from './summary.ts';

const DIGITS = 4;
/** A number to four digits. */
const shortNumber = (value: number): string =>
  Number.isFinite(value) ? String(Number(value.toPrecision(DIGITS))) : value > 0 ? '∞' : '-∞';
/** A figure with its interval. */
const figureWords = ({ value, low, high }: Figure): string =>
  `${shortNumber(value)} (${shortNumber(low)} to ${shortNumber(high)})`;

const MEASURE_WORDS = {
  total: 'total index',
  first: 'first index',
  effect: 'effect',
  rank: 'rank correlation',
};

/** The strongest first. */
export function strongestFirst({ figures }: Influence): { at: number; figure: Figure }[] {
  return figures
    .flatMap((figure, at) => (figure === null ? [] : [{ at, figure }]))
    .sort((a, b) => Math.abs(b.figure.value) - Math.abs(a.figure.value));
}

function toleranceWords({ tolerance }: QuantitySummary): string[] {
  if (tolerance === null) return [];
  const { low, high } = tolerance;
  const part = `${100 * COVERAGE} % of all cases`;
  return [
    ...(Number.isFinite(high) ? [`  ${part} stay below ${shortNumber(high)} (Wilks)`] : []),
    ...(Number.isFinite(low) ? [`  ${part} stay above ${shortNumber(low)} (Wilks)`] : []),
  ];
}

function rareWords({ rare }: QuantitySummary): string[] {
  if (rare === null) return [];
  const { levels } = rare;
  const words = `${levels.length} ${levels.length === 1 ? 'level' : 'levels'}`;
  return [`  outside of its limit: ${figureWords(rare)} of all cases, in ${words}`];
}

/** The summaries, for people. */
export function summaryLines(
  { dispersions }: Manifest,
  { quantities, runs, sample }: StudySummary,
): string[] {
  const drawn = sample < runs ? `mean of ${sample}` : 'mean';
  return quantities.flatMap((summary) => {
    const { name, values, range, mean, quantiles, within, influences } = summary;
    const count = values.filter((value) => value !== null).length;
    const extent =
      range === null ? '' : `, ${shortNumber(range.low)} to ${shortNumber(range.high)}`;
    return [
      `${name}: ${count} runs${mean === null ? extent : `, ${drawn} ${figureWords(mean)}`}`,
      ...quantiles.map((figure, i) => `  ${100 * QUANTILES[i]} %: ${figureWords(figure)}`),
      ...toleranceWords(summary),
      ...(within === null ? [] : [`  within its limit: ${figureWords(within)} of the runs`]),
      ...rareWords(summary),
      ...influences.flatMap((influence) =>
        strongestFirst(influence).map(
          ({ at, figure }) =>
            `  ${MEASURE_WORDS[influence.measure]} of ${dispersions[at]}: ${figureWords(figure)}`,
        ),
      ),
    ];
  });
}
