/** Silent sockets: half-open ones are closed, and an operator must send hello in time. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { mock, test } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { ServerCounters } from '../../server/metrics/metrics-families.ts';
import { MOST_UNANSWERED, PING_MS, SocketSender } from '../../server/access/socket.ts';
import { Service } from '../fixtures/service.ts';

test('who answers no ping is cut off; who answers may be silent for as long as it likes', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.after(() => mock.timers.reset());
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const counters = new ServerCounters();
  const address = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  /** Both ends of a connection. */
  const connect = async (autoPong: boolean): Promise<[WebSocket, WebSocket]> => {
    const accepted = once(server, 'connection') as Promise<[WebSocket]>;
    const client = new WebSocket(address, { autoPong });
    await once(client, 'open');
    const [socket] = await accepted;
    new SocketSender(socket, 'telemetry', counters);
    return [client, socket];
  };
  const [silent, socket] = await connect(true);
  const [gone] = await connect(false);
  const cut = once(gone, 'close');
  for (let ping = 0; ping < 10; ping++) {
    assert.equal(gone.readyState === gone.OPEN, ping <= MOST_UNANSWERED, `before ping ${ping}`);
    const answered = once(socket, 'pong');
    const asked = ping < MOST_UNANSWERED ? once(gone, 'ping') : cut;
    mock.timers.tick(PING_MS);
    await Promise.all([answered, asked]);
  }
  assert.equal(((await cut) as [number])[0], 1006);
  assert.equal(silent.readyState, silent.OPEN);
  assert.equal(counters.get('ws_rejects_total', 'stale'), 1);
  silent.terminate();
  server.close();
});

test('an operator that does not say hello is closed with the reason, one that did stays', async () => {
  const service = await Service.start();
  const greeted = await service.operator();
  const silent = await service.connect('operator');
  const [code, reason] = (await once(silent.socket, 'close')) as [number, Buffer];
  assert.deepEqual([code, reason.toString()], [4400, 'No hello came within 5 s.']);
  await greeted.status(() => true);
  assert.equal(greeted.socket.readyState, greeted.socket.OPEN);
  await service.close();
});
