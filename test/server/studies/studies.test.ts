/** Studies over HTTP, of a real service: who may start, one at a time, counts, and nothing of outside of the folder. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { StudyShelf } from '../../../server/studies/study-shelf.ts';
import type { ListedStudy, StudyList } from '../../../server/contract/studies.ts';
import { Service } from '../../fixtures/service.ts';

const WAIT_MS = 120_000;
const KEYS = { viewer: 'looks-on-from-afar', operator: 'flies-the-long-arm' };
const folder = mkdtempSync(join(tmpdir(), 'berth-studies-'));
const RUNS = 12;
let service: Service;

before(async () => {
  writeFileSync(
    join(folder, 'drop.yaml'),
    `name: drop
scenario: ball-on-table
until_s: 0.05 s
design: { kind: random, runs: ${RUNS} }
vary:
  - { name: height_m, fields: [bodies.ball.position_m.2], uniform: { low: 0.102, high: 0.11 } }
quantities: [{ name: peak_force_N, of: most, column: ball-table.normal_force_N }]
`,
  );
  mkdirSync(join(folder, 'other'));
  mkdirSync(join(folder, 'linked'));
  writeFileSync(join(folder, 'linked', 'manifest.json'), '{"runs":[{"id":"a"},{"id":"b"}]}');
  symlinkSync('/etc/hostname', join(folder, 'linked', 'report.html'));
  service = await Service.start((settings) => {
    settings.server.keys = KEYS;
    settings.studies.folder = folder;
  });
});
after(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

const call = (path: string, method = 'GET', key: string = KEYS.viewer): Promise<Response> =>
  fetch(`${service.origin}/api/studies${path}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
  });
const studies = async (): Promise<readonly ListedStudy[]> =>
  ((await (await call('')).json()) as StudyList).studies;
const drop = async (): Promise<ListedStudy> =>
  (await studies()).find(({ name }) => name === 'drop')!;

test('a study is started by an operator, counted, and its files are those of the folder', async () => {
  assert.deepEqual(
    (await studies()).map(({ name, runnable, planned }) => [name, runnable, planned]),
    [
      ['drop', true, null],
      ['linked', false, 2],
    ],
  );
  assert.equal((await call('/drop/start', 'POST')).status, 403);
  assert.equal((await call('/none/start', 'POST', KEYS.operator)).status, 404);
  assert.equal((await call('/drop/stop', 'POST', KEYS.operator)).status, 409);
  assert.equal((await call('/drop/start', 'POST', KEYS.operator)).status, 200);
  const again = await call('/drop/start', 'POST', KEYS.operator);
  assert.equal(again.status, 409);
  assert.match(await again.text(), /one runs at a time/);

  const end = performance.now() + WAIT_MS;
  while ((await drop()).running) {
    assert.ok(performance.now() < end);
    await wait(200);
  }
  const { planned, done, report, notable, trouble } = await drop();
  assert.deepEqual([planned, done, report, trouble], [RUNS, RUNS, true, '']);
  assert.ok(notable.length >= 3);
  const page = await call('/drop/report.html');
  assert.match(page.headers.get('content-security-policy') ?? '', /sandbox/);
  assert.equal(await page.text(), readFileSync(join(folder, 'drop', 'report.html'), 'utf8'));
  const run = await call(`/drop/notable/${notable[0]}`);
  assert.equal((await run.arrayBuffer()).byteLength > 1000, true);
  assert.equal((await call(`/drop/notable/${notable[0]}/scene`)).status, 200);
  for (const path of ['/linked/report.html', '/..%2F..%2Fetc/report.html', '/drop/notable/x.mcap'])
    assert.ok([400, 404].includes((await call(path)).status), path);
});

test('pages that ask at once cost one reading of the folder, and the next one reads anew', async () => {
  const shelf = new StudyShelf({ folder, workers: 1 });
  const [first, second] = await Promise.all([shelf.list(), shelf.list()]);
  assert.equal(first, second);
  assert.notEqual(await shelf.list(), first);
});
