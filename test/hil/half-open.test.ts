/** A robot whose connection died without a word keeps its place for two seconds, not until the system gives the connection up. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { startRuntime } from '../../hil/runtime.ts';
import { testSettings } from '../server/service.ts';

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

test('a silent robot gives way to another after two seconds', async () => {
  const runtime = await startRuntime(
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
    await wait(2500);
    const closed = once(sockets[0], 'close');
    const [socket, status] = await connect(runtime.robotAddress);
    sockets.push(socket);
    assert.equal(status, 101);
    await closed;
  } finally {
    for (const socket of sockets) socket.terminate();
    await runtime.close();
  }
});
