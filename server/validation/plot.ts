/**
 * Plots as SVG text without script: axes with round ticks, curves distinguished by colour and dash, values of the reference as
 * marks, a legend below. Colours come from classes of the page (report-style.ts), so that they follow light, dark and print.
 */
import { type Axis, makeAxis } from './axis.ts';
import type { Curve, Plot } from './case.ts';
import { superscript } from './number-text.ts';
import { escapeHtml, richHtml, richSvg } from './rich-text.ts';

const WIDTH = 560;
const HEIGHT = 320;
const LEFT = 72;
const RIGHT = 16;
const TOP = 10;
const BOTTOM = 52;
/** Number of colours and of marks; dashes change after each round of colours. */
const COLOURS = 7;
const DASHES = ['', '7 3', '2 3', '8 3 2 3'];
/** Radius of a mark. */
const MARK_SIZE = 4.2;

/** The figure element of a plot. */
export function plotFigure(plot: Plot): string {
  const legend = plot.curves.length > 1 || plot.curves.some(({ kind }) => kind !== undefined);
  const entries = styled(plot.curves).map(({ curve, style }) => {
    const swatch = `<svg class="swatch" viewBox="0 0 30 12" aria-hidden="true">${sample(curve, style)}</svg>`;
    return `<li>${swatch}<span>${richHtml(curve.name)}</span></li>`;
  });
  const list = legend ? `<ul class="legend">${entries.join('')}</ul>` : '';
  return `<figure><figcaption>${richHtml(plot.title)}</figcaption>${plotSvg(plot)}${list}</figure>`;
}

/** The SVG element of a plot. */
function plotSvg(plot: Plot): string {
  const xAxis = makeAxis(
    plot.curves.flatMap(({ x }) => x),
    plot.xScale ?? 'linear',
  );
  const yAxis = makeAxis(
    plot.curves.flatMap(({ y }) => y),
    plot.yScale ?? 'linear',
  );
  const right = WIDTH - RIGHT;
  const bottom = HEIGHT - BOTTOM;
  const px = (x: number): number => LEFT + inside(xAxis.place(x)) * (right - LEFT);
  const py = (y: number): number => bottom - inside(yAxis.place(y)) * (bottom - TOP);
  const parts: string[] = [];
  for (const { value, label } of xAxis.ticks) {
    const x = px(value).toFixed(1);
    parts.push(
      `<line class="${gridClass(value, label)}" x1="${x}" x2="${x}" y1="${TOP}" y2="${bottom}"/>`,
    );
    if (label !== '')
      parts.push(
        `<text class="tick" x="${x}" y="${bottom + 18}" text-anchor="middle">${label}</text>`,
      );
  }
  for (const { value, label } of yAxis.ticks) {
    const y = py(value);
    parts.push(
      `<line class="${gridClass(value, label)}" x1="${LEFT}" x2="${right}" y1="${y.toFixed(1)}" y2="${y.toFixed(1)}"/>`,
    );
    if (label !== '')
      parts.push(
        `<text class="tick" x="${LEFT - 7}" y="${(y + 4.5).toFixed(1)}" text-anchor="end">${label}</text>`,
      );
  }
  parts.push(
    `<text class="label" x="${(LEFT + right) / 2}" y="${HEIGHT - 12}" text-anchor="middle">${axisLabel(plot.xLabel, xAxis)}</text>`,
    `<text class="label" transform="translate(16 ${(TOP + bottom) / 2}) rotate(-90)" text-anchor="middle">${axisLabel(plot.yLabel, yAxis)}</text>`,
    `<rect class="frame" x="${LEFT}" y="${TOP}" width="${right - LEFT}" height="${bottom - TOP}"/>`,
  );
  // marks of the reference lie above the lines that they are compared with
  const layers = styled(plot.curves);
  for (const { curve, style } of layers) {
    if (curve.kind !== 'points') parts.push(line(curve, style, px, py));
  }
  for (const { curve, style } of layers) {
    if (curve.kind !== 'points') continue;
    for (const [n, x] of curve.x.entries()) {
      const at = [px(x), py(curve.y[n])] as const;
      if (at.every(Number.isFinite)) parts.push(mark(style, at[0], at[1]));
    }
  }
  return `<svg class="plot" role="img" aria-label="${escapeHtml(plot.title)}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${parts.join('')}</svg>`;
}

/** A place on the axis, or not a number outside of it. */
function inside(place: number): number {
  return place >= -1e-9 && place <= 1 + 1e-9 ? place : NaN;
}

/** Place of a curve among those of its kind: its colour, dash and mark. */
interface CurveStyle {
  readonly index: number;
  readonly bound: boolean;
}

function styled(curves: readonly Curve[]): { curve: Curve; style: CurveStyle }[] {
  let lines = 0;
  let marks = 0;
  let bounds = 0;
  return curves.map((curve) => {
    if (curve.kind === 'bound') return { curve, style: { index: bounds++, bound: true } };
    const index = curve.kind === 'points' ? marks++ : lines++;
    return { curve, style: { index, bound: false } };
  });
}

function strokeOf(style: CurveStyle): string {
  if (style.bound) return `class="bound" stroke-dasharray="${['5 4', '2 3'][style.index % 2]}"`;
  const dash = DASHES[Math.floor(style.index / COLOURS + (style.index % 2)) % DASHES.length];
  return `class="c${style.index % COLOURS}" stroke-dasharray="${dash === '' ? 'none' : dash}"`;
}

function line(
  curve: Curve,
  style: CurveStyle,
  px: (x: number) => number,
  py: (y: number) => number,
): string {
  const pieces: string[][] = [[]];
  for (const [n, x] of curve.x.entries()) {
    const a = px(x);
    const b = py(curve.y[n]);
    if (Number.isFinite(a) && Number.isFinite(b)) {
      pieces[pieces.length - 1].push(`${a.toFixed(1)},${b.toFixed(1)}`);
    } else if (pieces[pieces.length - 1].length > 0) pieces.push([]);
  }
  return pieces
    .filter((piece) => piece.length > 0)
    .map((piece) => `<polyline ${strokeOf(style)} points="${piece.join(' ')}"/>`)
    .join('');
}

/** A mark: circle, square, triangle or diamond, open. */
function mark(style: CurveStyle, x: number, y: number): string {
  const r = MARK_SIZE;
  const c = `class="m${style.index % COLOURS}"`;
  const point = (dx: number, dy: number): string => `${(x + dx).toFixed(1)},${(y + dy).toFixed(1)}`;
  switch (style.index % 4) {
    case 0:
      return `<circle ${c} cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${r}"/>`;
    case 1:
      return `<rect ${c} x="${(x - r + 0.4).toFixed(1)}" y="${(y - r + 0.4).toFixed(1)}" width="${2 * r - 0.8}" height="${2 * r - 0.8}"/>`;
    case 2:
      return `<polygon ${c} points="${point(0, -r - 0.6)} ${point(r + 0.4, r - 0.4)} ${point(-r - 0.4, r - 0.4)}"/>`;
    default:
      return `<polygon ${c} points="${point(0, -r - 1)} ${point(r + 1, 0)} ${point(0, r + 1)} ${point(-r - 1, 0)}"/>`;
  }
}

function sample(curve: Curve, style: CurveStyle): string {
  if (curve.kind === 'points') return mark(style, 15, 6);
  return `<polyline ${strokeOf(style)} points="1,6 29,6"/>`;
}

function gridClass(value: number, label: string): string {
  if (value === 0) return 'zero';
  return label === '' ? 'grid minor' : 'grid';
}

/** `depth, m` with a common power of ten becomes `depth, 10⁻⁶ m`; the unit 1 is left out. */
export function axisLabel(text: string, axis: Axis): string {
  const plain = text.endsWith(', 1') ? text.slice(0, -3) : text;
  if (axis.exponent === 0) return richSvg(plain);
  const power = `10${superscript(axis.exponent)}`;
  const comma = plain.lastIndexOf(', ');
  if (comma < 0) return richSvg(`${plain}, ${power}`);
  return richSvg(`${plain.slice(0, comma)}, ${power} ${plain.slice(comma + 2)}`);
}
