/**
 * Line drawings as self-contained SVG files, for pages that show them as images: own colours for light and dark, legend inside.
 * Coordinates are rounded to a tenth of a pixel, so that the same curves always give the same bytes.
 */

/** One curve; marks are computed points, a reference is a thin grey line. One without a name is not in the legend. */
export interface DrawnCurve {
  readonly name: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly kind?: 'line' | 'marks' | 'reference';
  /** Colour of another curve, by index, for marks that belong to a line. */
  readonly colour?: number;
}

/** One drawing: its file is named after it. */
export interface Drawing {
  readonly file: string;
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly xRange?: readonly [number, number];
  readonly yRange?: readonly [number, number];
  readonly xScale?: 'linear' | 'log';
  readonly yScale?: 'linear' | 'log';
  readonly curves: readonly DrawnCurve[];
}

const WIDTH = 640;
const LEFT = 66;
const RIGHT = 18;
const TOP = 40;
const PLOT_BOTTOM = 340;
const LEGEND_ROW = 20;
/** Points nearer than this to the last one drawn are left out, px. */
const NEAR = 1.2;
/** Rough width of a letter of the legend, px. */
const LETTER = 7.1;
const COLOURS = 6;
const DASHES = ['', '9 4', '2 3', '10 3 2 3', '5 3', '1 3'];

const STYLE = `
:root{--paper:#fff;--ink:#1c2430;--soft:#5d6878;--grid:#e3e7ec;--c0:#0067a5;--c1:#c7500a;--c2:#00805c;--c3:#a8447f;--c4:#9a6b00;--c5:#4a55b5}
@media(prefers-color-scheme:dark){:root{--paper:#14181f;--ink:#e7ebf0;--soft:#9aa6b5;--grid:#2b323d;--c0:#5cb3ec;--c1:#ff9457;--c2:#45cfa3;--c3:#ec8cc4;--c4:#e5b84a;--c5:#9aa5ff}}
text{font:13px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;fill:var(--ink)}
.title{font-size:14.5px;font-weight:600}.tick{font-size:12px;fill:var(--soft)}
.paper{fill:var(--paper)}.grid{stroke:var(--grid)}.zero{stroke:var(--soft)}.frame{fill:none;stroke:var(--soft)}
polyline{fill:none;stroke-width:2;stroke-linejoin:round}.reference{stroke:var(--soft);stroke-width:1.3}
.mark{fill:var(--paper);stroke-width:1.6}
${Array.from({ length: COLOURS }, (_, c) => `.c${c}{stroke:var(--c${c})}`).join('')}`;

interface Scale {
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
  place(value: number): number;
}

/** The whole file. */
export function drawSvg(drawing: Drawing): string {
  const { curves } = drawing;
  const x = makeScale(
    drawing.xScale,
    drawing.xRange,
    curves.flatMap((curve) => curve.x),
  );
  const y = makeScale(
    drawing.yScale,
    drawing.yRange,
    curves.flatMap((curve) => curve.y),
  );
  const right = WIDTH - RIGHT;
  const px = (value: number): number => LEFT + x.place(value) * (right - LEFT);
  const py = (value: number): number => PLOT_BOTTOM - y.place(value) * (PLOT_BOTTOM - TOP);
  const legend = layLegend(curves);
  const height = PLOT_BOTTOM + 54 + legend.rows * LEGEND_ROW;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>${escapeXml(drawing.title)}</title>`,
    `<style>${STYLE}</style>`,
    `<clipPath id="frame"><rect x="${LEFT}" y="${TOP - 2}" width="${right - LEFT}" height="${PLOT_BOTTOM - TOP + 4}"/></clipPath>`,
    `<rect class="paper" width="${WIDTH}" height="${height}"/>`,
    `<text class="title" x="${LEFT}" y="24">${escapeXml(drawing.title)}</text>`,
  ];
  for (const { at, label } of x.ticks) {
    const p = px(at).toFixed(1);
    parts.push(
      `<line class="${at === 0 ? 'zero' : 'grid'}" x1="${p}" x2="${p}" y1="${TOP}" y2="${PLOT_BOTTOM}"/>`,
      `<text class="tick" x="${p}" y="${PLOT_BOTTOM + 17}" text-anchor="middle">${label}</text>`,
    );
  }
  for (const { at, label } of y.ticks) {
    const p = py(at);
    parts.push(
      `<line class="${at === 0 ? 'zero' : 'grid'}" x1="${LEFT}" x2="${right}" y1="${p.toFixed(1)}" y2="${p.toFixed(1)}"/>`,
      `<text class="tick" x="${LEFT - 7}" y="${(p + 4).toFixed(1)}" text-anchor="end">${label}</text>`,
    );
  }
  parts.push(
    `<rect class="frame" x="${LEFT}" y="${TOP}" width="${right - LEFT}" height="${PLOT_BOTTOM - TOP}"/>`,
    `<text x="${(LEFT + right) / 2}" y="${PLOT_BOTTOM + 38}" text-anchor="middle">${escapeXml(drawing.xLabel)}</text>`,
    `<text transform="translate(17 ${(TOP + PLOT_BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${escapeXml(drawing.yLabel)}</text>`,
    '<g clip-path="url(#frame)">',
  );
  curves.forEach((curve, index) => {
    if (curve.kind !== 'marks') parts.push(polyline(curve, strokeOf(curves, index), px, py));
  });
  curves.forEach((curve, index) => {
    if (curve.kind !== 'marks') return;
    const stroke = strokeOf(curves, index);
    curve.x.forEach((value, k) => parts.push(mark(stroke, px(value), py(curve.y[k]))));
  });
  parts.push('</g>');
  legend.places.forEach(({ left, row }, index) => {
    if (curves[index].name === '') return;
    const middle = PLOT_BOTTOM + 60 + row * LEGEND_ROW;
    const stroke = strokeOf(curves, index);
    parts.push(
      curves[index].kind === 'marks'
        ? mark(stroke, left + 14, middle)
        : `<polyline ${stroke} points="${left},${middle} ${left + 28},${middle}"/>`,
      `<text x="${left + 35}" y="${middle + 4}">${escapeXml(curves[index].name)}</text>`,
    );
  });
  return `${parts.join('\n')}\n</svg>\n`;
}

function strokeOf(curves: readonly DrawnCurve[], index: number): string {
  const curve = curves[index];
  if (curve.kind === 'reference') return 'class="reference" stroke-dasharray="5 4"';
  const before = curves.slice(0, index).filter((one) => one.kind === curve.kind).length;
  const colour = (curve.colour ?? before) % COLOURS;
  if (curve.kind === 'marks') return `class="mark c${colour}"`;
  const dash = DASHES[before % DASHES.length];
  return `class="c${colour}"${dash === '' ? '' : ` stroke-dasharray="${dash}"`}`;
}

function mark(stroke: string, x: number, y: number): string {
  return `<circle ${stroke} cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="3.8"/>`;
}

function polyline(
  curve: DrawnCurve,
  stroke: string,
  px: (x: number) => number,
  py: (y: number) => number,
): string {
  const points: string[] = [];
  let lastX = Number.NEGATIVE_INFINITY;
  let lastY = 0;
  curve.x.forEach((value, k) => {
    const x = px(value);
    const y = py(curve.y[k]);
    const near = Math.abs(x - lastX) + Math.abs(y - lastY) < NEAR;
    if (near && k < curve.x.length - 1) return;
    lastX = x;
    lastY = y;
    points.push(`${x.toFixed(1)},${y.toFixed(1)}`);
  });
  return `<polyline ${stroke} points="${points.join(' ')}"/>`;
}

function layLegend(curves: readonly DrawnCurve[]): {
  rows: number;
  places: { left: number; row: number }[];
} {
  let left = LEFT;
  let row = 0;
  const places = curves.map(({ name }) => {
    if (name === '') return { left, row };
    const wide = 35 + name.length * LETTER + 16;
    if (left > LEFT && left + wide > WIDTH) {
      left = LEFT;
      row++;
    }
    const place = { left, row };
    left += wide;
    return place;
  });
  return { rows: row + 1, places };
}

function makeScale(
  kind: 'linear' | 'log' | undefined,
  range: readonly [number, number] | undefined,
  values: readonly number[],
): Scale {
  let low = range?.[0] ?? values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  let high = range?.[1] ?? values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  if (kind === 'log') return logScale(low, high);
  if (range === undefined) {
    if (low > 0 && low < 0.5 * high) low = 0;
    const room = 0.05 * (high - low);
    if (low !== 0) low -= room;
    high += room;
  }
  const raw = (high - low) / 6;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((one) => one >= raw * 0.999) ?? raw;
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const ticks = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n++) {
    const label = n === 0 ? '0' : (n * step).toFixed(decimals).replace('-', '−');
    ticks.push({ at: n * step, label });
  }
  return { ticks, place: (value) => (value - low) / (high - low) };
}

function logScale(low: number, high: number): Scale {
  const from = Math.log10(low);
  const to = Math.log10(high);
  const ticks = [];
  for (let n = Math.ceil(from - 1e-9); n <= to + 1e-9; n++) {
    const power = String(Math.abs(n)).replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]);
    const label =
      Math.abs(n) <= 2 ? String(Number((10 ** n).toPrecision(3))) : `10${n < 0 ? '⁻' : ''}${power}`;
    ticks.push({ at: 10 ** n, label });
  }
  return { ticks, place: (value) => (Math.log10(value) - from) / (to - from) };
}

function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
