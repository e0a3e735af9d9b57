/** Connections that never finish their TLS handshake are cut as those are that never finish a request: at the web face and at the robot's listener. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { makeCertificate } from '../fixtures/certificate.ts';
import { Service } from '../fixtures/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-tls-silent-'));
after(() => rmSync(folder, { recursive: true }));

/** Type handshake, TLS 1.0 as it stands in a record, 512 bytes; then the head of a ClientHello and no more. */
const HALF_HELLO = Buffer.from([0x16, 3, 1, 2, 0, 1, 0]);
/** What a loaded machine may add, ms. */
const SLACK_MS = 3000;

/** Connects and sends `bytes`. @returns time until the other end closes, ms; Infinity when it does not */
function heldFor(port: number, bytes: Buffer, most_ms: number): Promise<number> {
  return new Promise((resolve) => {
    const from = performance.now();
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const timer = setTimeout(() => {
      socket.destroy();
      resolve(Infinity);
    }, most_ms);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(performance.now() - from);
    });
    socket.resume();
  });
}

test('62: silence and half a ClientHello are cut off after 5 s at the web face, after 2 s at the robot port', async (t) => {
  const made = makeCertificate({ name: 'silent' });
  const [certificate, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
  writeFileSync(certificate, made.certificate);
  writeFileSync(key, made.key, { mode: 0o600 });
  const service = await Service.start((s) => {
    s.mode = 'virtual';
    s.robot.transport = 'websocket';
    s.robot.port = 0;
    for (const part of [s.server, s.robot]) {
      part.tls = { ...part.tls, certificate, key };
    }
  });
  try {
    const robot = Number(new URL(service.runtime.robotAddress).port);
    const silence = Buffer.alloc(0);
    const held = await Promise.all(
      [
        { port: service.port, bytes: silence, limit_ms: 5000 },
        { port: service.port, bytes: HALF_HELLO, limit_ms: 5000 },
        { port: robot, bytes: silence, limit_ms: 2000 },
        { port: robot, bytes: HALF_HELLO, limit_ms: 2000 },
      ].map(async ({ port, bytes, limit_ms }) => ({
        held_ms: await heldFor(port, bytes, limit_ms + SLACK_MS),
        limit_ms,
      })),
    );
    for (const { held_ms, limit_ms } of held) {
      // timers of Node may be early by a millisecond
      assert.ok(held_ms >= limit_ms - 5 && held_ms < Infinity, `${held_ms} of ${limit_ms} ms`);
    }
    const seconds = held.map(({ held_ms }) => (held_ms / 1000).toFixed(1)).join(', ');
    t.diagnostic(`acceptance 62: silent and half TLS handshakes cut off after ${seconds} s`);
  } finally {
    await service.close();
  }
});
