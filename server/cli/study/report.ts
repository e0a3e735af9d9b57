/**
 * The report of a study: one HTML file without script and without anything from elsewhere. The same results give the same bytes, except for the names of
 * the machines.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StudyDesign, StudyQuantity } from '../../../config/study-schema.ts';
import type { Figure } from '../../../src/study/intervals.ts';
import { htmlTable } from '../../validation/html-table.ts';
import { numberText } from '../../validation/number-text.ts';
import { REPORT_STYLE } from '../../validation/report-style.ts';
import { styledPage } from '../../validation/styled-page.ts';
import { escapeHtml } from '../../validation/rich-text.ts';
import { BAR_STYLE } from './bars.ts';
import { ENVELOPE_STYLE } from './envelope-figure.ts';
import { FLOWN, type Manifest } from './manifest.ts';
import { NOTABLE, notableFile, notableRuns } from './notable-runs.ts';
import { quantityPlots } from './report-plots.ts';
import type { StudyResult } from './results.ts';
import type { QuantitySummary, StudySummary } from './summary.ts';

const DIGITS = 4;
const STYLE = `${REPORT_STYLE}${BAR_STYLE}${ENVELOPE_STYLE}
details { margin: 0.8rem 0; }
td .interval { color: var(--soft); }
code { font-size: 0.85em; overflow-wrap: anywhere; }
`;

type Results = ReadonlyMap<string, StudyResult>;

const number = (value: number): string => numberText(value, DIGITS);
const interval = (low: number, high: number): string =>
  `<span class="interval">${number(low)} to ${number(high)}</span>`;
const figure = (one: Figure | null | undefined): string =>
  one === null || one === undefined ? '' : `${number(one.value)} ${interval(one.low, one.high)}`;

const limitWords = ({ limit }: StudyQuantity): string =>
  [
    limit?.least === undefined ? [] : [`≥ ${number(limit.least)}`],
    limit?.most === undefined ? [] : [`≤ ${number(limit.most)}`],
  ]
    .flat()
    .join(' and ');

function toleranceCell({ tolerance }: QuantitySummary): string {
  if (tolerance === null) return '';
  const { low, high } = tolerance;
  return [
    Number.isFinite(high) ? `&lt; ${number(high)}` : '',
    Number.isFinite(low) ? `&gt; ${number(low)}` : '',
  ]
    .filter((words) => words !== '')
    .join('<br>');
}

const DESIGN_WORDS: Readonly<Record<StudyDesign['kind'], string>> = {
  grid: 'every combination of levels',
  random: 'independent points',
  'latin-hypercube': 'a Latin hypercube',
  sobol: 'a scrambled sequence of Sobol’',
  morris: 'trajectories of Morris',
  saltelli: 'pairs of samples for indices of Sobol’ (Saltelli)',
  subset: 'levels that come ever nearer to a limit (subset simulation)',
};

/** What the intervals are worth. */
function methodWords({ sampling, confidence }: StudySummary): string {
  const percent = `${numberText(100 * confidence)} %`;
  switch (sampling) {
    case 'independent':
      return `Every interval holds with ${percent}: means by Student’s distribution, quantiles by order statistics, shares by Clopper and Pearson; tolerance limits by Wilks.`;
    case 'balanced':
      return `Intervals are those of independent runs at ${percent}: the points of this design are more even, so that they are wider than they need be.`;
    case 'none':
      return `The points of this design are no sample of the dispersions: only least and most are given, and what matters, with ${percent} intervals.`;
  }
}

function verdict(manifest: Manifest, { quantities }: StudySummary): string {
  const lines = quantities.flatMap(({ name, within, rare }, k) => {
    if (within === null) return [];
    const state = within.value === 1 ? 'pass' : 'fail';
    const limit = limitWords(manifest.quantities[k]);
    if (rare !== null) {
      return [
        `<p class="verdict ${rare.value === 0 ? 'pass' : 'fail'}">${escapeHtml(name)} is not ${limit} in ${figure(rare)} of all cases.</p>`,
      ];
    }
    return [
      `<p class="verdict ${state}">${escapeHtml(name)} ${limit}: in ${numberText(100 * within.value, 3)} % of the runs (${numberText(100 * within.low, 3)} to ${numberText(100 * within.high, 3)} % of all cases).</p>`,
    ];
  });
  return lines.join('\n');
}

/** A word of a command line. */
const quoted = (word: string): string =>
  /^[\w./:=+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

function command({ scenario, until_s, runs }: Manifest, run: number): string {
  const words = [
    ...['npx', 'berth', 'simulate', scenario],
    ...(until_s === null ? [] : ['--until', `${until_s}s`]),
    ...runs[run].changes.flatMap((change) => ['--set', change]),
    '--summary',
  ];
  return `<code>${escapeHtml(words.map(quoted).join(' '))}</code>`;
}

/** Levels of a rare event. */
function rareLevels({ rare }: QuantitySummary): string {
  if (rare === null) return '';
  const rows = rare.levels.map(({ threshold, share }, i) => [
    String(i + 1),
    Number.isFinite(threshold) ? number(threshold) : '',
    number(share),
  ]);
  return `<p>Subset simulation: the probability is the product of the shares. Standard deviation ${numberText(100 * rare.variation, 3)} % of it.</p>
${htmlTable(['Level', 'Beyond the limit by at least', 'Share that reaches the next'], rows)}`;
}

/** Runs of a quantity that stand out, each with its file and with what flies it again. */
function notableTable(folder: string, manifest: Manifest, summary: QuantitySummary): string {
  const { name } = summary;
  const notable = notableRuns(summary, manifest.seed);
  if (notable.length === 0) return '';
  const link = (run: number): string => {
    const path = `${NOTABLE}/${notableFile(manifest, run)}`;
    return existsSync(join(folder, path)) ? `<a href="${path}">${run}</a>` : String(run);
  };
  const rows = notable.map(({ word, value, run }) => [
    word,
    link(run),
    number(value),
    ...manifest.runs[run].values.map((each) =>
      typeof each === 'number' ? number(each) : escapeHtml(String(each)),
    ),
  ]);
  const heads = ['', 'Run', escapeHtml(name), ...manifest.dispersions.map(escapeHtml)];
  const commands = notable.map(
    ({ word, run }) => `<dt>${word}</dt><dd>${command(manifest, run)}</dd>`,
  );
  if (manifest.build.endsWith(FLOWN)) return htmlTable(heads, rows);
  return `${htmlTable(heads, rows)}
<details><summary>Fly these again, with any option of berth simulate</summary><dl>${commands.join('')}</dl></details>`;
}

function failures(manifest: Manifest, results: Results, runs: number): string {
  const counts = new Map<string, number[]>();
  for (const [run, { id }] of manifest.runs.slice(0, runs).entries()) {
    const reason = results.get(id)?.reason ?? null;
    if (reason !== null) counts.set(reason, [...(counts.get(reason) ?? []), run]);
  }
  if (counts.size === 0) return '';
  const rows = [...counts].map(([reason, which]) => [
    String(which.length),
    which.slice(0, 10).join(', '),
    escapeHtml(reason),
  ]);
  return `<section><h2>Runs without a value</h2>
<p>They count as outside of every limit.</p>
${htmlTable(['Runs', 'The first of them', 'Reason'], rows)}</section>`;
}

/** The whole page. */
function reportPage(
  folder: string,
  manifest: Manifest,
  manifestHash: string,
  results: Results,
  summary: StudySummary,
): string {
  const { design, seed, scenario, build, dispersions } = manifest;
  const title = manifest.title === '' ? manifest.name : manifest.title;
  const machines = [...new Set([...results.values()].map(({ machine }) => machine))].sort();
  const rows = summary.quantities.map((one, k) => [
    `<a href="#${one.name}">${escapeHtml(one.name)}</a>`,
    String(one.values.filter((value) => value !== null).length),
    one.range === null ? '' : interval(one.range.low, one.range.high),
    figure(one.mean),
    ...[0, 1, 2].map((q) => figure(one.quantiles[q])),
    toleranceCell(one),
    limitWords(manifest.quantities[k]),
    figure(one.within),
  ]);
  const heads = [
    ...['Quantity', 'Runs', 'Least to most', 'Mean', '5 %', 'Median', '95 %'],
    ...['95 % of all cases, each', 'Limit', 'Share within'],
  ];
  const sections = summary.quantities.map(
    (one, k) => `<section id="${one.name}"><h2>${escapeHtml(one.name)}</h2>
<div class="plots">
${quantityPlots(manifest, summary, k).join('\n')}
</div>
${rareLevels(one)}
${notableTable(folder, manifest, one)}</section>`,
  );
  const facts = [
    `scenario ${scenario}`,
    `${DESIGN_WORDS[design.kind]}, seed ${seed}`,
    `${dispersions.length} dispersions: ${dispersions.join(', ')}`,
    `build ${build}`,
    `manifest ${manifestHash}`,
    `${machines.length === 1 ? 'machine' : 'machines'} ${machines.join(', ')}`,
  ];
  return styledPage(
    title,
    STYLE,
    `<header>
<h1>${escapeHtml(title)}</h1>
${verdict(manifest, summary)}
<p>${summary.runs} of ${manifest.runs.length} planned runs, ${summary.failed} without a value. ${methodWords(summary)}</p>
<p class="facts">${escapeHtml(facts.join(' · '))}</p>
</header>
${htmlTable(heads, rows)}
<main>
${sections.join('\n')}
${failures(manifest, results, summary.quantities[0].values.length)}
</main>`,
  );
}

/** Writes `report.html` into the folder of a study. @returns its path */
export function writeReport(
  folder: string,
  manifest: Manifest,
  results: Results,
  summary: StudySummary,
): string {
  const bytes = readFileSync(join(folder, 'manifest.json'));
  const hash = createHash('sha256').update(bytes).digest('hex');
  const path = join(folder, 'report.html');
  writeFileSync(path, reportPage(folder, manifest, hash, results, summary));
  return path;
}
