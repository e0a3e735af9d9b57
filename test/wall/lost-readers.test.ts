/** Whoever read the output of `berth serve` is gone (`berth serve 2>&1 | head -4`): the service runs on, answers and ends as before. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { packageRoot } from '../../config/paths.ts';

const MAIN = join(packageRoot(), 'dist', 'server', 'main.js');
const VIEWER = 'viewer-9f2c71d0aaX';
const WITHIN_MS = 2000;
const folder = mkdtempSync(join(tmpdir(), 'berth-readers-'));
after(() => rmSync(folder, { recursive: true }));

const SETTINGS = `scenario: half-sphere-on-plate
mode: simulation
robot: { transport: none }
loop: { period_s: 10 ms, realtime_priority: 0 }
server: { port: 0, keys: { viewer: ${VIEWER} } }
recording: { mode: "off" }
audit: { enabled: false }
`;

/** A socket without a key is refused, which is a line of the log. @returns the answer's first line */
function refusedSocket(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const done = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(text.split('\r\n')[0]);
    };
    const timer = setTimeout(done, WITHIN_MS);
    socket.on('error', done);
    socket.on('close', done);
    socket.on('data', (bytes) => (text += bytes.toString('latin1')));
    socket.write(
      'GET /operator HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n',
    );
  });
}

for (const gone of [['stderr'], ['stdout', 'stderr']] as const) {
  test(`reader of ${gone.join(' and ')} gone: a socket is refused, STOP is answered, SIGTERM ends the service`, async () => {
    const file = join(folder, 'serve.yaml');
    writeFileSync(file, SETTINGS, { mode: 0o600 });
    const child = spawn(process.execPath, [MAIN, 'serve', file, '--no-fly'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: folder,
    });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    try {
      let url = '';
      const lines = createInterface({ input: child.stdout });
      for await (const line of lines) {
        url = /console\s+(http:\S+)/.exec(line)?.[1] ?? url;
        if (line.includes('Ctrl-C')) break;
      }
      assert.notEqual(url, '', 'the service says where it is');
      child.stderr.resume();
      for (const name of gone) child[name].destroy();
      assert.match(await refusedSocket(Number(new URL(url).port)), /^HTTP\/1\.1 40[13] /);
      const stop = await fetch(new URL('/api/session/stop', url), {
        method: 'POST',
        headers: { authorization: `Bearer ${VIEWER}` },
        signal: AbortSignal.timeout(WITHIN_MS),
      });
      assert.equal(stop.status, 200);
      const from = performance.now();
      child.kill('SIGTERM');
      const late = new Promise((resolve) => setTimeout(resolve, WITHIN_MS, 'still runs').unref());
      assert.equal(await Promise.race([ended, late]), 0, `${performance.now() - from} ms`);
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
  });
}
