/** `berth study`: whatever happens to its workers, the table is that of one undisturbed process; what is wrong is named. */
import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import { childrenOf, type Ended, linesIn, startStudy, tablesOf } from '../../fixtures/study-rig.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-study-'));
const file = join(folder, 'study.yaml');
const whole = join(folder, 'whole');
const RUNS = 20;
const KILLS = 4;
after(() => rmSync(folder, { recursive: true }));

const study = (...args: string[]): Promise<Ended> => startStudy(args).ended;

before(async () => {
  writeFileSync(
    file,
    `name: test
scenario: ball-on-table
until_s: 0.1 s
seed: 7
design: { kind: latin-hypercube, runs: ${RUNS} }
vary:
  - name: height
    fields: [bodies.ball.position_m.2]
    uniform: { low: 0.12, high: 0.13 }
  - name: restitution
    fields: [contacts.0.normal_law.restitution]
    uniform: { low: 0.4, high: 1.02 }
quantities:
  - { name: peak, of: most, column: ball-table.normal_force_N, limit: { most: 1e6 } }
  - { name: touch, of: time_to, column: ball-table.normal_force_N, above: 0 }
`,
  );
  const { code, out } = await study('run', file, '-o', whole, '--workers', '1');
  assert.equal(code, 0, out);
});

test('the table has each run with its values; a run that cannot be is there with its reason', async () => {
  const lines = readFileSync(join(whole, 'table.csv'), 'utf8').trimEnd().split('\n');
  assert.equal(lines[0], 'run,id,height,restitution,peak,touch,reason,state_hash');
  assert.equal(lines.length, RUNS + 1);
  const bytes = readFileSync(join(whole, 'table.parquet'));
  const rows = await parquetReadObjects({
    file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
  });
  assert.equal(rows.length, RUNS);
  for (const row of rows) {
    if (Number(row['restitution']) > 1) {
      assert.match(String(row['reason']), /restitution/);
      assert.equal(row['peak'], null);
      continue;
    }
    assert.equal(row['reason'], null);
    // free fall from height less the radius, to the step of 0.1 ms of the scenario and one more
    const fall_s = Math.sqrt((2 * (Number(row['height']) - 0.1)) / 9.81);
    assert.ok(
      Number(row['touch']) > fall_s && Number(row['touch']) < fall_s + 2e-4 + 1e-9,
      `${row['touch']}, ${fall_s}`,
    );
  }
  assert.ok(
    rows.some((row) => row['reason'] !== null),
    'a restitution above 1 was drawn',
  );
});

test('two workers, of which some are killed again and again, give the same bytes', async () => {
  const killed = join(folder, 'killed');
  const { child, ended } = startStudy(['run', file, '-o', killed, '--workers', '2']);
  let kills = 0;
  // a kill after every few results: each meets another run, as one that was lost is given out last
  const timer = setInterval(() => {
    const [worker] = childrenOf(child);
    if (
      worker === undefined ||
      kills === KILLS ||
      linesIn(killed) < (kills + 1) * (RUNS / (KILLS + 2))
    )
      return;
    process.kill(worker, 'SIGKILL');
    kills++;
  }, 20);
  const { code, out } = await ended;
  clearInterval(timer);
  assert.equal(code, 0, out);
  assert.ok(kills > 1, `${kills} workers were killed`);
  assert.deepEqual(tablesOf(killed), tablesOf(whole));
});

test('the merged table answers questions in SQL', async () => {
  const ask = async (sql: string): Promise<string[]> => {
    const { code, out } = await study('query', whole, sql);
    assert.equal(code, 0, out);
    return out
      .trimEnd()
      .split('\n')
      .map((line) => line.trim());
  };
  const rows = readFileSync(join(whole, 'table.csv'), 'utf8').trimEnd().split('\n').slice(1);
  const peaks = rows.map((row) => row.split(',')[4]).filter((cell) => cell !== '');
  const counts = await ask('SELECT count(*) AS all, count(peak) AS present FROM runs');
  assert.deepEqual(counts[1].split(/ +/).map(Number), [RUNS, peaks.length]);
  const [head, most] = await ask('SELECT max(peak) AS most FROM runs');
  assert.deepEqual([head, Number(most)], ['most', Math.max(...peaks.map(Number))]);
  // neither a pattern nor a column is made of the name of the folder
  const odd = join(folder, 'peak=3 [1]');
  const like = join(folder, 'peak=3 1');
  for (const place of [odd, like]) mkdirSync(place);
  cpSync(join(whole, 'table.parquet'), join(odd, 'table.parquet'));
  writeFileSync(join(like, 'table.parquet'), '');
  const there = await study('query', odd, 'SELECT max(peak) AS most FROM runs');
  assert.equal(there.out, `most\n${most}\n`);
  for (const [sql, message] of [
    ['SELECT pek FROM runs', /SQL: .*"pek" not found/],
    ['SELEC', /SQL: .*syntax error/],
  ] as const) {
    const { code, out } = await study('query', whole, sql);
    assert.equal(code, 2, out);
    assert.match(out, message);
  }
  const none = await study('query', join(folder, 'none'), 'SELECT 1');
  assert.match(none.out, /there is no ".*none[/]table[.]parquet": berth study merge writes it/);
});

test('a study that was stopped goes on with the rest', async () => {
  const stopped = join(folder, 'stopped');
  const { child, ended } = startStudy(['run', file, '-o', stopped, '--workers', '1']);
  const timer = setInterval(() => {
    if (linesIn(stopped) < 3) return;
    clearInterval(timer); // a second one would end it at once
    child.kill('SIGINT');
  }, 20);
  const first = await ended;
  assert.equal(first.code, 1, first.out);
  assert.match(first.out, /goes on with the rest/);
  const status = await study('status', stopped);
  assert.match(status.out, new RegExp(`^\\d+ of ${RUNS} runs have a result`));
  const second = await study('run', file, '-o', stopped);
  assert.equal(second.code, 0, second.out);
  assert.deepEqual(tablesOf(stopped), tablesOf(whole));
});

test('shards on different machines, and a run that was done twice, merge to the same bytes', async () => {
  const sharded = join(folder, 'sharded');
  for (const part of [2, 0, 1]) {
    const { code, out } = await study(
      'run',
      file,
      '-o',
      sharded,
      '--shard',
      `${part}/3`,
      '--workers',
      '1',
    );
    assert.equal(code, 0, out);
  }
  const [part] = readdirSync(join(sharded, 'parts'));
  cpSync(join(sharded, 'parts', part), join(sharded, 'parts', 'twice.jsonl'));
  writeFileSync(join(sharded, 'parts', 'cut.jsonl'), '{"id":"cut off by a cra');
  assert.equal((await study('merge', sharded)).code, 0);
  assert.deepEqual(tablesOf(sharded), tablesOf(whole));
});

test('results of another build, and two that differ, are named with their machines', async () => {
  const mixed = join(folder, 'mixed');
  cpSync(whole, mixed, { recursive: true });
  const [part] = readdirSync(join(mixed, 'parts'));
  const [line] = readFileSync(join(mixed, 'parts', part), 'utf8').split('\n');
  const result = JSON.parse(line) as Record<string, unknown>;
  const planted = join(mixed, 'parts', 'planted.jsonl');
  writeFileSync(planted, `${JSON.stringify({ ...result, machine: 'other', hash: '0' })}\n`);
  const differs = await study('merge', mixed);
  assert.equal(differs.code, 2, differs.out);
  assert.match(differs.out, /came out differently on (.+ and other|other and .+):/);
  writeFileSync(
    planted,
    `${JSON.stringify({ ...result, machine: 'other', build: '0.0.9+dead' })}\n`,
  );
  const built = await study('status', mixed);
  assert.equal(built.code, 2, built.out);
  assert.match(built.out, /of other is of build 0[.]0[.]9[+]dead/);
});

test('what cannot be run is refused by its option or field', async () => {
  const misnamed = join(folder, 'misnamed.yaml');
  writeFileSync(misnamed, readFileSync(file, 'utf8').replace('ball-table.', 'ball-tble.'));
  // of columns of a recording
  const flights = join(folder, 'flights.yaml');
  writeFileSync(
    flights,
    readFileSync(file, 'utf8').replaceAll(/column: [^ ,]+/g, 'column: measured_p_z_m'),
  );
  for (const [args, message] of [
    [['run', file, '--shard', '3/3'], /--shard is "3\/3"/],
    [['run', file, '--workers', '0'], /--workers is "0"/],
    [['run', file, '--attempts', '2'], /--attempts are of flights: give --hil/],
    [['run', file, '--hil', '--attempts', '0'], /--attempts is "0"; allowed: a whole number/],
    [['run', flights, '--hil', '--script', 'aproach'], /--script must be .*got "aproach"/],
    [['run', flights, '--hil', '--script', file], /study[.]yaml:3:1: until_s is not a known field/],
    [['run', flights, '--hil', '--config', join(folder, 'none.yaml')], /none[.]yaml/],
    [['merge', join(folder, 'none')], /there is no study in/],
    [['fly', file], /berth study has no "fly"/],
    [['plan'], /expected a verb and a study/],
    [['query', whole], /a study, and one question in SQL, got 2 words/],
    [
      ['plan', misnamed, '-o', join(folder, 'misnamed')],
      /quantities\[0\][.]column is "ball-tble[.]normal_force_N"; did you mean ball-table/,
    ],
  ] as const) {
    const { code, out } = await study(...args);
    assert.equal(code, 2, out);
    assert.match(out, message);
  }
});
