/** Tiles of a plane with the share of the runs that keep a limit, as SVG text without script. */
import type { EnvelopeTile } from '../../../src/study/envelope.ts';
import { makeAxis } from '../../validation/axis.ts';
import { axisLabel } from '../../validation/plot.ts';
import { escapeHtml } from '../../validation/rich-text.ts';

const WIDTH = 560;
const HEIGHT = 400;
const LEFT = 72;
const RIGHT = 16;
const TOP = 10;
const BOTTOM = 52;
/** Least size of a tile that says its share, and its interval below. */
const SHARE_SIZE = [34, 18] as const;
const INTERVAL_SIZE = [54, 36] as const;
/** Of a colour over the page: text stays readable. */
const OPACITY = 0.45;

/** Rules that the map needs beside those of the report. */
export const ENVELOPE_STYLE = `
svg rect.tile:not(.frame) { stroke: var(--page); stroke-width: 1; fill-opacity: 1; }
svg rect.kept:not(.frame) { fill: var(--good); }
svg rect.left:not(.frame) { fill: var(--bad); }
svg text.share { font-size: 13px; font-weight: 600; }
svg text.interval { font-size: 11px; fill: var(--text); }
`;

const percent = (share: number): string => String(Math.round(100 * share));

/** The figure element. */
export function envelopeFigure(
  title: string,
  xLabel: string,
  yLabel: string,
  tiles: readonly EnvelopeTile[],
  note: string,
): string {
  const [xAxis, yAxis] = [tiles.flatMap(({ x }) => x), tiles.flatMap(({ y }) => y)].map((ends) =>
    makeAxis(ends, 'linear'),
  );
  const [right, bottom] = [WIDTH - RIGHT, HEIGHT - BOTTOM];
  const px = (x: number): number => LEFT + xAxis.place(x) * (right - LEFT);
  const py = (y: number): number => bottom - yAxis.place(y) * (bottom - TOP);
  const parts: string[] = [];
  for (const { value, label } of xAxis.ticks)
    parts.push(
      `<text class="tick" x="${px(value).toFixed(1)}" y="${bottom + 18}" text-anchor="middle">${label}</text>`,
    );
  for (const { value, label } of yAxis.ticks)
    parts.push(
      `<text class="tick" x="${LEFT - 7}" y="${(py(value) + 4.5).toFixed(1)}" text-anchor="end">${label}</text>`,
    );
  for (const tile of tiles) {
    const { value, low, high } = tile.share;
    const [x, y] = [px(tile.x[0]), py(tile.y[1])];
    const [width, height] = [px(tile.x[1]) - x, py(tile.y[0]) - y];
    const box = `x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}"`;
    const layer = (name: string, share: number): string =>
      `<rect class="tile ${name}" ${box} opacity="${(OPACITY * share).toFixed(3)}"/>`;
    const fits = ([wide, tall]: readonly [number, number]): boolean =>
      width >= wide && height >= tall;
    const [cx, cy] = [(x + width / 2).toFixed(1), y + height / 2];
    const interval = `${percent(low)}–${percent(high)}`;
    const words = `${percent(value)} % of ${tile.runs} runs, ${interval} %`;
    parts.push(
      `<g><title>${words}</title>`,
      layer('left', 1 - value),
      layer('kept', value),
      ...(fits(SHARE_SIZE)
        ? [
            `<text class="share" x="${cx}" y="${(fits(INTERVAL_SIZE) ? cy - 1 : cy + 5).toFixed(1)}" text-anchor="middle">${percent(value)}</text>`,
          ]
        : []),
      ...(fits(INTERVAL_SIZE)
        ? [
            `<text class="interval" x="${cx}" y="${(cy + 14).toFixed(1)}" text-anchor="middle">${interval}</text>`,
          ]
        : []),
      '</g>',
    );
  }
  parts.push(
    `<text class="label" x="${(LEFT + right) / 2}" y="${HEIGHT - 12}" text-anchor="middle">${axisLabel(xLabel, xAxis)}</text>`,
    `<text class="label" transform="translate(16 ${(TOP + bottom) / 2}) rotate(-90)" text-anchor="middle">${axisLabel(yLabel, yAxis)}</text>`,
    `<rect class="frame" x="${LEFT}" y="${TOP}" width="${right - LEFT}" height="${bottom - TOP}"/>`,
  );
  return `<figure><figcaption>${escapeHtml(title)}</figcaption><svg class="plot" role="img" aria-label="${escapeHtml(title)}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${parts.join('')}</svg>
<p class="facts">${escapeHtml(note)}</p></figure>`;
}
