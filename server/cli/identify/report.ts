/** The report of an identification: one HTML file without script and without anything from elsewhere. */
import { correlationAt } from '../../../src/identify/estimate.ts';
import type { Plot } from '../../validation/case.ts';
import { htmlTable } from '../../validation/html-table.ts';
import { numberText } from '../../validation/number-text.ts';
import { plotFigure } from '../../validation/plot.ts';
import { REPORT_STYLE } from '../../validation/report-style.ts';
import { escapeHtml } from '../../validation/rich-text.ts';
import { styledPage } from '../../validation/styled-page.ts';
import type { Findings } from './findings.ts';
import type { Interval, Scrutinized } from './scrutinized.ts';

/** What a page is of. */
export interface IdentificationPage extends Pick<Scrutinized, 'findings' | 'profiles' | 'held'> {
  readonly procedure: string;
  readonly source: { readonly file: string; readonly sha256: string; readonly rows: number };
  readonly confidence: number;
}

const DIGITS = 5;
/** Distances of the autocorrelation, and residuals that a plot shows at most. */
const LAGS = 40;
const MOST_POINTS = 2000;

const number = (value: number): string => numberText(value, DIGITS);
const interval = ({ low, high }: Interval): string => `${number(low)} to ${number(high)}`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  htmlTable(
    head,
    rows.map((row) => row.map(escapeHtml)),
  );

/** Residuals one after the other, and how much each says of those that follow. */
function residualPlots({ identification }: Findings): Plot[] {
  const { residuals, noise } = identification;
  const n = residuals.length;
  const every = Math.ceil(n / MOST_POINTS);
  const rows = Array.from({ length: Math.floor(n / every) }, (_, i) => i * every);
  const lags = Array.from({ length: Math.min(LAGS, n - 1) }, (_, k) => k + 1);
  const correlations = lags.map((lag) => correlationAt(residuals, lag));
  const limit = 1.96 / Math.sqrt(n);
  const bound = (name: string, at: number) =>
    ({ name, kind: 'bound', x: [lags[0], lags[lags.length - 1]], y: [at, at] }) as const;
  return [
    {
      title: 'Residuals in the order of the data',
      xLabel: 'row',
      yLabel: 'residual over the noise',
      curves: [
        {
          name: 'residual',
          kind: 'points',
          x: rows,
          y: rows.map((row) => residuals[row] / (noise || 1)),
        },
      ],
    },
    {
      title: 'Autocorrelation of the residuals',
      xLabel: 'rows apart',
      yLabel: 'correlation',
      curves: [
        { name: 'correlation', kind: 'points', x: lags, y: correlations },
        bound('95 % of independent residuals, most', limit),
        bound('least', -limit),
      ],
    },
  ];
}

/** The whole page. */
export function identificationPage(page: IdentificationPage): string {
  const { procedure, source, confidence, findings, profiles, held } = page;
  const { parameters, lines, range, identification } = findings;
  const percent = `${numberText(100 * confidence)} %`;
  const rows = parameters.map((found, i) => {
    const profile = profiles?.[i] ?? null;
    return found.refusal === ''
      ? [
          ...[found.name, number(found.value), interval(found)],
          ...[profile === null ? '' : interval(profile), found.unit],
        ]
      : [found.name, 'not identified', found.refusal, '', ''];
  });
  const spans = Object.entries(range).map(([name, [low, high]]) => [
    name,
    number(low),
    number(high),
  ]);
  const parts = (held ?? []).map(({ rows: count, error }, k) => [
    ...[String(k + 1), String(count), numberText(error, 3)],
  ]);
  const { correlation, correlated, outliers, residuals, starts, agreeing } = identification;
  const facts = [
    `${source.file}, ${source.rows} rows`,
    `SHA-256 ${source.sha256}`,
    `${residuals.length} residuals, ${outliers} weighed less`,
    `correlation of neighbours ${numberText(correlation, 3)}${correlated ? ', intervals are wider for it' : ''}`,
    ...(starts > 1 ? [`${agreeing} searches of ${starts} starts agree`] : []),
  ];
  const plots = [...findings.plots, ...residualPlots(findings)].map(plotFigure);
  const title = `Identified by ${procedure}`;
  return styledPage(
    title,
    REPORT_STYLE,
    `<header>
<h1>${escapeHtml(title)}</h1>
<p class="facts">${escapeHtml(facts.join(' · '))}</p>
</header>
${table(['Parameter', 'Value', `${percent} interval`, 'Profile interval', 'Unit'], rows)}
<main>
${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}
<section><h2>Data and law</h2>
<div class="plots">
${plots.join('\n')}
</div></section>
${spans.length === 0 ? '' : `<section><h2>Range of the data</h2>${table(['Quantity', 'Least', 'Most'], spans)}</section>`}
${parts.length === 0 ? '' : `<section><h2>Parts held out</h2><p>Each is predicted from the others; 1 is the noise.</p>${table(['Part', 'Residuals', 'Error over the noise'], parts)}</section>`}
</main>`,
  );
}
