/** Line plots as SVG text: axes with round ticks, curves in distinguishable colours and dashes, a legend. */
import type { Plot } from './case.ts';

const WIDTH = 720;
const HEIGHT = 320;
const LEFT = 76;
const RIGHT = 16;
const TOP = 14;
const BOTTOM = 46;
/** Okabe and Ito: told apart by people who see few colours. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000'];
const DASHES = ['', '6 3', '2 3', '8 3 2 3'];

/** The SVG element of a plot. */
export function plotSvg(plot: Plot): string {
  const xs = range(plot.curves.flatMap((curve) => extent(curve.x)));
  const ys = range(plot.curves.flatMap((curve) => extent(curve.y)));
  const px = (x: number): number => LEFT + ((x - xs[0]) / (xs[1] - xs[0])) * (WIDTH - LEFT - RIGHT);
  const py = (y: number): number =>
    HEIGHT - BOTTOM - ((y - ys[0]) / (ys[1] - ys[0])) * (HEIGHT - TOP - BOTTOM);
  const parts: string[] = [];
  for (const x of ticks(xs)) {
    parts.push(
      `<line class="grid" x1="${px(x).toFixed(1)}" x2="${px(x).toFixed(1)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/>`,
      `<text x="${px(x).toFixed(1)}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${label(x)}</text>`,
    );
  }
  for (const y of ticks(ys)) {
    parts.push(
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${py(y).toFixed(1)}" y2="${py(y).toFixed(1)}"/>`,
      `<text x="${LEFT - 6}" y="${(py(y) + 4).toFixed(1)}" text-anchor="end">${label(y)}</text>`,
    );
  }
  parts.push(
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${escapeHtml(plot.xLabel)}</text>`,
    `<text transform="translate(14 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${escapeHtml(plot.yLabel)}</text>`,
  );
  for (const [i, curve] of plot.curves.entries()) {
    const points = curve.x
      .map((x, n) => `${px(x).toFixed(1)},${py(curve.y[n]).toFixed(1)}`)
      .join(' ');
    const style = `stroke="${COLOURS[i % COLOURS.length]}" stroke-dasharray="${DASHES[Math.floor(i / 2) % DASHES.length]}"`;
    parts.push(`<polyline ${style} points="${points}"/>`);
  }
  const legend = plot.curves
    .map((curve, i) => {
      const style = `color:${COLOURS[i % COLOURS.length]}`;
      return `<li><span style="${style}">━</span> ${escapeHtml(curve.name)}</li>`;
    })
    .join('');
  const svg = `<svg role="img" aria-label="${escapeHtml(plot.title)}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${parts.join('')}</svg>`;
  return `<figure><figcaption>${escapeHtml(plot.title)}</figcaption>${svg}<ul class="legend">${legend}</ul></figure>`;
}

/** Text safe inside HTML. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function extent(values: readonly number[]): number[] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : [];
}

function range(extremes: readonly number[]): readonly [number, number] {
  const low = Math.min(0, ...extremes);
  const high = Math.max(...extremes, low);
  if (high === low) return [low - 1, high + 1];
  const margin = 0.03 * (high - low);
  return [low === 0 ? 0 : low - margin, high + margin];
}

function ticks([low, high]: readonly [number, number]): number[] {
  const raw = (high - low) / 6;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= raw) ?? 10 * power;
  const result: number[] = [];
  for (let n = Math.ceil(low / step); n * step <= high; n++) result.push(n * step);
  return result;
}

function label(value: number): string {
  return String(Number(value.toPrecision(6)));
}
