/** `berth export`: the numbers of a recording in CSV and Parquet, against the reader that Foxglove uses. */
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, mock, test } from 'node:test';
import { packageRoot } from '../../../config/paths.ts';
import { OLDER_ROW_WIDTH, ROW_COLUMNS } from '../../../hil/contract/columns.ts';
import { rosName } from '../../../hil/recording/ros-schemas.ts';
import { runCommand } from '../../../server/cli/run-command.ts';
import { flat, readTopics } from '../../fixtures/mcap-topics.ts';

const RECORDING = join(packageRoot(), 'test', 'vectors', 'half-sphere-slides.mcap');
/** Columns of the stored recording: those of its time. */
const COLUMNS = ROW_COLUMNS.slice(0, OLDER_ROW_WIDTH);
const folder = mkdtempSync(join(tmpdir(), 'berth-export-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs a command in this process. @returns exit code and lines */
async function berth(...argv: string[]): Promise<{ code: number; out: string[]; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const log = mock.method(console, 'log', (line: string) => void out.push(line));
  const error = mock.method(console, 'error', (line: string) => void err.push(line));
  try {
    return { code: await runCommand(argv), out, err: err.join('\n') };
  } finally {
    log.mock.restore();
    error.mock.restore();
  }
}

/** Rows of an export to CSV; no value has a comma. */
async function csv(...options: string[]): Promise<string[][]> {
  const file = join(folder, 'rows.csv');
  const { code, err } = await berth('export', RECORDING, '-o', file, ...options);
  assert.equal(code, 0, err);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => line.split(','));
}

/** The CSV of −0 is 0. */
const unsigned = (value: unknown): number => (value as number) + 0;

test('every column of every tick is that of the file, under the name with its unit', async () => {
  const [names, ...rows] = await csv();
  const ticks = (await readTopics(RECORDING)).get('/berth/tick')!;
  assert.deepEqual(names, ['log_time_s', 'log_time_ns', ...COLUMNS]);
  assert.equal(rows.length, ticks.length);
  rows.forEach((row, n) => {
    assert.equal(BigInt(row[1]), ticks[n].logTime);
    assert.deepEqual(
      row.slice(2).map(Number),
      COLUMNS.map((name) => unsigned(ticks[n].message[rosName(name)])),
    );
  });
});

test('columns are chosen by name in any case and by pattern, rows by time with both ends', async () => {
  const options = [
    '--columns',
    'NORMAL_force_n,measured_force_*',
    '--from',
    '2.5',
    '--to',
    '2510ms',
  ];
  const [names, ...rows] = await csv(...options);
  const forces = ['x', 'y', 'z'].map((axis) => `measured_force_${axis}_N`);
  assert.deepEqual(names, ['log_time_s', 'normal_force_N', ...forces]);
  // a tick each millisecond: 2.500, 2.501 … 2.510
  assert.deepEqual(
    rows.map(([time]) => time),
    Array.from({ length: 11 }, (_, i) => String((2500 + i) / 1000)),
  );
});

test('nested messages and lists are flat columns; what a row has not is empty', async () => {
  const topics = await readTopics(RECORDING);
  const [names, ...rows] = await csv('--topic', '/berth/wrench_model');
  assert.deepEqual(names.slice(2, 5), ['wrench.force.x', 'wrench.force.y', 'wrench.force.z']);
  topics.get('/berth/wrench_model')!.forEach(({ message }, n) => {
    assert.deepEqual(rows[n].slice(2).map(Number), flat(message));
  });
  const [columns, ...scenes] = await csv('--topic', '/berth/scene');
  const place = columns.indexOf('points[0].force.z');
  topics.get('/berth/scene')!.forEach(({ message }, n) => {
    const points = message['points'] as { force: { z: number } }[];
    assert.equal(scenes[n][place], points.length === 0 ? '' : String(points[0].force.z));
  });
  assert.ok(scenes.some((row) => row[place] === '') && scenes.some((row) => row[place] !== ''));
});

test('text with a comma is quoted', async () => {
  const file = join(folder, 'events.csv');
  assert.equal((await berth('export', RECORDING, '--topic', '/berth/events', '-o', file)).code, 0);
  assert.match(readFileSync(file, 'utf8'), /,20,berth,"tick 1613: contact 0 lost, peak 721.3 N",/);
});

test('Parquet holds the same numbers and text, and the times as integers', async () => {
  const file = join(folder, 'rows.parquet');
  const read = async (...options: string[]): Promise<Record<string, unknown>[]> => {
    const args = ['export', RECORDING, '--format', 'parquet', '-o', file, ...options];
    const { code, err } = await berth(...args);
    assert.equal(code, 0, err);
    const bytes = readFileSync(file);
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    assert.equal(Number(parquetMetadata(buffer).num_rows) > 0, true);
    return parquetReadObjects({ file: buffer });
  };
  const [names, ...rows] = await csv();
  const found = await read();
  assert.equal(found.length, rows.length);
  rows.forEach((row, n) => {
    assert.equal(found[n]['log_time_ns'], BigInt(row[1]));
    const numbers = names.filter((name) => name !== 'log_time_ns');
    assert.deepEqual(
      numbers.map((name) => unsigned(found[n][name])),
      numbers.map((name) => Number(row[names.indexOf(name)])),
    );
  });
  const events = await read('--topic', '/berth/events');
  assert.equal(events[0]['msg'], 'tick 1613: contact 0 lost, peak 721.3 N');
});

test('--list prints topics, or the columns of one', async () => {
  const topics = await berth('export', RECORDING, '--list');
  assert.ok(topics.out.some((line) => /^\/berth\/tick +berth_msgs\/msg\/Tick$/.test(line)));
  assert.ok(!topics.out.some((line) => line.includes('/berth/record/')));
  const columns = await berth('export', RECORDING, '--list', '--topic', '/berth/tick');
  assert.deepEqual(columns.out.slice(2), [...COLUMNS]);
});

test('a file that was cut off gives what is whole, and a simulated run its topics', async () => {
  const cut = join(folder, 'cut.mcap');
  copyFileSync(RECORDING, cut);
  truncateSync(cut, Math.floor(readFileSync(cut).length * 0.8));
  const file = join(folder, 'cut.csv');
  const { code, err } = await berth('export', cut, '-o', file, '--columns', 'tick');
  assert.equal(code, 0, err);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  assert.ok(lines.length > 1 && lines.length <= 303, `${lines.length} lines`);

  const run = join(folder, 'run.mcap');
  const options = ['--until', '0.1s', '--format', 'mcap', '-o', run];
  assert.equal((await berth('simulate', 'half-sphere-on-plate', ...options)).code, 0);
  const none = await berth('export', run, '-o', file);
  assert.equal(none.code, 2);
  assert.match(
    none.err,
    /--topic is needed, as ".*run.mcap" has no \/berth\/tick; allowed: \/berth/,
  );
  assert.equal((await berth('export', run, '--topic', '/berth/energy', '-o', file)).code, 0);
  assert.match(readFileSync(file, 'utf8'), /^log_time_s,log_time_ns,kinetic_j,.*\n0,0,/);
});

test('what cannot be exported is said by option, value and what is allowed', async () => {
  const refused: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /expected one FILE/],
    [['nowhere.mcap'], /"nowhere.mcap" cannot be opened/],
    [[join(packageRoot(), 'README.md')], /is no MCAP file/],
    [[RECORDING, '--format', 'xls'], /--format is "xls"; allowed: csv, parquet/],
    [[RECORDING, '--format', 'parquet'], /--format parquet writes to a file: name it with -o/],
    [
      [RECORDING, '--topic', '/berth/tik'],
      /--topic is "\/berth\/tik"; did you mean \/berth\/tick\?/,
    ],
    [
      [RECORDING, '--columns', 'normal_forse_N'],
      /--columns has "normal_forse_N"; did you mean normal/,
    ],
    [
      [RECORDING, '--columns', 'zzzzzzzzz'],
      /--columns has "zzzzzzzzz"; allowed: see "berth export/,
    ],
    [[RECORDING, '--columns', 'tick,'], /--columns is "tick,"; allowed: names with a comma/],
    [[RECORDING, '--from', '2 kg'], /--from is "2 kg"; allowed: a time of 0 or more/],
    [
      [RECORDING, '--from', '3', '--to', '2'],
      /--to is "2"; allowed: a time after --from, which is "3"/,
    ],
    [[RECORDING, '-o', RECORDING], /--output is ".*", which is FILE; allowed: another file/],
    [[RECORDING, '-o', join(folder, 'no', 'such')], /cannot write/],
  ];
  for (const [argv, message] of refused) {
    const { code, err } = await berth('export', ...argv);
    assert.equal(code, 2, err);
    assert.match(err, message);
  }
  const before = readFileSync(RECORDING).length;
  assert.ok(before > 1000, 'the recording is untouched');
  const late = await berth('export', RECORDING, '--from', '100', '-o', join(folder, 'none.csv'));
  assert.equal(late.code, 1);
  assert.match(late.err, /no row; the messages of \/berth\/tick go from 2[.]406 s to 2[.]707 s/);
});
