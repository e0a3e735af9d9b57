/** The robot's only place is held by a session, not by a connection, whatever bytes come over it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { TURN_MS } from '../../../hil/access/robot-turns.ts';
import { startUntimed, testSettings } from '../../fixtures/service.ts';

/** Connects as a silent robot. @returns it and the status of the answer */
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

/** What a loaded machine may add, ms. */
const SLACK_MS = 3000;

test('72: one byte of garbage every half second does not keep the place of a robot, nor does silence', async (t) => {
  const runtime = await startUntimed(
    testSettings((s) => {
      s.robot.transport = 'websocket';
      s.robot.port = 0;
    }),
  );
  const sockets: WebSocket[] = [];
  try {
    const [holder, status] = await connect(runtime.robotAddress);
    sockets.push(holder);
    assert.equal(status, 101);
    const garbage = setInterval(() => holder.send(Uint8Array.of(1)), 500);
    const closed = once(holder, 'close').then(([code]) => code as number);
    await wait(TURN_MS);
    assert.equal(holder.readyState, WebSocket.OPEN, 'nobody else is there');
    const started = performance.now();
    const [other, answer] = await connect(runtime.robotAddress);
    sockets.push(other);
    assert.equal(answer, 101);
    assert.equal(await Promise.race([closed, wait(SLACK_MS, 0, { ref: false })]), 1013);
    clearInterval(garbage);
    const held_s = (performance.now() - started) / 1000;
    assert.equal(other.readyState, WebSocket.OPEN);
    t.diagnostic(
      `acceptance 72: garbage every 0.5 s: another robot had the place ${held_s.toFixed(1)} s after it came`,
    );
  } finally {
    for (const socket of sockets) socket.terminate();
    await runtime.close();
  }
});
