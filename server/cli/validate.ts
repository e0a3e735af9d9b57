/** `berth validate`: cases of the sources computed again, with a verdict on each figure. */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { packageVersion } from '../../config/paths.ts';
import { nearest } from '../../config/read.ts';
import { BerthError } from '../../src/base/errors.ts';
import type { ValidationCase } from '../validation/case.ts';
import { type CaseReport, casePasses, runCase } from '../validation/case-report.ts';
import { VALIDATION_CASES } from '../validation/cases.ts';
import { readReport, tableLines, writePage, writeReport } from '../validation/report.ts';

export const usage = `Usage: berth validate [CASE…] [OPTIONS]
       berth validate --from DIR

Computes cases of the sources and compares every figure with its reference: printed in the source, from an independent computation,
or a closed form. What a source prints otherwise is listed as not reproduced. Without CASE: all of them.
Ends with exit code 1 when a figure is out of its tolerance.

  --report DIR   write a page with plots (DIR/index.html) and the data it is built from (DIR/data, one JSON file a case)
  --from DIR     compute nothing: build the page of a report again from its data, and give the verdict on it
  --all          print every figure, not only the closest call of a passing case
  --list         print the names of the cases`;

/** Runs the command. @returns exit code */
export function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      report: { type: 'string' },
      from: { type: 'string' },
      all: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
    },
  });
  if (values.list) {
    for (const { name, title } of VALIDATION_CASES) console.log(`${name.padEnd(20)} ${title}`);
    return Promise.resolve(0);
  }
  if (values.from !== undefined) {
    if (positionals.length > 0 || values.report !== undefined) {
      throw new BerthError(
        'BERTH_USAGE',
        '--from computes nothing: it takes neither cases nor --report',
        { field: '--from' },
      );
    }
    return Promise.resolve(rebuild(values.from, values.all));
  }
  return Promise.resolve(compute(chosenCases(positionals), values.report, values.all));
}

function compute(
  chosen: readonly ValidationCase[],
  folder: string | undefined,
  all: boolean,
): number {
  const started = new Date().toISOString();
  const start = performance.now();
  const reports: CaseReport[] = [];
  for (const [i, one] of chosen.entries()) {
    const place = `${i + 1}/${chosen.length}`.padStart(5);
    const elapsed = ((performance.now() - start) / 1000).toFixed(1).padStart(5);
    console.error(`[${place}] ${elapsed} s  ${one.name}: ${one.title} …`);
    const report = runCase(one);
    reports.push(report);
    printCase(report, all);
  }
  if (folder !== undefined) {
    const page = onFolder('--report', folder, 'write the report to', () =>
      writeReport(folder, { started, ...environment(), cases: reports }),
    );
    console.log(`report: ${page}`);
  }
  return verdict(reports);
}

function rebuild(folder: string, all: boolean): number {
  const cases = onFolder('--from', folder, 'build the page again from', () => {
    writePage(folder);
    return readReport(folder).cases;
  });
  for (const one of cases) printCase(one, all);
  return verdict(cases);
}

function printCase(report: CaseReport, all: boolean): void {
  const state = casePasses(report) ? 'pass' : 'FAIL';
  const count = `${report.figures.length} figures, ${report.seconds.toFixed(1)} s`;
  console.log(`${state}  ${report.name.padEnd(20)} ${report.title} (${count})`);
  for (const line of tableLines(report, all)) console.log(line);
}

function verdict(reports: readonly CaseReport[]): number {
  const failed = reports.filter((report) => !casePasses(report));
  console.log(`${reports.length - failed.length} of ${reports.length} cases pass`);
  if (failed.length > 0) console.error(`failed: ${failed.map(({ name }) => name).join(', ')}`);
  return failed.length === 0 ? 0 : 1;
}

/** The cases that are named, in the order of the report; all of them without names. */
function chosenCases(wanted: readonly string[]): readonly ValidationCase[] {
  const names = VALIDATION_CASES.map(({ name }) => name);
  for (const name of wanted) {
    if (names.includes(name)) continue;
    const near = nearest(name, names);
    const hint =
      near.length > 0 ? `did you mean ${near.join(' or ')}?` : `allowed: ${names.join(', ')}`;
    throw new BerthError('BERTH_UNKNOWN_NAME', `no case is named "${name}"; ${hint}`, {
      field: 'CASE',
    });
  }
  return VALIDATION_CASES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
}

function onFolder<T>(option: string, folder: string, deed: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new BerthError(
      'BERTH_MISSING_FILE',
      `cannot ${deed} "${folder}": ${(error as Error).message}`,
      { field: option, cause: error },
    );
  }
}

function environment(): { berth: string; node: string; machine: string } {
  const processor = cpus()[0]?.model ?? 'unknown processor';
  return {
    berth: packageVersion(),
    node: process.versions.node,
    machine: `${process.platform} ${process.arch}, ${processor}`,
  };
}
