/**
 * Writes docs/acceptance.md (`npm run docs:acceptance`): runs the tests that the table names, or reads logs of runs, and puts
 * what they measured beside the pass figures. Tests and benches tell a figure by a line `acceptance N: figure`. What is not in this run
 * keeps the figure that the page has.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { packageRoot } from '../config/paths.ts';
import { ACCEPTANCE, type AcceptanceRow } from './acceptance-table.ts';
import { formatTable } from './table.ts';

const USAGE = `Usage: npm run docs:acceptance -- [--only N,…] [--from LOG]…

  --only LIST  run the tests of these rows only
  --from LOG   read the output of tests or benches instead of running tests; may be repeated`;

const NOT_RUN = 'not run yet';

/** What the lines of a run tell. */
export class AcceptanceLog {
  readonly passed = new Set<string>();
  readonly failed = new Set<string>();
  readonly figures = new Map<number, string[]>();

  read(line: string): void {
    const figure = /\bacceptance (\d+): (.+)$/.exec(line);
    if (figure !== null) {
      const number = Number(figure[1]);
      const known = this.figures.get(number) ?? [];
      if (!known.includes(figure[2])) known.push(figure[2]);
      this.figures.set(number, known);
    }
    const result = /^\s*([✔✖]) (.+) \([\d.]+ms\)/.exec(line);
    if (result !== null) (result[1] === '✔' ? this.passed : this.failed).add(result[2]);
  }

  /** What a row's cell says; null when nothing of the row is in the log. */
  measured(row: AcceptanceRow): string | null {
    const titles = row.tests.flatMap(([, some]) => some);
    const begins = (name: string): boolean => titles.some((title) => name.startsWith(title));
    const failed = [...this.failed].filter(begins);
    if (failed.length > 0) return `NOT PASSED: ${failed.join('; ')}`;
    const figures = this.figures.get(row.number) ?? [];
    if (figures.length > 0) return figures.join('; ');
    const passed = [...this.passed].filter(begins).length;
    return passed === 0 ? null : `passed (${passed} test${passed > 1 ? 's' : ''})`;
  }
}

/** Cells of the column "measured" that a page has, by row. */
export function figuresOf(page: string): Map<number, string> {
  const found = new Map<number, string>();
  for (const line of page.split('\n')) {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    if (cells.length === 8 && /^\d+$/.test(cells[1])) found.set(Number(cells[1]), cells[6]);
  }
  return found;
}

/** The page. */
export function renderAcceptance(measured: ReadonlyMap<number, string>): string {
  const rows = ACCEPTANCE.map((row) => {
    const files = row.tests.map(([file]) => `[${file.replace('test/', '')}](../${file})`);
    const scripts = row.scripts.map((script) => `\`npm run ${script}\``);
    const cells = [
      String(row.number),
      row.clock,
      row.what,
      row.pass,
      [...files, ...scripts].join(', '),
      measured.get(row.number) ?? NOT_RUN,
    ];
    return cells.map((cell) => cell.replaceAll(/(?<!\\)\|/g, '\\|'));
  });
  return `# Acceptance tests

What the loop has to withstand, the figure that it has to keep, where that is tested, and what was measured. Clock: V virtual (exact, with every
test run), W wall, S soak, P a function by itself. Written by \`npm run docs:acceptance\`, which runs the tests and takes the figures from
their output; a test holds the table to the tests that exist. Figures on the wall clock are those of the machine that ran them.

${formatTable(['', '', 'what', 'pass', 'where', 'measured'], rows)}
`;
}

async function runTests(files: readonly string[], log: AcceptanceLog): Promise<void> {
  const main = fileURLToPath(new URL(`../test/run${extname(import.meta.url)}`, import.meta.url));
  const parts = files.map((file) => file.replace(/^test\//, '').replace(/[.]ts$/, '.'));
  const child = spawn(process.execPath, [...process.execArgv, main, ...parts], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (/^\s*[✔✖]|acceptance/.test(line)) console.log(line);
    log.read(line);
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      from: { type: 'string', multiple: true },
      help: { type: 'boolean' },
    },
  });
  const only = values.only?.split(',').map(Number);
  if (values.help === true || only?.some((n) => !ACCEPTANCE.some(({ number }) => number === n))) {
    console.error(USAGE);
    process.exit(2);
  }
  const rows = ACCEPTANCE.filter(({ number }) => only?.includes(number) ?? true);
  const log = new AcceptanceLog();
  if (values.from === undefined) {
    const files = [...new Set(rows.flatMap(({ tests }) => tests.map(([file]) => file)))];
    await runTests(files, log);
  } else {
    for (const path of values.from)
      readFileSync(path, 'utf8')
        .split('\n')
        .forEach((l) => log.read(l));
  }
  const path = join(packageRoot(), 'docs', 'acceptance.md');
  const measured = figuresOf(existsSync(path) ? readFileSync(path, 'utf8') : '');
  for (const row of rows) {
    const text = log.measured(row);
    if (text !== null) measured.set(row.number, text.replaceAll('|', '\\|'));
  }
  writeFileSync(path, renderAcceptance(measured));
  const bad = [...measured].filter(([, text]) => text.startsWith('NOT PASSED'));
  for (const [number, text] of bad) console.error(`${number}: ${text}`);
  process.exitCode = bad.length === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
