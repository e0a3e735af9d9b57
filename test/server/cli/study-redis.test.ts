/** `berth study run --redis`: what is killed, away or of another build changes nothing of the table. With Debian’s redis-server, where it is installed. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  hasRedis,
  linesIn,
  plantBuild,
  RedisProcess,
  type Running,
  startStudy,
  tablesOf,
} from '../../fixtures/study-rig.ts';

const skip = hasRedis() ? false : 'redis-server is not installed';
const RUNS = 24;
const folder = mkdtempSync(join(tmpdir(), 'berth-redis-'));
const file = join(folder, 'study.yaml');
writeFileSync(
  file,
  `name: test
scenario: ball-on-table
until_s: 0.1 s
seed: 7
design: { kind: random, runs: ${RUNS} }
vary:
  - name: height
    fields: [bodies.ball.position_m.2]
    uniform: { low: 0.12, high: 0.13 }
quantities:
  - { name: peak, of: most, column: ball-table.normal_force_N }
`,
);
const started: Running[] = [];
after(() => {
  for (const { child } of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});
const start = (args: readonly string[], main?: string): Running => {
  const running = startStudy(args, main);
  started.push(running);
  return running;
};

test('a Redis that loses all, a worker that is killed, one of another build: the same table', {
  skip,
}, async () => {
  const whole = join(folder, 'whole');
  const alone = await start(['run', file, '-o', whole, '--workers', '1']).ended;
  assert.equal(alone.code, 0, alone.out);

  const redis = await RedisProcess.start();
  try {
    const worker = ['worker', '--redis', redis.url, '--workers', '1'];
    const shared = join(folder, 'shared');
    const study = start(['run', file, '-o', shared, '--redis', redis.url]);
    // alone with the study it takes a run, gives it back, and ends
    const stranger = await start(worker, plantBuild(join(folder, 'other'))).ended;
    assert.equal(stranger.code, 1, stranger.out);
    assert.match(stranger.out, /this is build .+; the study is planned for .+: its runs are left/);

    const first = start(worker);
    while (linesIn(shared) < 3 && study.child.exitCode === null) await delay(20);
    first.child.kill('SIGKILL');
    await redis.restart(300);
    const second = start(worker);
    const { code, out } = await study.ended;
    assert.equal(code, 0, out);
    assert.match(out, /runs build .+; the study is planned for .+: its results are left out/);
    assert.match(out, /Redis is away; waiting for it\n(.*\n)*.*Redis is back/);
    assert.deepEqual(tablesOf(shared), tablesOf(whole));
    // the first run of the plan was done a second time on purpose
    const parts = readdirSync(join(shared, 'parts')).map((name) => join(shared, 'parts', name));
    const lines = parts.flatMap((path) => readFileSync(path, 'utf8').trimEnd().split('\n'));
    const ids = lines.map((line) => (JSON.parse(line) as { id: string }).id);
    assert.ok(ids.length > new Set(ids).size, 'a run stands there twice');

    second.child.kill('SIGTERM');
    const served = await second.ended;
    assert.equal(served.code, 0, served.out);
  } finally {
    await redis.end();
  }
});

test('a Redis that is too old is refused with its version, and nothing waits for it', async () => {
  // what Redis 4 answers to the first questions; Debian has no such version
  const info = '# Server\r\nredis_version:4.0.9\r\n';
  const old = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      for (const word of chunk
        .toString()
        .toLowerCase()
        .match(/\b(info|ping|client|hello)\b/g) ?? [])
        socket.write(word === 'info' ? `$${info.length}\r\n${info}\r\n` : '+OK\r\n');
    });
  }).listen(0, '127.0.0.1');
  await once(old, 'listening');
  const { port } = old.address() as AddressInfo;
  try {
    for (const args of [['worker'], ['run', file, '-o', join(folder, 'old')]]) {
      const url = `redis://127.0.0.1:${port}`;
      const { code, out } = await start([...args, '--redis', url]).ended;
      assert.equal(code, 2, out);
      assert.match(out, /--redis is .*it is Redis 4[.]0[.]9; allowed: 5 or later/);
    }
  } finally {
    old.close();
  }
});

test('an address that cannot be used is refused by its option, without its password', async () => {
  for (const [url, message] of [
    ['localhost:1', /--redis is "localhost:1": allowed: redis:\/\//],
    ['redis://me:secret@127.0.0.1:1', /--redis is "redis:\/\/127[.]0[.]0[.]1:1": .*ECONNREFUSED/],
  ] as const) {
    const { code, out } = await start(['worker', '--redis', url]).ended;
    assert.equal(code, 2, out);
    assert.match(out, message);
    assert.ok(!out.includes('secret'));
  }
});
