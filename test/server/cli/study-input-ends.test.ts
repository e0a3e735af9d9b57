/** A study that a service has started ends with it, also when that is killed: its standard input closes. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';

const MAIN = fileURLToPath(
  new URL(`../../../server/main${extname(import.meta.url)}`, import.meta.url),
);
const WAIT_MS = 60_000;

test('berth study run --child ends when its standard input closes, and not before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-child-'));
  writeFileSync(
    join(folder, 'drop.yaml'),
    `name: drop
scenario: ball-on-table
until_s: 1000000 s
design: { kind: random, runs: 2 }
vary: [{ name: height, fields: [bodies.ball.position_m.2], uniform: { low: 0.12, high: 0.13 } }]
quantities: [{ name: peak, of: most, column: ball-table.normal_force_N }]
`,
  );
  const words = ['study', 'run', 'drop.yaml', '--workers', '1', '--child'];
  const child = spawn(process.execPath, [...process.execArgv, MAIN, ...words], {
    cwd: folder,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, 'exit');
  try {
    const end = performance.now() + WAIT_MS;
    while (!existsSync(join(folder, 'drop', 'parts'))) {
      assert.equal(child.exitCode, null, output);
      assert.ok(performance.now() < end);
      await delay(20);
    }
    assert.equal(child.exitCode, null);
    child.stdin.end();
    assert.deepEqual(await exited, [1, null]);
    assert.match(output, /stopped; the same command goes on with the rest/);
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
});
