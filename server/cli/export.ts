/** `berth export`: a topic of a recording as CSV or Parquet. */
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openTopics, type TopicFile } from '../../hil/recording/topic-file.ts';
import { BerthError } from '../../src/base/errors.ts';
import { csvCell } from './csv-table.ts';
import { LineOutput } from './line-output.ts';
import { ParquetOutput } from './parquet-output.ts';
import { readChoice, TABLE_OPTIONS, TABLE_USAGE, timesInWords } from './recording-table.ts';
import { type Cell, chosenPart } from './table.ts';
import { findTopic, topicTable } from './topic-table.ts';

export const usage = `Usage: berth export FILE [OPTIONS]

Writes a topic of a recording, or of a run of "berth simulate --format mcap", as a table: one row a message. Column log_time_s is the time
since the start of the recording, log_time_ns since 1970. Columns of /berth/tick with unit, frame and meaning: docs/columns.md.

${TABLE_USAGE}
  --format FORMAT    csv (default) or parquet
  -o, --output FILE  write to a file instead of stdout; parquet needs one
  --list             print the topics of the file instead; with --topic the columns of that topic`;

const FORMATS = ['csv', 'parquet'];

/** Runs the command. @returns exit code: 1 when there is no row */
export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      ...TABLE_OPTIONS,
      format: { type: 'string', default: 'csv' },
      output: { type: 'string', short: 'o' },
      list: { type: 'boolean', default: false },
    },
  });
  const [path, ...extra] = positionals;
  if (path === undefined || extra.length > 0) {
    throw new BerthError('BERTH_USAGE', `expected one FILE, got ${positionals.length}`);
  }
  const { format, output } = values;
  if (!FORMATS.includes(format)) {
    const text = `--format is "${format}"; allowed: ${FORMATS.join(', ')}`;
    throw new BerthError('BERTH_USAGE', text, { field: '--format' });
  }
  if (format === 'parquet' && output === undefined && !values.list) {
    const text = '--format parquet writes to a file: name it with -o FILE';
    throw new BerthError('BERTH_USAGE', text, { field: '--output' });
  }
  const choice = readChoice(values);
  const file = openTopics(path);
  if (values.list) {
    await list(file, values.topic);
    return 0;
  }
  refuseSameFile(path, output);
  const topic = findTopic(file, values.topic);
  const all = `see "berth export FILE --topic ${topic.topic} --list"`;
  const table = chosenPart(await topicTable(file, topic), choice, all);
  const out = format === 'parquet' ? parquet(output!, table.columns) : csv(output, table.columns);
  let rows = 0;
  for await (const row of table.rows()) {
    await out.row(row);
    rows++;
  }
  await out.close();
  const { damaged } = file;
  if (damaged > 0) console.error(`berth export: ${damaged} damaged parts of the file left out`);
  if (rows === 0) {
    console.error(`berth export: no row; ${await timesInWords(file, topic.topic)}`);
    return 1;
  }
  console.error(`${rows} rows of ${table.columns.length} columns of ${topic.topic}`);
  return 0;
}

async function list(file: TopicFile, name: string | undefined): Promise<void> {
  if (name !== undefined) {
    const { columns } = await topicTable(file, findTopic(file, name));
    for (const column of columns) console.log(column);
    return;
  }
  const width = Math.max(...file.topics.map(({ topic }) => topic.length));
  for (const { topic, type } of file.topics) console.log(`${topic.padEnd(width)}  ${type}`);
}

/** A recording must not be overwritten by what is made of it. @throws BerthError */
function refuseSameFile(path: string, output: string | undefined): void {
  const there = output === undefined ? undefined : statSync(output, { throwIfNoEntry: false });
  const file = statSync(path);
  if (there === undefined || there.ino !== file.ino || there.dev !== file.dev) return;
  const text = `--output is "${output ?? ''}", which is FILE; allowed: another file`;
  throw new BerthError('BERTH_USAGE', text, { field: '--output' });
}

/** Where rows go. */
interface Rows {
  row(row: readonly Cell[]): Promise<void> | void;
  close(): Promise<void>;
}

function parquet(path: string, columns: readonly string[]): Rows {
  return new ParquetOutput(path, columns);
}

function csv(path: string | undefined, columns: readonly string[]): Rows {
  const out = new LineOutput(path);
  out.line(columns.map(csvCell).join(','));
  return {
    row: (row) => out.line(row.map(csvCell).join(',')),
    close: () => out.close(),
  };
}
