/** `berth plot`: curves of a recording or of a CSV file on one page. */
import { closeSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { openTopics } from '../../hil/recording/topic-file.ts';
import { BerthError } from '../../src/base/errors.ts';
import { csvTable } from './csv-table.ts';
import { type Curve, thin } from './plot-data.ts';
import { plotPage } from './plot-page.ts';
import { readChoice, TABLE_OPTIONS, TABLE_USAGE, type TableValues } from './recording-table.ts';
import { chosenPart, type Table, type TableChoice } from './table.ts';
import { findTopic, LOG_TIME, topicTable } from './topic-table.ts';

export const usage = `Usage: berth plot FILE [OPTIONS]

Draws columns of a recording (MCAP), or of a CSV file of "berth export" or "berth simulate", over time: one HTML page that needs
nothing else. Columns of one unit share a chart. Columns: docs/columns.md, or "berth export FILE --list".

${TABLE_USAGE}
  -o, --output FILE  page to write (default: FILE with the ending .html)

  berth plot recordings/FILE.mcap --columns 'normal_force_N,measured_force_*' --from 12s --to 15s
  berth plot run.csv --columns tool-plate.normal_force_N,tool-plate.penetration_m`;

/** Curves without --columns at most: more are a tangle. */
const MOST_CURVES = 24;
const MAGIC = Buffer.from([0x89, 0x4d, 0x43, 0x41, 0x50]);

/** Runs the command. @returns exit code: 1 when there is nothing to draw */
export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { ...TABLE_OPTIONS, output: { type: 'string', short: 'o' } },
  });
  const [path, ...extra] = positionals;
  if (path === undefined || extra.length > 0) {
    throw new BerthError('BERTH_USAGE', `expected one FILE, got ${positionals.length}`);
  }
  const choice = readChoice(values);
  const { title, table } = await openTable(path, values, choice);
  const { times, curves } = await readCurves(table);
  if (times.length === 0) {
    console.error(`berth plot: no row of "${path}" from ${choice.from_s} s to ${choice.to_s} s`);
    return 1;
  }
  checkCurves(curves, choice);
  const output = values.output ?? `${path.replace(/\.(?:mcap|csv)$/, '')}.html`;
  writePage(
    output,
    plotPage({ title, time: table.columns[table.time], data: thin(times, curves) }),
  );
  console.error(`${output}: ${times.length} rows, ${curves.length} curves`);
  return 0;
}

/** What is in a file, and the part that is asked for. */
async function openTable(
  path: string,
  { topic }: TableValues,
  choice: TableChoice,
): Promise<{ title: string; table: Table }> {
  const name = basename(path);
  if (!isMcap(path)) {
    if (topic !== undefined) {
      const text = `--topic is "${topic}"; allowed: with a recording, and "${path}" is none`;
      throw new BerthError('BERTH_USAGE', text, { field: '--topic' });
    }
    const whole = csvTable(path);
    return { title: name, table: chosenPart(whole, choice, whole.columns.join(', ')) };
  }
  const file = openTopics(path);
  const found = findTopic(file, topic);
  const all = `see "berth export FILE --topic ${found.topic} --list"`;
  const table = chosenPart(await topicTable(file, found), choice, all);
  return { title: `${name} ${found.topic}`, table };
}

/** @throws BerthError for a folder or a device */
function isMcap(path: string): boolean {
  if (!statSync(path).isFile()) {
    throw new BerthError('BERTH_MISSING_FILE', `FILE: "${path}" is no file`, { field: 'file' });
  }
  const head = Buffer.alloc(MAGIC.length);
  const file = openSync(path, 'r');
  try {
    readSync(file, head, 0, head.length, 0);
  } finally {
    closeSync(file);
  }
  return head.equals(MAGIC);
}

/** Columns of numbers over the first column; flags are 0 and 1. */
async function readCurves(table: Table): Promise<{ times: number[]; curves: Curve[] }> {
  const times: number[] = [];
  const values: number[][] = table.columns.map(() => []);
  const texts = new Set<number>();
  for await (const row of table.rows()) {
    times.push(Number(row[table.time]));
    row.forEach((cell, i) => {
      if (typeof cell === 'string') texts.add(i);
      values[i].push(cell === null ? NaN : Number(cell));
    });
  }
  const all = table.columns.map((name, i) => ({ name, values: values[i] }));
  const isDrawn = (name: string, i: number): boolean =>
    i !== table.time && !texts.has(i) && !(LOG_TIME as readonly string[]).includes(name);
  return { times, curves: all.filter(({ name }, i) => isDrawn(name, i)) };
}

/** @throws BerthError when there are no numbers, or too many curves of which none was chosen */
function checkCurves(curves: readonly Curve[], { columns }: TableChoice): void {
  const names = columns.join(',');
  if (curves.length === 0) {
    const text = `--columns is "${names}"; allowed: at least one column of numbers`;
    throw new BerthError('BERTH_USAGE', text, { field: '--columns' });
  }
  if (columns.length > 0 || curves.length <= MOST_CURVES) return;
  const some = curves.slice(0, 4).map(({ name }) => name);
  const text = `--columns is needed, as there are ${curves.length} columns; allowed: names such as ${some.join(', ')}`;
  throw new BerthError('BERTH_USAGE', text, { field: '--columns' });
}

function writePage(path: string, page: string): void {
  try {
    writeFileSync(path, page);
  } catch (error) {
    throw new BerthError(
      'BERTH_MISSING_FILE',
      `--output: "${path}" cannot be written: ${(error as Error).message}`,
      { field: '--output', cause: error },
    );
  }
}
