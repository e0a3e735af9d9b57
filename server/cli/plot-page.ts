/** One HTML page with the curves of a table: uPlot, its style and the numbers are in it, and it asks for nothing from anywhere. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Panel, panelsOf, type Thinned } from './plot-data.ts';

/** What a page is of. */
export interface PlotPage {
  /** Heading: file and topic. */
  readonly title: string;
  /** Name of the column of the time. */
  readonly time: string;
  readonly data: Thinned;
}

/** Digits of a value and of a time on the page. */
const DIGITS = 9;
const TIME_DIGITS = 12;

const resolve = createRequire(import.meta.url).resolve;
const asset = (name: string): string => readFileSync(resolve(`uplot/dist/${name}`), 'utf8');

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** JSON that ends no script element. */
const inScript = (value: unknown): string =>
  JSON.stringify(value).replaceAll('<', String.raw`\u003c`);

const rounded = (values: readonly number[], digits: number): (number | null)[] =>
  values.map((value) => (Number.isFinite(value) ? Number(value.toPrecision(digits)) : null));

const panelData = ({ label, curves }: Panel): unknown => ({
  label,
  names: curves.map(({ name }) => name),
  values: curves.map(({ values }) => rounded(values, DIGITS)),
});

const STYLE = `
:root { color-scheme: light dark; --ink: #1c1c1e; --quiet: #8e8e93; --grid: #e3e3e8; --page: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #f2f2f7; --quiet: #8e8e93; --grid: #3a3a3c; --page: #1c1c1e; } }
body { margin: 1rem 1.5rem; font: 14px system-ui, sans-serif; color: var(--ink); background: var(--page); }
h1 { font-size: 1.1rem; margin: 0 0 .2rem; overflow-wrap: anywhere; }
p { margin: 0 0 .8rem; color: var(--quiet); }
.u-legend { text-align: left; font-size: 12px; }
.u-legend .u-value { font-variant-numeric: tabular-nums; }
`;

/** Runs in the page: one chart for each panel, with one cursor and one range of time for all. */
const SCRIPT = `
const { panels, times, time } = JSON.parse(document.getElementById('data').textContent);
const style = getComputedStyle(document.documentElement);
const ink = (name) => style.getPropertyValue(name).trim();
const colours = ['#0a84ff', '#ff9f0a', '#30b14c', '#ff453a', '#bf5af2', '#00a7b5', '#a2845e', '#8e8e93'];
const axis = { stroke: ink('--ink'), grid: { stroke: ink('--grid'), width: 1 }, ticks: { stroke: ink('--grid'), width: 1 } };
const ticks = (u, marks) => {
  const step = Math.abs(marks[1] - marks[0]);
  const most = Math.max(...marks.map(Math.abs));
  let digits = 0;
  // as many as the step has: 2.5 needs one
  while (digits < 12 && Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) > 1e-6 * step * 10 ** digits) digits++;
  if (!(step < 1e-4) || most >= 0.1) return marks.map((mark) => mark.toFixed(digits));
  const power = Math.floor(Math.log10(most));
  return marks.map((mark) => (mark === 0 ? '0' : (mark / 10 ** power).toFixed(Math.max(0, digits + power)) + 'e' + power));
};
const number = (u, value) => (value == null ? '—' : String(Number(value.toPrecision(6))));
const charts = [];
let following = false;
const follow = (from) => {
  if (following) return;
  following = true;
  const { min, max } = from.scales.x;
  for (const chart of charts) if (chart !== from) chart.setScale('x', { min, max });
  following = false;
};
const width = () => document.getElementById('charts').clientWidth;
for (const { label, names, values } of panels) {
  charts.push(new uPlot({
    width: width(),
    height: 260,
    scales: { x: { time: false } },
    cursor: { sync: { key: 'time' } },
    axes: [{ ...axis, label: time, values: ticks }, { ...axis, label, size: 90, values: ticks }],
    series: [
      { label: time, value: number },
      ...names.map((name, i) => ({ label: name, stroke: colours[i % colours.length], dash: i < colours.length ? [] : [6, 3], width: 1.5, value: number })),
    ],
    hooks: { setScale: [(chart, key) => { if (key === 'x') follow(chart); }] },
  }, [times, ...values], document.getElementById('charts')));
}
addEventListener('resize', () => { for (const chart of charts) chart.setSize({ width: width(), height: 260 }); });
`;

/** The page. The same rows give the same bytes. */
export function plotPage({ title, time, data }: PlotPage): string {
  const { times, curves, rows } = data;
  const points =
    rows === 1
      ? `${times.length} rows, every one drawn.`
      : `Of each ${rows} rows the least and the largest value are drawn; choose a shorter time to see every row.`;
  const content = {
    time,
    times: rounded(times, TIME_DIGITS),
    panels: panelsOf(curves).map(panelData),
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${asset('uPlot.min.css')}${STYLE}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<p>${points} Drag to see a part, double-click to see all; click a name to hide its curve.</p>
<div id="charts"></div>
<script type="application/json" id="data">${inScript(content)}</script>
<script>${asset('uPlot.iife.min.js')}</script>
<script>${SCRIPT}</script>
</body>
</html>
`;
}
