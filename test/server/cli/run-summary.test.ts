/** `berth simulate --summary`: figures against the rows of the same run, and the seat of a payload that is put there. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, mock, test } from 'node:test';
import { run } from '../../../server/cli/simulate.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-summary-'));
after(() => rmSync(folder, { recursive: true }));

async function summary(...argv: string[]): Promise<string[]> {
  const lines: string[] = [];
  const log = mock.method(console, 'log', (line: string) => void lines.push(line));
  const error = mock.method(console, 'error', () => undefined);
  try {
    assert.equal(await run([...argv, '--summary']), 0);
  } finally {
    log.mock.restore();
    error.mock.restore();
  }
  return lines;
}

test('peak, its time, mean and end of each column are those of all steps', async () => {
  const file = join(folder, 'rows.csv');
  const names = ['tool-plate.normal_force_N', 'half-sphere.p_z_m'];
  const options = ['--until', '1s', '--every', '1ms', '-o', file, '--columns', names.join(',')];
  const [head, ...lines] = await summary('half-sphere-on-plate', ...options);
  assert.deepEqual(head.trim().split(/ +/), ['column', 'peak', 'at_s', 'mean', 'end']);
  assert.equal(lines.length, names.length);
  const [columns, ...rows] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(','));
  assert.equal(rows.length, 1001, 'a row a step');
  names.forEach((name, i) => {
    const values = rows.map((row) => Number(row[columns.indexOf(name)]));
    const [label, ...figures] = lines[i].split(/ +/);
    const peak = values.reduce((most, v) => (Math.abs(v) > Math.abs(most) ? v : most), 0);
    const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
    const expected = [peak, Number(rows[values.indexOf(peak)][0]), mean, values.at(-1)!];
    assert.equal(label, name);
    figures.forEach((text, k) => {
      // six digits are printed
      assert.ok(
        Math.abs(Number(text) - expected[k]) <= 5e-6 * Math.abs(expected[k]),
        `${name} ${k}`,
      );
    });
  });
});

test('the rows are not printed with it, and a scenario without a seat says nothing of one', async () => {
  const lines = await summary('half-sphere-on-plate', '--until', '0.1s');
  assert.equal(lines.length, 5);
  assert.ok(!lines.some((line) => line.includes('seated')));
});

test('a payload on its way is not seated; one that is at its full depth is, since the start', async () => {
  const short = ['battery-box-insertion', '--until', '5ms'];
  const away = await summary(...short);
  assert.match(
    away.at(-1)!,
    /^not seated: depth -.* of 200[.]00 mm, tilt 2[.]83°, 5[.]00 mm beside/,
  );
  // the seat is put where the box starts, 5 mm below its axis: the box moves 0.1 mm meanwhile
  const there = await summary(...short, '--set', 'insertion.seated_position_m=[-250 mm, 0, -5 mm]');
  assert.match(there.at(-1)!, /^seated since 0[.]000 s: depth (?:199|200)[.]\d\d of 200[.]00 mm/);
});

test('a column that is not there is refused with the nearest one, and columns need a summary', async () => {
  const refuse = (argv: string[], message: RegExp): Promise<void> =>
    assert.rejects(run(['half-sphere-on-plate', '--until', '5ms', ...argv]), message);
  await refuse(
    ['--summary', '--columns', 'tool-plate.normal_forse_N'],
    /did you mean tool-plate.normal_force_N/,
  );
  await refuse(['--columns', 'time_s'], /--columns is "time_s"; allowed: with --summary/);
});
