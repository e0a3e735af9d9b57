/** The report of a validation: a table for the terminal, JSON data files, one HTML file without dependencies. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CaseResult, type Figure, passes, type ValidationCase } from './case.ts';
import { escapeHtml, plotSvg } from './plot.ts';

/** A case with what it found. */
export interface CaseReport {
  readonly case: ValidationCase;
  readonly result: CaseResult;
  readonly seconds: number;
}

/** Do all figures of a case pass? */
export function casePasses(report: CaseReport): boolean {
  return report.result.figures.length > 0 && report.result.figures.every(passes);
}

/** The figures of a case as lines for a terminal; of a passing case only the closest call, unless `all`. */
export function tableLines(report: CaseReport, all: boolean): string[] {
  const figures = report.result.figures;
  const shown = all
    ? figures
    : figures.some((one) => !passes(one))
      ? figures.filter((one) => !passes(one))
      : [...figures].sort((a, b) => use(b) - use(a)).slice(0, 1);
  return shown.map((one) => {
    const mark = passes(one) ? 'pass' : 'FAIL';
    const numbers = `${show(one.computed)} (published ${show(one.published)} ± ${show(one.tolerance)}) ${one.unit}`;
    return `    ${mark}  ${one.quantity}: ${numbers}`;
  });
}

/** Part of the tolerance that is used up. */
function use(figure: Figure): number {
  if (figure.tolerance === 0) return 0;
  return Math.abs(figure.computed - figure.published) / figure.tolerance;
}

function show(value: number): string {
  return String(Number(value.toPrecision(7)));
}

/** Writes `<case>.json` for each case and `index.html` into a folder. @returns path of the page */
export function writeReport(folder: string, reports: readonly CaseReport[]): string {
  mkdirSync(folder, { recursive: true });
  for (const report of reports) {
    const { name, title, source, tolerances } = report.case;
    const data = {
      name,
      title,
      source,
      tolerances,
      pass: casePasses(report),
      seconds: report.seconds,
      figures: report.result.figures.map((one) => ({ ...one, pass: passes(one) })),
      plots: report.result.plots,
    };
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(data, null, 1)}\n`);
  }
  const page = join(folder, 'index.html');
  writeFileSync(page, htmlPage(reports));
  return page;
}

const STYLE = `
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; background: #fff; }
  table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
  th, td { text-align: left; padding: 0.15rem 0.6rem; border-bottom: 1px solid #ddd; }
  td.number, th.number { text-align: right; }
  .pass { color: #00603f; } .fail { color: #b00020; font-weight: 700; }
  figure { margin: 1.5rem 0; } figcaption { font-weight: 600; }
  svg { width: 100%; height: auto; } svg text { font-size: 12px; fill: #444; }
  svg .grid { stroke: #e2e2e2; } svg polyline { fill: none; stroke-width: 1.5; }
  .legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0 1.2rem; margin: 0; font-size: 13px; }
  details summary { cursor: pointer; }`;

function htmlPage(reports: readonly CaseReport[]): string {
  const failed = reports.filter((report) => !casePasses(report)).length;
  const summary = reports
    .map((report) => {
      const pass = casePasses(report);
      const count = report.result.figures.length;
      const good = report.result.figures.filter(passes).length;
      return `<tr><td><a href="#${report.case.name}">${escapeHtml(report.case.title)}</a></td><td>${escapeHtml(report.case.source)}</td><td class="number">${good} of ${count}</td><td class="${pass ? 'pass' : 'fail'}">${pass ? 'pass' : 'FAIL'}</td></tr>`;
    })
    .join('\n');
  const verdict =
    failed === 0 ? 'Every case passes.' : `${failed} of ${reports.length} cases fail.`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Berth validation</title><style>${STYLE}</style></head>
<body>
<h1>Berth validation</h1>
<p class="${failed === 0 ? 'pass' : 'fail'}">${verdict}</p>
<table><thead><tr><th>Case</th><th>Source</th><th class="number">Figures</th><th>Result</th></tr></thead><tbody>
${summary}
</tbody></table>
${reports.map(htmlCase).join('\n')}
</body>
</html>
`;
}

function htmlCase(report: CaseReport): string {
  const { name, title, source, tolerances } = report.case;
  const pass = casePasses(report);
  const rows = report.result.figures
    .map(
      (one) =>
        `<tr><td>${escapeHtml(one.quantity)}</td><td class="number">${show(one.computed)}</td><td class="number">${show(one.published)}</td><td class="number">${show(one.tolerance)}</td><td>${escapeHtml(one.unit)}</td><td class="${passes(one) ? 'pass' : 'fail'}">${passes(one) ? 'pass' : 'FAIL'}</td></tr>`,
    )
    .join('\n');
  return `<section id="${name}">
<h2>${escapeHtml(title)}</h2>
<p>Source: ${escapeHtml(source)}. Computed in ${report.seconds.toFixed(1)} s.</p>
<p>Tolerances: ${escapeHtml(tolerances)}</p>
${report.result.plots.map(plotSvg).join('\n')}
<details${pass ? '' : ' open'}><summary>${report.result.figures.length} figures</summary>
<table><thead><tr><th>Quantity</th><th class="number">Computed</th><th class="number">Published</th><th class="number">Tolerance</th><th>Unit</th><th>Result</th></tr></thead><tbody>
${rows}
</tbody></table></details>
</section>`;
}
