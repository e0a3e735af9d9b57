/** The robot's only place is held by a session, not by a connection, whatever bytes come over it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { startUntimed, testSettings } from '../../fixtures/service.ts';

/** Connect as a robot that says nothing. @returns it and the status of the answer */
async function connect(url: string): Promise<[WebSocket, number]> {
  const socket = new WebSocket(url, 'berth.robot.v1');
  socket.on('error', () => undefined);
  const status = await Promise.race([
    once(socket, 'open').then(() => 101),
    once(socket, 'unexpected-response').then(
      ([, response]) => (response as { statusCode: number }).statusCode,
    ),
  ]);
  return [socket, status];
}

/** A handshake has so long (hil/threads/link-worker.ts), ms. */
const HANDSHAKE_MS = 5000;

test('72: one byte of garbage every half second does not keep the place of a robot, nor does silence', async (t) => {
  const runtime = await startUntimed(
    testSettings((s) => {
      s.robot.transport = 'websocket';
      s.robot.port = 0;
    }),
  );
  const sockets: WebSocket[] = [];
  try {
    for (const expected of [101, 409]) {
      const [socket, status] = await connect(runtime.robotAddress);
      sockets.push(socket);
      assert.equal(status, expected);
    }
    const started = performance.now();
    const garbage = setInterval(() => sockets[0].send(Uint8Array.of(1)), 500);
    await wait(HANDSHAKE_MS + 500);
    clearInterval(garbage);
    const held_s = (performance.now() - started) / 1000;
    const closed = once(sockets[0], 'close');
    const [socket, status] = await connect(runtime.robotAddress);
    sockets.push(socket);
    assert.equal(status, 101);
    await closed;
    t.diagnostic(
      `acceptance 72: garbage every 0.5 s: another robot had the place after ${held_s.toFixed(1)} s`,
    );
  } finally {
    for (const socket of sockets) socket.terminate();
    await runtime.close();
  }
});
