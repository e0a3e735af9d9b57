/** A client that reads slowly or not at all: the newest state only, then closed with 4408, whatever the client does (9.4: 42). */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import { ServerCounters } from '../../../server/metrics/metrics-families.ts';
import {
  CloseCode,
  HARD_BUFFER_BYTES,
  SocketSender,
  SOFT_BUFFER_BYTES,
  SOFT_LIFE_S,
} from '../../../server/access/socket.ts';

const STATE = Buffer.alloc(SOFT_BUFFER_BYTES / 4);
/** More than the buffers of the kernel hold for a connection on one machine, in states. */
const MANY = 1000;

interface Pair {
  readonly sender: SocketSender;
  readonly client: WebSocket;
  readonly counters: ServerCounters;
  /** Send states at one instant until one is left out. */
  readonly block: (now_s: number) => void;
  /** Have the client read until nothing waits. */
  readonly catchUp: () => Promise<void>;
}

async function connect(t: TestContext): Promise<Pair> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  t.after(() => server.close());
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[WebSocket]>;
  const { port } = server.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}`);
  t.after(() => client.terminate());
  await once(client, 'open');
  const [socket] = await accepted;
  const counters = new ServerCounters();
  const sender = new SocketSender(socket, 'telemetry', counters);
  client.pause();
  return {
    sender,
    client,
    counters,
    block: (now_s) => {
      for (let i = 0; i < MANY; i++) if (!sender.sendLatest(STATE, now_s)) return;
      assert.fail(`${MANY} states and none was left out`);
    },
    catchUp: async () => {
      client.resume();
      while (socket.bufferedAmount > 0) await once(client, 'message');
      client.pause();
    },
  };
}

test(`42: behind for more than ${SOFT_LIFE_S} s: closed with 4408, and counted`, async (t) => {
  const { sender, client, counters, block } = await connect(t);
  block(100);
  assert.equal(sender.sendLatest(STATE, 100 + SOFT_LIFE_S), false);
  assert.equal(sender.socket.readyState, sender.socket.OPEN, 'not yet');
  assert.equal(counters.get('ws_rejects_total', 'stale'), 0);
  const waiting = sender.socket.bufferedAmount;
  assert.equal(sender.sendLatest(STATE, 100.001 + SOFT_LIFE_S), false);
  assert.equal(sender.socket.readyState, sender.socket.CLOSING);
  assert.equal(counters.get('ws_rejects_total', 'stale'), 1);
  assert.equal(counters.get('ws_dropped_messages_total', 'telemetry'), sender.dropped);
  assert.ok(waiting <= 2 * SOFT_BUFFER_BYTES, `${waiting} bytes waited`);
  // a client that starts to read in time gets the reason
  client.resume();
  const [code] = (await once(client, 'close')) as [number];
  assert.equal(code, CloseCode.STALE);
  t.diagnostic(
    `acceptance 42: behind for ${SOFT_LIFE_S} s: ${sender.dropped} left out, closed ${code}`,
  );
});

test('42: who catches up may fall behind anew, and gets the newest state first', async (t) => {
  const { sender, counters, block, catchUp } = await connect(t);
  for (let round = 0; round < 3; round++) {
    block(100 + round * SOFT_LIFE_S);
    assert.equal(sender.sendLatest(STATE, 99.9 + (round + 1) * SOFT_LIFE_S), false);
    await catchUp();
    assert.equal(sender.sendLatest(STATE, 99.95 + (round + 1) * SOFT_LIFE_S), true);
  }
  assert.equal(sender.socket.readyState, sender.socket.OPEN);
  assert.equal(counters.get('ws_rejects_total', 'stale'), 0);
});

test('42: what must arrive waits up to 2 MB, then the client is closed and cut off, though it never reads', async (t) => {
  const { sender, counters } = await connect(t);
  let most = 0;
  for (let i = 0; i < MANY && sender.socket.readyState === sender.socket.OPEN; i++) {
    most = Math.max(most, sender.socket.bufferedAmount);
    sender.sendRaw(STATE);
    await new Promise(setImmediate);
  }
  assert.equal(sender.socket.readyState, sender.socket.CLOSING);
  assert.ok(most <= HARD_BUFFER_BYTES, `${most} bytes waited`);
  assert.equal(counters.get('ws_rejects_total', 'stale'), 1);
  await once(sender.socket, 'close'); // by itself
  assert.equal(sender.socket.bufferedAmount, 0);
});
