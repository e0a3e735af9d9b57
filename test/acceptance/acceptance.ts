/**
 * Writes docs/acceptance.md (`npm run docs:acceptance`): runs the tests that the table names, or reads logs of runs, and puts
 * what they measured under the pass figures. Tests and benches print a figure as a line `acceptance N: figure`. A row that is not in this
 * run keeps the figures that the page has.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { packageRoot } from '../../config/paths.ts';
import { ACCEPTANCE, type AcceptanceRow } from './acceptance-table.ts';
import { formatList } from './markdown.ts';

const USAGE = `Usage: npm run docs:acceptance -- [--only N,…] [--from LOG]…

  --only LIST  run the tests of these rows only
  --from LOG   read the output of tests or benches instead of running tests; may be repeated`;

const NOT_RUN = 'not run yet';
const NOT_PASSED = 'NOT PASSED';

/** Log of the lines of a run. */
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

  /** The figures of a row; null when nothing of the row is in the log. */
  measured(row: AcceptanceRow): string[] | null {
    const titles = row.tests.flatMap(([, some]) => some);
    const begins = (name: string): boolean => titles.some((title) => name.startsWith(title));
    const failed = [...this.failed].filter(begins);
    if (failed.length > 0) return failed.map((name) => `${NOT_PASSED}: ${name}`);
    const figures = this.figures.get(row.number) ?? [];
    if (figures.length > 0) return figures.flatMap(clauses);
    const passed = [...this.passed].filter(begins).length;
    return passed === 0 ? null : [`passed (${passed} test${passed > 1 ? 's' : ''})`];
  }
}

/** The parts of a sentence between semicolons that stand outside brackets. */
function clauses(text: string): string[] {
  return text
    .split(/;(?![^(]*\))/)
    .map((part) => part.trim().replaceAll(/\s+/g, ' '))
    .filter((part) => part !== '');
}

const MEASURED = 'Measured:';

/** The figures under each heading of a page, by the number of the test. */
export function figuresOf(page: string): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const section of page.split(/^## /m).slice(1)) {
    const list = section.split(`\n${MEASURED}\n\n`)[1] ?? '';
    const figures = list.trim().replaceAll('\n  ', ' ').split('\n');
    found.set(
      Number.parseInt(section, 10),
      figures.filter((line) => line.startsWith('- ')).map((line) => line.slice(2)),
    );
  }
  return found;
}

const CLOCKS = {
  V: 'Virtual clock.',
  W: 'Wall clock.',
  S: 'Soak.',
  P: 'Function by itself.',
} as const;

function renderRow(row: AcceptanceRow, figures: readonly string[]): string {
  const [title, ...further] = clauses(row.what);
  const files = row.tests.map(([file]) => `[${file.replace('test/', '')}](../${file})`);
  const scripts = row.scripts.map((script) => `\`npm run ${script}\``);
  return [
    `## ${row.number}. ${title}`,
    ...(further.length > 0 ? [`Also:\n\n${formatList(further)}`] : []),
    `${CLOCKS[row.clock]} Asked:\n\n${formatList(clauses(row.pass))}`,
    `Tested by:\n\n${formatList([...files, ...scripts])}`,
    `${MEASURED}\n\n${formatList(figures)}`,
  ].join('\n\n');
}

/** The page. */
export function renderAcceptance(measured: ReadonlyMap<number, readonly string[]>): string {
  const sections = ACCEPTANCE.map((row) => renderRow(row, measured.get(row.number) ?? [NOT_RUN]));
  return `# Acceptance tests

What the loop has to withstand, the figure that it has to keep, where that is tested, and what was measured.

- *Virtual clock*: exact, with every test run.
- *Wall clock*: in real time; the figures are those of the machine that ran them.
- *Soak*: hours.
- *Function by itself*: no clock is in it.

\`npm run docs:acceptance\` writes this page: it runs the tests and takes the figures from their output.
A test holds the list to the tests that exist.

${sections.join('\n\n')}
`;
}

async function runTests(files: readonly string[], log: AcceptanceLog): Promise<void> {
  const main = fileURLToPath(new URL(`../run${extname(import.meta.url)}`, import.meta.url));
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
    const figures = log.measured(row);
    if (figures !== null) measured.set(row.number, figures);
  }
  writeFileSync(path, renderAcceptance(measured));
  const bad = [...measured].filter(([, figures]) => figures[0].startsWith(NOT_PASSED));
  for (const [number, figures] of bad) console.error(`${number}: ${figures.join('; ')}`);
  process.exitCode = bad.length === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
