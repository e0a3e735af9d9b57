/** `berth plot`: what is on the page, that it needs nothing else, and that no peak gets lost. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, mock, test } from 'node:test';
import { packageRoot } from '../../../config/paths.ts';
import { MOST_POINTS, panelsOf, thin } from '../../../server/cli/plot-data.ts';
import { run } from '../../../server/cli/plot.ts';
import { readTopics } from '../../fixtures/mcap-topics.ts';

const RECORDING = join(packageRoot(), 'test', 'vectors', 'half-sphere-slides.mcap');
const folder = mkdtempSync(join(tmpdir(), 'berth-plot-'));
after(() => rmSync(folder, { recursive: true }));

interface Content {
  readonly time: string;
  readonly times: number[];
  readonly panels: { label: string; names: string[]; values: (number | null)[][] }[];
}

async function plot(...argv: string[]): Promise<{ page: string; content: Content }> {
  const file = join(folder, 'page.html');
  const said = mock.method(console, 'error', () => undefined);
  try {
    assert.equal(await run([...argv, '-o', file]), 0);
  } finally {
    said.mock.restore();
  }
  const page = readFileSync(file, 'utf8');
  const json = /<script type="application\/json" id="data">(.*)<\/script>/.exec(page)?.[1] ?? '';
  return { page, content: JSON.parse(json) as Content };
}

test('columns of a recording: one panel a unit, the numbers of the file to nine digits', async () => {
  const { content } = await plot(RECORDING, '--columns', 'normal_force_N,measured_force_z_N,stick');
  const ticks = (await readTopics(RECORDING)).get('/berth/tick')!;
  assert.deepEqual(
    content.panels.map(({ label, names }) => [label, names]),
    [
      ['N', ['normal_force_N', 'measured_force_z_N']],
      ['', ['stick']],
    ],
  );
  assert.equal(content.time, 'log_time_s');
  assert.equal(content.times.length, ticks.length);
  const drawn = content.panels[0].values[1];
  ticks.forEach(({ message }, n) => {
    const value = message['measured_force_z_n'] as number;
    assert.ok(Math.abs(drawn[n]! - value) <= 1e-8 * Math.abs(value), `row ${n}`);
  });
});

test('the page asks for nothing: no address, no file, and no name ends its script', async () => {
  const file = join(folder, '</script>.csv');
  writeFileSync(join(folder, 'run.csv'), 'time_s,a</script>b_N\n0,1\n1,NaN\n2,3\n');
  const { page, content } = await plot(join(folder, 'run.csv'));
  assert.doesNotMatch(page, /(?:src|href)=|url\(|@import|fetch\(/);
  assert.equal(page.match(/<\/script>/g)?.length, 3);
  assert.deepEqual(content.panels, [
    { label: 'N', names: ['a</script>b_N'], values: [[1, null, 3]] },
  ]);
  assert.ok(!page.includes(file));
});

test('more rows than points: each bucket keeps its least and its largest value, so peaks stay', () => {
  const rows = 10 * MOST_POINTS;
  const times = Array.from({ length: rows }, (_, i) => i / 1000);
  const values = times.map((_, i) => (i === 123_457 ? 1000 : i === 54_321 ? -7 : i % 3));
  const { times: kept, curves, rows: each } = thin(times, [{ name: 'f_N', values }]);
  assert.ok(kept.length <= MOST_POINTS);
  assert.equal(curves[0].values.length, kept.length);
  assert.equal(each, 20);
  const at = (value: number): number => kept[curves[0].values.indexOf(value)];
  assert.ok(Math.abs(at(1000) - 123.457) <= each / 1000);
  assert.ok(Math.abs(at(-7) - 54.321) <= each / 1000);
  assert.ok(kept.every((time, i) => i === 0 || time > kept[i - 1]));
  const short = times.slice(0, MOST_POINTS);
  assert.equal(thin(short, []).times, short);
});

test('values without a unit share a panel with their message', () => {
  const names = ['wrench.force.x', 'wrench.torque.x', 'wrench.force.y', 'tick'];
  assert.deepEqual(
    panelsOf(names.map((name) => ({ name, values: [] }))).map(({ label, curves }) => [
      label,
      curves.length,
    ]),
    [
      ['wrench.force', 2],
      ['wrench.torque', 1],
      ['', 1],
    ],
  );
});

test('what cannot be drawn is said by option, value and what is allowed', async () => {
  const text = join(folder, 'text.csv');
  writeFileSync(text, 'time_s,msg\n0,"a, b"\n');
  const odd = join(folder, 'odd.csv');
  writeFileSync(odd, 'time_s,f_N\n0,1\n1\n');
  const refused: readonly (readonly [readonly string[], RegExp])[] = [
    [[RECORDING], /--columns is needed, as there are 158 columns; allowed: names such as/],
    [[RECORDING, '--columns', 'nrmal_force_N'], /did you mean normal_force_N/],
    [
      [RECORDING, '--topic', '/berth/events', '--columns', 'msg'],
      /--columns is "msg"; allowed: at least one column of numbers/,
    ],
    [[text, '--columns', 'msg'], /--columns is "msg"; allowed: at least one column of numbers/],
    [[odd], /row 2 below the names has 1 values; allowed: 2/],
    [[odd, '--topic', '/berth/tick'], /--topic is "\/berth\/tick"; allowed: with a recording/],
    [
      [join(packageRoot(), 'README.md')],
      /no column of time in its first line; allowed: one of log_time_s/,
    ],
    [[folder], /is no file/],
    [[], /expected one FILE/],
  ];
  for (const [argv, message] of refused) await assert.rejects(run([...argv]), message);
});
