/**
 * The page of a report: one HTML file without script and without anything from elsewhere. Its content security policy allows the
 * one style sheet by its hash and nothing else.
 */
import { type Basis, type Figure, passes, type Plot, toleranceUsed } from './case.ts';
import { numberText } from './number-text.ts';
import { plotFigure } from './plot.ts';
import { escapeHtml, richHtml } from './rich-text.ts';
import {
  BASIS_TEXT,
  type CaseReport,
  casePasses,
  closestCall,
  type Report,
} from './case-report.ts';
import { REPORT_STYLE } from './report-style.ts';
import { styledPage } from './styled-page.ts';

/** Fewest figures for which a plot of the differences says more than the table. */
const DEVIATIONS = 3;
/** Parts of a tolerance between which differences are drawn true; smaller and larger ones lie at the edge. */
const LEAST = 1e-6;
const MOST = 10;

/** The whole page. */
export function htmlPage(report: Report): string {
  const failed = report.cases.filter((one) => !casePasses(one)).length;
  const figures = report.cases.reduce((sum, one) => sum + one.figures.length, 0);
  const seconds = report.cases.reduce((sum, one) => sum + one.seconds, 0);
  const verdict =
    failed === 0
      ? `All ${report.cases.length} cases pass.`
      : `${failed} of ${report.cases.length} cases ${failed === 1 ? 'fails' : 'fail'}.`;
  return styledPage(
    'Berth validation',
    REPORT_STYLE,
    `<header>
<h1>Berth validation</h1>
<p class="verdict ${failed === 0 ? 'pass' : 'fail'}">${verdict}</p>
<p>Cases of contact dynamics, computed again by this build: every figure beside its reference, with the difference that is allowed and the reason for it.</p>
<p>${basesText(report)}</p>
<p class="facts">${escapeHtml(`${figures} figures in ${report.cases.length} cases, ${seconds.toFixed(1)} s. Berth ${report.berth}, Node ${report.node}, ${report.machine}, ${report.started}.`)}</p>
</header>
<div class="scroll"><table>
<thead><tr><th>Case</th><th>Source</th><th class="number">Figures</th><th>Closest call</th><th class="number">Of tolerance</th><th class="number">Time, s</th><th>Verdict</th></tr></thead>
<tbody>
${report.cases.map(summaryRow).join('\n')}
</tbody></table></div>
${notReproduced(report)}
<main>
${report.cases.map(caseSection).join('\n')}
</main>`,
  );
}

/** How many references of each class there are, and what the classes mean. */
function basesText({ cases }: Report): string {
  const figures = cases.flatMap((one) => one.figures);
  const count = (basis: Basis): number => figures.filter((one) => one.basis === basis).length;
  return `References: ${count('printed')} are printed in the source, ${count('independent')} come from an independent computation of the same equations, ${count('closed-form')} from a closed form or a definition; ${count('bound')} figures keep a bound.`;
}

/** What the sources have otherwise, with the reasons. */
function notReproduced({ cases }: Report): string {
  const rows = cases.flatMap((one) =>
    (one.notReproduced ?? []).map(
      (other) =>
        `<tr><td><a href="#${one.name}">${richHtml(one.title)}</a></td><td>${richHtml(other.quantity)}</td><td class="number">${numberText(other.reference)}</td><td>${BASIS_TEXT[other.basis]}</td><td class="number">${numberText(other.computed, 4)}</td><td class="unit">${other.unit === '1' ? '' : richHtml(other.unit)}</td><td>${richHtml(other.reason)}</td></tr>`,
    ),
  );
  if (rows.length === 0) return '';
  return `<h2 id="not-reproduced">Not reproduced</h2>
<p>Numbers that the source gives otherwise than this build. They take no part in the verdict.</p>
<div class="scroll"><table>
<thead><tr><th>Case</th><th>Quantity</th><th class="number">Reference</th><th>Class</th><th class="number">Computed</th><th>Unit</th><th>Reason</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></div>`;
}

function summaryRow(one: CaseReport): string {
  const good = one.figures.filter(passes).length;
  const closest = closestCall(one);
  const call = closest === undefined ? 'no figures' : closest.quantity;
  const used = closest === undefined ? '' : usedText(closest);
  const state = casePasses(one) ? 'pass' : 'fail';
  return `<tr><td><a href="#${one.name}">${richHtml(one.title)}</a></td><td>${richHtml(one.source)}</td><td class="number">${good} of ${one.figures.length}</td><td>${richHtml(call)}</td><td class="number">${used}</td><td class="number">${one.seconds.toFixed(1)}</td><td class="${state}">${state}</td></tr>`;
}

function caseSection(one: CaseReport): string {
  const state = casePasses(one) ? 'pass' : 'fail';
  const plots = one.figures.length >= DEVIATIONS ? [...one.plots, deviations(one)] : one.plots;
  return `<section id="${one.name}">
<h2>${richHtml(one.title)} <span class="badge ${state}">${state}</span></h2>
<p>${richHtml(one.description)}</p>
<dl><dt>Law</dt><dd>${richHtml(one.equation)}</dd><dt>Source</dt><dd>${richHtml(one.source)}</dd><dt>Tolerances</dt><dd>${richHtml(one.tolerances)}</dd><dt>Run alone</dt><dd><code>berth validate ${one.name}</code> (${one.seconds.toFixed(1)} s)</dd></dl>
<div class="plots">
${plots.map(plotFigure).join('\n')}
</div>
<div class="figures"><table>
<thead><tr><th class="number">No.</th><th>Quantity</th><th class="number">Computed</th><th class="number">Reference</th><th>Class</th><th class="number">Difference</th><th class="number">Allowed</th><th>Unit</th><th>Verdict</th></tr></thead>
<tbody>
${one.figures.map(figureRow).join('\n')}
</tbody></table></div>
</section>`;
}

function figureRow(figure: Figure, n: number): string {
  const state = passes(figure) ? 'pass' : 'fail';
  const bound = figure.sense === 'at most';
  const reference = bound ? `≤ ${numberText(figure.reference)}` : numberText(figure.reference, 10);
  const difference = bound ? '' : numberText(figure.computed - figure.reference, 3);
  const allowed = bound ? '' : `± ${numberText(figure.tolerance, 3)}`;
  const computed = numberText(figure.computed, bound ? 4 : 10);
  return `<tr><td class="number">${n + 1}</td><td>${richHtml(figure.quantity)}</td><td class="number">${computed}</td><td class="number">${reference}</td><td class="basis">${BASIS_TEXT[figure.basis]}</td><td class="number">${difference}</td><td class="number">${allowed}</td><td class="unit">${figure.unit === '1' ? '' : richHtml(figure.unit)}</td><td class="${state}">${state}</td></tr>`;
}

function usedText(figure: Figure): string {
  const part = Math.abs(toleranceUsed(figure));
  if (!Number.isFinite(part)) return 'over';
  if (part > 0 && part < 0.005) return '< 1 %';
  return part > 10 ? `${numberText(part, 2)} ×` : `${Math.round(100 * part)} %`;
}

/** The error of every figure of a case in units of what is allowed. */
function deviations(one: CaseReport): Plot {
  const good: [number, number][] = [];
  const bad: [number, number][] = [];
  for (const [n, figure] of one.figures.entries()) {
    const used = Math.abs(toleranceUsed(figure));
    const shown = Math.max(LEAST, Math.min(MOST, Number.isNaN(used) ? MOST : used));
    (passes(figure) ? good : bad).push([n + 1, shown]);
  }
  const last = one.figures.length + 1;
  const points = (name: string, all: readonly [number, number][]): Plot['curves'][number] => ({
    name,
    x: all.map(([x]) => x),
    y: all.map(([, y]) => y),
    kind: 'points',
  });
  return {
    title: 'Errors of the figures below',
    xLabel: 'number of the figure',
    yLabel: '|difference| / allowed difference',
    yScale: 'log',
    curves: [
      points('within; exact and smaller ones at the lower edge', good),
      ...(bad.length > 0 ? [points('outside; larger ones at the upper edge', bad)] : []),
      { name: 'allowed', x: [0, last], y: [1, 1], kind: 'bound' },
      { name: 'lower edge', x: [0, last], y: [LEAST, LEAST], kind: 'bound' },
    ],
  };
}
