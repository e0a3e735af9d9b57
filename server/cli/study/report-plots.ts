/** The plots of one quantity of a study: its distribution, what matters for it, where it keeps its limit. */
import type { StudyQuantity } from '../../../config/study-schema.ts';
import { envelopeTiles } from '../../../src/study/envelope.ts';
import { distributionBand, rateInterval } from '../../../src/study/intervals.ts';
import type { Curve, Plot } from '../../validation/case.ts';
import { plotFigure } from '../../validation/plot.ts';
import { barFigure } from './bars.ts';
import { envelopeFigure } from './envelope-figure.ts';
import type { Influence } from './influence.ts';
import { MEASURES } from './influence.ts';
import type { Manifest } from './manifest.ts';
import { isWithin, sampleEnd } from './sample.ts';
import { strongestFirst } from './summary-lines.ts';
import type { QuantitySummary, StudySummary } from './summary.ts';

/** Marks of a plot at most: more hide each other. */
const MOST_MARKS = 2000;
/** Parts of the range of a dispersion over which the share within the limit is drawn, and fewest runs of each. */
const PARTS = 8;
const LEAST_PER_PART = 8;

/** A name as a label: an underscore would be an index. */
const label = (name: string): string => name.replaceAll('_', ' ');

interface Point {
  readonly run: number;
  readonly value: number | null;
}

/** The empirical distribution with its band, and the limit. */
function distributionPlot(
  quantity: StudyQuantity,
  { sorted }: QuantitySummary,
  { sampling, confidence }: StudySummary,
): Plot {
  const n = sorted.length;
  const half = distributionBand(n, confidence);
  const x = [...sorted].flatMap((value) => [value, value]);
  const shifted = (by: number): number[] =>
    [...sorted].flatMap((_, i) =>
      [i, i + 1].map((rank) => Math.min(1, Math.max(0, rank / n + by))),
    );
  const { least, most } = quantity.limit ?? {};
  const bounds = [least, most].filter((bound) => bound !== undefined);
  return {
    title: `Distribution of ${label(quantity.name)}`,
    xLabel: label(quantity.name),
    yLabel: 'share of the runs at or below',
    curves: [
      { name: `${n} runs`, x, y: shifted(0) },
      ...(sampling === 'independent'
        ? [-half, half].map(
            (by): Curve => ({
              name: `${shortPercent(confidence)} band, ${by < 0 ? 'low' : 'high'}`,
              x,
              y: shifted(by),
            }),
          )
        : []),
      ...bounds.map(
        (bound): Curve => ({ name: 'limit', x: [bound, bound], y: [0, 1], kind: 'bound' }),
      ),
    ],
  };
}

const shortPercent = (share: number): string => `${Number((100 * share).toFixed(1))} %`;

function marks(
  name: string,
  points: readonly Point[],
  x: (run: number) => number,
  y: (point: Point) => number,
): Curve {
  const stride = Math.ceil(points.length / MOST_MARKS);
  const shown = points.filter((_, i) => i % stride === 0);
  return { name, kind: 'points', x: shown.map(({ run }) => x(run)), y: shown.map(y) };
}

/** Runs within and outside of the limit as two kinds of marks; one kind without a limit. */
function split(
  { limit }: StudyQuantity,
  points: readonly Point[],
  x: (run: number) => number,
  y: (point: Point) => number,
): Curve[] {
  if (limit === undefined) return [marks('runs', points, x, y)];
  const within = points.filter(({ value }) => isWithin(value, limit));
  const outside = points.filter(({ value }) => !isWithin(value, limit));
  return [
    ...(within.length > 0 ? [marks(`within the limit (${within.length})`, within, x, y)] : []),
    ...(outside.length > 0 ? [marks(`outside (${outside.length})`, outside, x, y)] : []),
  ];
}

/** The share within the limit along one dispersion, in parts of as many runs each. */
function sharePlot(
  quantity: StudyQuantity,
  points: readonly Point[],
  name: string,
  x: (run: number) => number,
  confidence: number,
): Plot | null {
  const { limit } = quantity;
  const parts = Math.min(PARTS, Math.floor(points.length / LEAST_PER_PART));
  if (limit === undefined || parts < 2) return null;
  const ordered = [...points].sort((a, b) => x(a.run) - x(b.run));
  const groups = Array.from({ length: parts }, (_, k) =>
    ordered.slice(
      Math.floor((k * ordered.length) / parts),
      Math.floor(((k + 1) * ordered.length) / parts),
    ),
  );
  const shares = groups.map((group) => {
    const hits = group.filter(({ value }) => isWithin(value, limit)).length;
    return { value: hits / group.length, ...rateInterval(hits, group.length, confidence) };
  });
  const middles = groups.map(
    (group) => group.reduce((sum, { run }) => sum + x(run), 0) / group.length,
  );
  return {
    title: `Share of the runs that keep the limit of ${label(quantity.name)}`,
    xLabel: label(name),
    yLabel: 'share within the limit',
    curves: [
      { name: 'share', x: middles, y: shares.map(({ value }) => value) },
      {
        name: `${shortPercent(confidence)} interval of each part, low`,
        x: middles,
        y: shares.map(({ low }) => low),
      },
      { name: 'high', x: middles, y: shares.map(({ high }) => high) },
    ],
  };
}

/** Dispersions by what they matter, the strongest first; those of words are left out. */
function order(manifest: Manifest, influence: Influence | undefined): number[] {
  const isNumber = (at: number): boolean =>
    manifest.runs.every(({ values }) => typeof values[at] === 'number');
  const all =
    influence === undefined
      ? manifest.dispersions.map((_, at) => at)
      : strongestFirst(influence).map(({ at }) => at);
  return all.filter(isNumber);
}

/** All plots of quantity k, as HTML. */
export function quantityPlots(manifest: Manifest, summary: StudySummary, k: number): string[] {
  const quantity = manifest.quantities[k];
  const own = summary.quantities[k];
  const { dispersions, runs } = manifest;
  const plots: string[] = [];
  if (own.sorted.length > 1) plots.push(plotFigure(distributionPlot(quantity, own, summary)));
  for (const influence of own.influences) {
    const bars = strongestFirst(influence).map(({ at, figure }) => ({
      label: dispersions[at],
      figure,
    }));
    plots.push(barFigure(`What matters for ${quantity.name}`, MEASURES[influence.measure], bars));
  }
  const points = own.values.flatMap((value, run): Point[] =>
    summary.isDone[run] ? [{ run, value }] : [],
  );
  const sampled = points.filter(({ run }) => run < sampleEnd(manifest));
  const present = points.filter(({ value }) => value !== null);
  const [first, second] = order(manifest, own.influences[0]);
  const valueOf =
    (at: number) =>
    (run: number): number =>
      Number(runs[run].values[at]);
  if (first !== undefined && present.length > 0) {
    const along = label(dispersions[first]);
    plots.push(
      plotFigure({
        title: `${label(quantity.name)} over ${along}`,
        xLabel: along,
        yLabel: label(quantity.name),
        curves: split(quantity, present, valueOf(first), ({ value }) => Number(value)),
      }),
    );
    const share = sharePlot(
      quantity,
      sampled,
      dispersions[first],
      valueOf(first),
      summary.confidence,
    );
    if (share !== null) plots.push(plotFigure(share));
  }
  const { limit } = quantity;
  if (first !== undefined && second !== undefined && limit !== undefined) {
    const [along, across] = [first, second].map((at) => label(dispersions[at]));
    const title = `Where ${label(quantity.name)} keeps its limit`;
    const y = valueOf(second);
    plots.push(
      plotFigure({
        title,
        xLabel: along,
        yLabel: across,
        curves: split(quantity, points, valueOf(first), ({ run }) => y(run)),
      }),
    );
    const tiles = envelopeTiles(
      sampled.map(({ run, value }) => ({
        ...{ x: valueOf(first)(run), y: y(run), within: isWithin(value, limit) },
      })),
      summary.confidence,
    );
    if (tiles.length > 0 && summary.sampling !== 'none') {
      const note = `Of each tile the runs that keep the limit, %, and the ${shortPercent(summary.confidence)} interval of that share.`;
      plots.push(envelopeFigure(`${title}: the share of each tile`, along, across, tiles, note));
    }
  }
  return plots;
}
