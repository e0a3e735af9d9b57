/** Style sheet of the report: light and dark by the reader's preference, always light in print. */

/** Okabe and Ito's colours, told apart by people who see few colours; the dark page takes lighter ones of the same hues. */
const LIGHT = ['#0072b2', '#d55e00', '#007d5b', '#b0508a', '#b07800', '#2b8fc7', '#222222'];
const DARK = ['#56b4e9', '#ff8c3a', '#2fc79a', '#e39ac6', '#f0c040', '#9fc9ff', '#eeeeee'];

const LIGHT_VALUES = `color-scheme: light; --page: #fff; --text: #1b1b1b; --soft: #555; --line: #d9d9d9; --panel: #f5f6f7; --grid: #e4e4e4; --good: #005f3c; --good-panel: #e3f3ea; --bad: #a30018; --bad-panel: #fde5e8; --link: #0a58a6; ${colours(LIGHT)}`;
const DARK_VALUES = `color-scheme: dark; --page: #15181c; --text: #e6e6e6; --soft: #a9b0b8; --line: #3a4048; --panel: #1d2127; --grid: #2b3037; --good: #6fd8a4; --good-panel: #16362a; --bad: #ff8b98; --bad-panel: #47161d; --link: #7db8f5; ${colours(DARK)}`;

function colours(values: readonly string[]): string {
  return values.map((value, n) => `--c${n}: ${value};`).join(' ');
}

const SERIES = LIGHT.map(
  (_, n) => `.c${n} { stroke: var(--c${n}); } .m${n} { stroke: var(--c${n}); }`,
).join('\n');

/** The whole style sheet. */
export const REPORT_STYLE = `
:root { ${LIGHT_VALUES} }
@media (prefers-color-scheme: dark) { :root { ${DARK_VALUES} } }
@media print { :root { ${LIGHT_VALUES} } }
* { box-sizing: border-box; }
body { font: 16px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; max-width: 74rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; color: var(--text); background: var(--page); }
h1 { font-size: 1.7rem; margin: 0 0 0.5rem; }
h2 { font-size: 1.25rem; margin: 0 0 0.5rem; display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 0.75rem; }
a { color: var(--link); }
p { margin: 0.4rem 0; max-width: 62rem; }
.verdict { font-size: 1.15rem; font-weight: 600; }
.facts { color: var(--soft); font-size: 0.9rem; }
.badge { font-size: 0.8rem; font-weight: 600; padding: 0.05rem 0.55rem; border-radius: 0.3rem; white-space: nowrap; }
.pass { color: var(--good); } .fail { color: var(--bad); font-weight: 700; }
.badge.pass { background: var(--good-panel); } .badge.fail { background: var(--bad-panel); }
section { border-top: 1px solid var(--line); padding-top: 1.4rem; margin-top: 2.2rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; margin: 0.6rem 0 0.4rem; max-width: 66rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 0.6rem 1.4rem; margin: 1rem 0; }
sub, sup { font-size: 75%; line-height: 0; }
figure { margin: 0; min-width: 0; } figcaption { font-weight: 600; font-size: 0.95rem; margin-bottom: 0.15rem; }
svg.plot { display: block; width: 100%; height: auto; max-width: 46rem; }
svg text { fill: var(--text); font: 14px system-ui, -apple-system, "Segoe UI", sans-serif; font-variant-numeric: tabular-nums; }
svg text.tick { font-size: 13px; fill: var(--soft); }
svg .grid { stroke: var(--grid); } svg .minor { stroke-opacity: 0.6; } svg .zero { stroke: var(--soft); stroke-opacity: 0.55; }
svg .frame { fill: none; stroke: var(--line); }
svg polyline { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
svg .bound { stroke: var(--soft); stroke-width: 1.4; }
svg circle, svg rect:not(.frame), svg polygon { fill: var(--page); fill-opacity: 0.6; stroke-width: 1.6; }
${SERIES}
.swatch { width: 30px; height: 12px; margin-right: 0.4rem; flex: none; }
.legend { list-style: none; padding: 0 0 0 0.25rem; margin: 0.1rem 0 0; display: flex; flex-wrap: wrap; gap: 0 1.1rem; font-size: 0.85rem; }
.legend li { display: inline-flex; align-items: center; }
.scroll { overflow-x: auto; } .figures { max-height: 26rem; overflow: auto; border: 1px solid var(--line); border-radius: 0.3rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: baseline; padding: 0.2rem 0.65rem; border-bottom: 1px solid var(--line); }
thead th { position: sticky; top: 0; background: var(--panel); z-index: 1; }
tbody tr:last-child td { border-bottom: 0; }
td.number, th.number { text-align: right; white-space: nowrap; }
td.unit { white-space: nowrap; color: var(--soft); }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: 0.4rem; } figure { overflow-x: auto; } svg.plot { min-width: 30rem; } }
@media print {
  body { font-size: 10pt; max-width: none; padding: 0; }
  section { break-before: page; margin-top: 0; border-top: 0; padding-top: 0; }
  .figures { max-height: none; overflow: visible; border: 0; }
  thead th { position: static; } figure, tr { break-inside: avoid; }
  .plots { grid-template-columns: 1fr 1fr; }
  a { color: inherit; text-decoration: none; }
}
`;
