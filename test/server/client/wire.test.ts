/** The client's socket against a malformed server: it closes the connection, and its memory stays small. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { encode } from '@msgpack/msgpack';
import { WebSocket, WebSocketServer } from 'ws';
import { Wire, type WireMessage } from '../../../server/client/wire.ts';
import { SCENE_BODIES, SCENE_POSE } from '../../../hil/contract/scene-columns.ts';

/** MessagePack of an array of 65,535 elements, of which the first is such an array, and so on: 4 GB of room in 24 kB. */
const NESTED = Buffer.alloc(3 * 8192, Buffer.from([0xdc, 0xff, 0xff]));

test('a whole scene comes through; nested arrays that take room beforehand end the connection', async () => {
  const poses = Array.from({ length: SCENE_BODIES * SCENE_POSE }, (_, i) => i);
  const http = createServer((_, response) => response.end('{"ticket":"a"}'));
  const sockets = new WebSocketServer({ server: http });
  sockets.on('connection', (socket) => {
    socket.once('message', () => {
      socket.send(encode({ v: 1, type: 'telemetry', scene: { poses } }));
      socket.send(NESTED);
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  try {
    const wire = await Wire.open('telemetry', {
      url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
      name: 'test',
      WebSocket: WebSocket,
    });
    const messages: WireMessage[] = [];
    const before = process.memoryUsage().heapUsed;
    await new Promise<void>((resolve) => {
      wire.onMessage = (message) => messages.push(message);
      wire.onClose = () => resolve();
      wire.send({ type: 'subscribe' });
    });
    const grown = process.memoryUsage().heapUsed - before;
    assert.deepEqual(messages, [{ v: 1, type: 'telemetry', scene: { poses } }]);
    assert.ok(grown < 100e6, `${grown} bytes of heap for 24 kB`);
  } finally {
    sockets.close();
    http.close();
  }
});
