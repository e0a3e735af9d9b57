/** `berth validate`: published cases computed again, with a verdict on each figure. */
import { parseArgs } from 'node:util';
import { nearest } from '../../config/read.ts';
import { BerthError } from '../../src/errors.ts';
import { VALIDATION_CASES } from '../validation/cases.ts';
import { type CaseReport, casePasses, tableLines, writeReport } from '../validation/report.ts';

export const usage = `Usage: berth validate [CASE…] [OPTIONS]

Computes published cases and compares every figure with its published value. Without CASE: all of them.
Ends with exit code 1 when a figure is out of its tolerance.

  --report DIR   write one JSON file a case and a page with plots (DIR/index.html)
  --all          print every figure, not only the closest call of a passing case
  --list         print the names of the cases`;

/** Runs the command. @returns exit code */
export function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      report: { type: 'string' },
      all: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
    },
  });
  if (values.list) {
    for (const { name, title } of VALIDATION_CASES) console.log(`${name.padEnd(18)} ${title}`);
    return Promise.resolve(0);
  }
  const names = VALIDATION_CASES.map(({ name }) => name);
  for (const name of positionals) {
    if (names.includes(name)) continue;
    const near = nearest(name, names);
    const hint =
      near.length > 0 ? `did you mean ${near.join(' or ')}?` : `allowed: ${names.join(', ')}`;
    throw new BerthError('BERTH_UNKNOWN_NAME', `no case is named "${name}"; ${hint}`, {
      field: 'CASE',
    });
  }
  const chosen = VALIDATION_CASES.filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  );

  const reports: CaseReport[] = [];
  for (const [i, one] of chosen.entries()) {
    if (process.stderr.isTTY) {
      process.stderr.write(`[${i + 1}/${chosen.length}] ${one.title} …\r`);
    }
    const start = performance.now();
    const result = one.run();
    const report: CaseReport = { case: one, result, seconds: (performance.now() - start) / 1000 };
    reports.push(report);
    const verdict = casePasses(report) ? 'pass' : 'FAIL';
    const count = `${result.figures.length} figures, ${report.seconds.toFixed(1)} s`;
    if (process.stderr.isTTY) process.stderr.write('\u001b[2K');
    console.log(`${verdict}  ${one.name.padEnd(18)} ${one.title} (${count})`);
    for (const line of tableLines(report, values.all)) console.log(line);
  }
  const failed = reports.filter((report) => !casePasses(report)).length;
  console.log(`${reports.length - failed} of ${reports.length} cases pass`);
  if (values.report !== undefined) {
    try {
      console.log(`report: ${writeReport(values.report, reports)}`);
    } catch (error) {
      throw new BerthError(
        'BERTH_MISSING_FILE',
        `cannot write the report to "${values.report}": ${(error as Error).message}`,
        { field: '--report', cause: error },
      );
    }
  }
  return Promise.resolve(failed === 0 ? 0 : 1);
}
