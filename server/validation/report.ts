/** What a validation found: lines for the terminal, and the JSON data files that the page is built from. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CaseResult, passes } from './case.ts';
import { BASIS_TEXT, type CaseReport, closestCall, type Report } from './case-report.ts';
import { numberText } from './number-text.ts';
import { htmlPage } from './report-page.ts';

/** Folder of the data files below that of the report. */
const DATA_FOLDER = 'data';
const INDEX = 'report.json';

/**
 * The figures of a case as lines for a terminal: those that fail, or the closest call of a passing case; `all` of them. What the case
 * does not reproduce follows.
 */
export function tableLines(report: CaseResult, all: boolean): string[] {
  const { figures } = report;
  const failed = figures.filter((one) => !passes(one));
  const closest = closestCall(report);
  const shown = all ? figures : failed.length > 0 || closest === undefined ? failed : [closest];
  const lines = shown.map((one) => {
    const against =
      one.sense === 'at most'
        ? `at most ${numberText(one.reference)}`
        : `${BASIS_TEXT[one.basis]} ${numberText(one.reference)} ± ${numberText(one.tolerance)}`;
    const mark = passes(one) ? 'pass' : 'FAIL';
    return `    ${mark}  ${one.quantity}: ${withUnit(one.computed, one.unit)} (${against})`;
  });
  const otherwise = (report.notReproduced ?? []).map((one) => {
    const reference = `${BASIS_TEXT[one.basis]} ${numberText(one.reference)}`;
    return `    not reproduced  ${one.quantity}: ${withUnit(one.computed, one.unit)} (${reference}): ${one.reason}`;
  });
  return [...lines, ...otherwise];
}

function withUnit(value: number, unit: string): string {
  return unit === '1' ? numberText(value) : `${numberText(value)} ${unit}`;
}

/**
 * Writes the data files of a run, and the page that is built from them. Files of cases that did not run are left alone, but the
 * page does not show them.
 * @returns path of the page
 */
export function writeReport(folder: string, report: Report): string {
  mkdirSync(join(folder, DATA_FOLDER), { recursive: true });
  for (const one of report.cases) writeData(folder, `${one.name}.json`, one);
  writeData(folder, INDEX, { ...report, cases: report.cases.map(({ name }) => name) });
  return writePage(folder);
}

/** Builds the page again from the data files below a folder. @returns path of the page */
export function writePage(folder: string): string {
  const page = join(folder, 'index.html');
  writeFileSync(page, htmlPage(readReport(folder)));
  return page;
}

/** Reads the data files of a run. */
export function readReport(folder: string): Report {
  const index = readData(folder, INDEX) as Omit<Report, 'cases'> & {
    readonly cases: readonly string[];
  };
  return {
    ...index,
    cases: index.cases.map((name) => {
      const kept = readData(folder, `${name}.json`) as CaseReport;
      if (kept.figures.some(({ basis }) => !(basis in BASIS_TEXT))) {
        throw new Error(
          `${name}.json is of an earlier version: it says of no reference what it is`,
        );
      }
      return {
        ...kept,
        figures: kept.figures.map((one) => ({ ...one, computed: number(one.computed) })),
        notReproduced: (kept.notReproduced ?? []).map((one) => ({
          ...one,
          computed: number(one.computed),
        })),
        plots: kept.plots.map((plot) => ({
          ...plot,
          curves: plot.curves.map((one) => ({
            ...one,
            x: one.x.map(number),
            y: one.y.map(number),
          })),
        })),
      };
    }),
  };
}

/** JSON has no word for what is not a number: it is written as null. */
function number(value: number | null): number {
  return value ?? NaN;
}

function writeData(folder: string, name: string, data: unknown): void {
  writeFileSync(join(folder, DATA_FOLDER, name), `${JSON.stringify(data, shorter, 1)}\n`);
}

/** Coordinates of curves to nine digits: what a plot shows is three. Figures keep all. */
function shorter(key: string, value: unknown): unknown {
  if ((key !== 'x' && key !== 'y') || !Array.isArray(value)) return value;
  return (value as number[]).map((one) => Number(one.toPrecision(9)));
}

function readData(folder: string, name: string): unknown {
  return JSON.parse(readFileSync(join(folder, DATA_FOLDER, name), 'utf8'));
}
