/**
 * The acceptance run (`npm run acceptance`): all checks that take long or need a quiet machine, one after the other, and one dated report of
 * them under docs/acceptance/: the machine, its load and stalls, what each part measured, its exit and its time. It is run before a change of
 * the loop counts as done and before a release. Exit 1 when a part failed; nothing that it started is left behind.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import { extname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../../config/paths.ts';
import { ACCEPTANCE_PARTS, type AcceptancePart } from './acceptance-parts.ts';
import { type PartOutcome, runPart } from './part-process.ts';
import { StallMeter } from '../fixtures/stall-meter.ts';
import { formatList } from './markdown.ts';
import { formatTable } from '../fixtures/table.ts';

const USAGE = `Usage: npm run acceptance -- [--only NAME,…] [--quick] [--against DIR] [--report FILE] [--list]

  --only LIST    these parts only
  --quick        the short form of each part: an hour instead of four
  --against DIR  another checkout, built, that was before: what compares with it is skipped otherwise
  --report FILE  write the report there (default docs/acceptance/DATE.md)
  --list         name the parts and end`;

/** Lines of a part that failed which its report keeps. */
const TAIL = 20;

interface Row {
  readonly part: AcceptancePart;
  readonly args: readonly string[];
  readonly outcome: PartOutcome;
  readonly load: number;
  readonly stall_s: number;
}

const passed = ({ outcome }: Row): boolean =>
  outcome.code === 0 && !outcome.timedOut && outcome.left === 0;

function verdict({ outcome, part }: Row): string {
  if (outcome.timedOut) return `no end after ${part.limit_min} min`;
  if (outcome.code === null) return 'ended by a signal';
  if (outcome.code !== 0) return `exit ${outcome.code}`;
  return outcome.left > 0 ? `left ${outcome.left} processes behind` : 'exit 0';
}

/** The commit, and whether the files are those of it. */
function revision(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', ['-C', packageRoot(), ...args], { encoding: 'utf8' }).trim();
    const changed = git('status', '--porcelain', '--untracked-files=no') !== '';
    return `${git('rev-parse', '--short', 'HEAD')}${changed ? ', with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}

/** Lines for the report: figures, and second tries with what stood in the way of the first. */
const RETOLD = /\bacceptance \d+: |^Tried again: |: first try \d+ failed|failed on a quiet machine/;

/** Tables and lists among what was printed, each after an empty line. A list begins with `- `; what is indented below it is of it. */
function tablesAndLists(lines: readonly string[]): string[] {
  const out: string[] = [];
  let list = false;
  lines.forEach((line, i) => {
    const begins = line.startsWith('- ') && !list;
    list = line.startsWith('- ') || (list && /^ +\S/.test(line));
    if (begins || lines[i + 1]?.startsWith('|-')) out.push(''); // a head begins a table of its own
    if (list || line.startsWith('|')) out.push(line);
  });
  return out;
}

/** Figures, tables and lists that a part printed; of one that failed its last lines as well. */
function figures(row: Row): string[] {
  const { lines } = row.outcome;
  const told = lines.filter((line) => RETOLD.test(line)).map((line) => line.trim());
  const out = told.length > 0 ? [formatList(told.map((line) => line.replace(/^ℹ /, '')))] : [];
  out.push(...tablesAndLists(lines));
  const last = lines.at(-1);
  if (out.length === 0 && last !== undefined) out.push(`- ${last.trim()}`);
  if (!passed(row)) out.push('', '```', ...lines.slice(-TAIL), '```');
  return out;
}

const SKIPPED = 'skipped: no --against';

function render(
  rows: readonly Row[],
  skipped: readonly AcceptancePart[],
  begun: Date,
  quick: boolean,
  head: string,
): string {
  const table = formatTable(
    ['part', 'what', 'result', 'time, s', 'load at its start', 'longest stall, ms'],
    rows.map((row) => [
      row.part.name,
      row.part.what,
      passed(row) ? 'passed' : `FAILED: ${verdict(row)}`,
      row.outcome.seconds.toFixed(0),
      row.load.toFixed(1),
      (1000 * row.stall_s).toFixed(0),
    ]),
    false,
  );
  const sections = rows.map(
    (row) =>
      `## ${row.part.name}: ${row.part.what}\n\n\`node dist/${row.part.program} ${row.args.join(' ')}\``.replace(
        / `$/,
        '`',
      ) + `\n\n${figures(row).join('\n').trim()}`,
  );
  const failed = rows.filter((row) => !passed(row)).length;
  return `# Acceptance run of ${begun.toISOString().slice(0, 16).replace('T', ' ')} UTC

Written by \`npm run acceptance${quick ? ' -- --quick' : ''}\`. ${head}.
Passed: ${rows.length - failed}, failed: ${failed}. Longest stall: the longest gap between two pulses of a 5 ms timer beside the part.

${table}
${skipped.map(({ name }) => `\n\`${name}\` ${SKIPPED}.\n`).join('')}
${sections.join('\n\n')}
`;
}

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    against: { type: 'string' },
    quick: { type: 'boolean', default: false },
    report: { type: 'string' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const names = values.only?.split(',') ?? ACCEPTANCE_PARTS.map(({ name }) => name);
const unknown = names.filter((name) => !ACCEPTANCE_PARTS.some((part) => part.name === name));
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) console.error(`no part ${unknown.join(', ')}; --list names them`);
  console.error(USAGE);
  process.exit(2);
}
if (values.list) {
  for (const { name, what } of ACCEPTANCE_PARTS) console.log(`${name.padEnd(14)} ${what}`);
  process.exit(0);
}

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stop.abort());
const begun = new Date();
const head =
  `Commit ${revision()}; ${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ` +
  `Linux ${release()}, Node ${process.version}; load ${loadavg()[0].toFixed(1)} at the start`;
console.log(head);
const report =
  values.report ??
  join(
    packageRoot(),
    'docs/acceptance',
    `${begun.toISOString().slice(0, 16).replace('T', '-').replace(':', '')}.md`,
  );
mkdirSync(join(report, '..'), { recursive: true });
const rows: Row[] = [];
const skipped: AcceptancePart[] = [];
for (const part of ACCEPTANCE_PARTS.filter(({ name }) => names.includes(name))) {
  if (stop.signal.aborted) break;
  console.log(`\n== ${part.name}: ${part.what}`);
  const against = values.against === undefined ? [] : ['--against', resolve(values.against)];
  if (part.compares && against.length === 0) {
    skipped.push(part);
    console.log(`== ${part.name}: ${SKIPPED}`);
    writeFileSync(report, render(rows, skipped, begun, values.quick, head));
    continue;
  }
  const args = [...(values.quick ? part.quick : part.full), ...(part.compares ? against : [])];
  const extension = extname(import.meta.url);
  const built = extension === '.js' ? 'dist' : '.';
  const program = join(packageRoot(), built, part.program).replace(/[.]js$/, extension);
  const load = loadavg()[0];
  const meter = new StallMeter();
  const outcome = await runPart(program, args, 60 * part.limit_min, console.log, stop.signal);
  const row = { part, args, outcome, load, stall_s: meter.take_s() };
  meter.close();
  rows.push(row);
  console.log(`== ${part.name}: ${verdict(row)}, ${outcome.seconds.toFixed(0)} s`);
  writeFileSync(report, render(rows, skipped, begun, values.quick, head)); // after each part, so that an interrupted run has its results
}
const failed = rows.filter((row) => !passed(row));
console.log(`\nparts passed: ${rows.length - failed.length}, failed: ${failed.length}`);
for (const row of failed) console.log(`  ${row.part.name}: ${verdict(row)}`);
console.log(`report: ${relative(process.cwd(), report)}`);
process.exitCode = failed.length === 0 && !stop.signal.aborted ? 0 : 1;
