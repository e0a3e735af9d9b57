/** Clients that do not answer cannot keep the service from ending, nor a connection that was refused. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { test } from 'node:test';
import { Service } from '../../fixtures/service.ts';

/** Longer than any stall of the machine, and shorter than the 30 s for which a WebSocket waits for its peer. */
const PATIENCE_MS = 15_000;

/**
 * A hand-made client that opens a socket, keeps its side open and answers nothing. @returns it and
 * the status of the answer
 */
async function dumb(port: number, path: string, origin: string): Promise<[Socket, number]> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nOrigin: ${origin}\r\n` +
      `Sec-WebSocket-Protocol: berth.telemetry.v1\r\n\r\n`,
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return [socket, Number(answer.toString('latin1').split(' ')[1])];
}

test('a viewer and a refused client that keep silent do not hold up the end of the service', async () => {
  const service = await Service.start();
  const path = `/telemetry?ticket=${await service.ticket('viewer')}`;
  const [viewer, joined] = await dumb(service.port, path, service.origin);
  const [refused, status] = await dumb(service.port, '/telemetry', service.origin);
  assert.deepEqual([joined, status], [101, 401]);
  try {
    const patience = new Promise<string>((resolve) => {
      setTimeout(() => resolve('the service waits for its clients'), PATIENCE_MS).unref();
    });
    const ended = service.app.close().then(() => 'ended');
    assert.equal(await Promise.race([ended, patience]), 'ended');
  } finally {
    viewer.destroy();
    refused.destroy();
    await service.runtime.close();
  }
});
