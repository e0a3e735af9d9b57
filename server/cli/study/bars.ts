/** Bars with their intervals, the longest first: which dispersion matters, as SVG text without script. */
import type { Figure } from '../../../src/study/intervals.ts';
import { makeAxis } from '../../validation/axis.ts';
import { escapeHtml } from '../../validation/rich-text.ts';

/** One row. */
export interface Bar {
  readonly label: string;
  readonly figure: Figure;
}

const WIDTH = 560;
const LEFT = 150;
const RIGHT = 18;
const ROW = 30;
const TOP = 6;
const BOTTOM = 46;

/** Rules that the bars need beside those of the report. */
export const BAR_STYLE = `
svg rect.bar:not(.frame) { fill: var(--c0); fill-opacity: 0.75; }
svg .whisker { stroke: var(--text); stroke-width: 1.4; }
`;

/** The figure element; an axis from zero, and both ways where a bar goes there. */
export function barFigure(title: string, axisLabel: string, bars: readonly Bar[]): string {
  const axis = makeAxis(
    [0, ...bars.flatMap(({ figure }) => [figure.value, figure.low, figure.high])],
    'linear',
  );
  const bottom = TOP + ROW * bars.length;
  const px = (value: number): number =>
    LEFT + Math.min(1, Math.max(0, axis.place(value))) * (WIDTH - LEFT - RIGHT);
  const parts: string[] = [];
  for (const { value, label } of axis.ticks) {
    const x = px(value).toFixed(1);
    parts.push(
      `<line class="${value === 0 ? 'zero' : 'grid'}" x1="${x}" x2="${x}" y1="${TOP}" y2="${bottom}"/>`,
      `<text class="tick" x="${x}" y="${bottom + 18}" text-anchor="middle">${label}</text>`,
    );
  }
  for (const [n, { label, figure }] of bars.entries()) {
    const y = TOP + ROW * (n + 0.5);
    const [from, to] = [px(0), px(figure.value)].sort((a, b) => a - b);
    const [low, high] = [px(figure.low).toFixed(1), px(figure.high).toFixed(1)];
    parts.push(
      `<text x="${LEFT - 8}" y="${y + 5}" text-anchor="end">${escapeHtml(label)}</text>`,
      `<rect class="bar" x="${from.toFixed(1)}" y="${y - 8}" width="${(to - from).toFixed(1)}" height="16"/>`,
      `<line class="whisker" x1="${low}" x2="${high}" y1="${y}" y2="${y}"/>`,
      ...[low, high].map(
        (x) => `<line class="whisker" x1="${x}" x2="${x}" y1="${y - 5}" y2="${y + 5}"/>`,
      ),
    );
  }
  const height = bottom + BOTTOM;
  parts.push(
    `<text class="label" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${height - 8}" text-anchor="middle">${escapeHtml(axisLabel)}</text>`,
    `<rect class="frame" x="${LEFT}" y="${TOP}" width="${WIDTH - LEFT - RIGHT}" height="${ROW * bars.length}"/>`,
  );
  return `<figure><figcaption>${escapeHtml(title)}</figcaption><svg class="plot" role="img" aria-label="${escapeHtml(title)}" viewBox="0 0 ${WIDTH} ${height}">${parts.join('')}</svg></figure>`;
}
