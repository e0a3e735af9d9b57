/** `berth serve` over TLS as a process: its own emulated robot comes by TLS, and SIGHUP takes up new certificates (wall clock). */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { OperatorClient } from '../../server/client/node.ts';
import { makeCertificate } from '../fixtures/certificate.ts';

const MAIN = fileURLToPath(
  new URL(`../../server/main${extname(import.meta.url)}`, import.meta.url),
);
const PATIENCE_S = 60;
const folder = mkdtempSync(join(tmpdir(), 'berth-tls-process-'));
after(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

/** A pair for both listeners in files, the key first. @returns the certificate */
function renew(name: string): string {
  const { certificate, key } = makeCertificate({ name });
  writeFileSync(at('key.pem'), key, { mode: 0o600 });
  writeFileSync(at('certificate.pem'), certificate);
  return certificate;
}

/** Name in the certificate for new connections. */
function shown(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

test('61: serve over TLS has its own emulated robot by TLS, and SIGHUP takes up new certificates while it runs', async (t) => {
  const ca = renew('before');
  const tls = `{ certificate: ${at('certificate.pem')}, key: ${at('key.pem')} }`;
  writeFileSync(
    at('settings.yaml'),
    `scenario: half-sphere-on-plate
mode: virtual
server: { port: 0, log_level: silent, tls: ${tls} }
robot: { port: 0, tls: ${tls} }
recording: { mode: off, folder: ${folder} }
`,
  );
  const args = [...process.execArgv, MAIN, 'serve', at('settings.yaml'), '--no-fly'];
  const service: ChildProcess = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(service, 'exit');
  try {
    let robotPort = 0;
    const port = await new Promise<number>((resolve, reject) => {
      createInterface({ input: service.stdout! }).on('line', (line) => {
        robotPort ||= Number(/wss:\/\/\S+:(\d+)\/robot/.exec(line)?.[1] ?? 0);
        const found = /console +https:\S+:(\d+)\//.exec(line)?.[1];
        if (found !== undefined) resolve(Number(found));
      });
      void ended.then(() => reject(new Error('the service ended')));
    });
    const url = `https://127.0.0.1:${port}`;
    const watcher = await OperatorClient.connect({ url, tls: { ca }, name: 'watcher' });
    const robot = await watcher.waitFor((s) => s.link?.up === true, PATIENCE_S);
    assert.equal(robot?.link?.robot_emulated, true);
    assert.deepEqual([await shown(port), await shown(robotPort)], ['before', 'before']);
    renew('after');
    service.kill('SIGHUP');
    const begin = performance.now();
    const names = async (): Promise<string> => `${await shown(port)} ${await shown(robotPort)}`;
    while ((await names()) !== 'after after' && performance.now() - begin < 1000 * PATIENCE_S) {
      await wait(50);
    }
    assert.equal(await names(), 'after after');
    t.diagnostic(
      `acceptance 61: a process takes up new certificates ${((performance.now() - begin) / 1000).toFixed(1)} s after SIGHUP`,
    );
    // it runs on, with the connections that it had
    assert.ok(!watcher.closed);
    assert.equal(watcher.status?.link?.up, true);
    watcher.close();
    service.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  } finally {
    if (service.exitCode === null) service.kill('SIGKILL');
    await ended;
  }
});
