/** The service from outside: REST, the gate, roles, limits and stopping, over a real loop without a robot. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { encode } from '@msgpack/msgpack';
import { WebSocket, WebSocketServer } from 'ws';
import { ServerCounters } from '../../server/metrics/metrics-families.ts';
import { HARD_BUFFER_BYTES, SOFT_BUFFER_BYTES } from '../../server/access/socket.ts';
import { TelemetryStream } from '../../server/telemetry/stream.ts';
import { Peer, Service } from '../fixtures/service.ts';

let service: Service;
before(async () => {
  service = await Service.start();
});
after(async () => service.close());

const call = async (
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown> }> => {
  const response = await fetch(`${service.origin}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

/** Waits until the loop is ready. On a busy machine it is not ready after a wait of 300 ms, and reports that. */
async function untilReady(): Promise<Record<string, unknown>> {
  for (let i = 0; ; i++) {
    const { status, body } = await call('GET', '/ready');
    if (status === 200 || i === 100) return { status, body };
  }
}

test('health, readiness and the session by name', async () => {
  assert.equal((await call('GET', '/health')).body['status'], 'ok');
  assert.deepEqual(await untilReady(), { status: 200, body: { status: 'ready' } });
  const session = (await call('GET', '/api/session')).body;
  assert.equal(session['scenario'], 'half-sphere-on-plate');
  assert.equal(session['mode'], 'simulation');
  assert.match(String(session['state']), /^[A-Z_]+$/);
  const scenarios = (await call('GET', '/api/scenarios')).body as unknown as { name: string }[];
  assert.ok(scenarios.some(({ name }) => name === 'bowden-leben'));
});

test('one error format, naming the field', async () => {
  const missing = await call('POST', '/api/session/load', {});
  assert.equal(missing.status, 400);
  assert.deepEqual(Object.keys(missing.body).sort(), ['code', 'field', 'message']);
  assert.equal(missing.body['field'], 'scenario');
  const unknown = await call('POST', '/api/session/load', { scenario: '../secret' });
  assert.deepEqual([unknown.status, unknown.body['code']], [404, 'BERTH_UNKNOWN_NAME']);
  const extra = await call('POST', '/api/tickets', { role: 'viewer', more: 1 });
  assert.deepEqual([extra.status, extra.body['field']], [400, 'more']);
  const role = await call('POST', '/api/tickets', { role: 'admin' });
  assert.match(String(role.body['message']), /viewer, operator, supervisor/);
  assert.equal((await call('GET', '/nothing')).body['code'], 'BERTH_NOT_FOUND');
  const category = await call('POST', '/api/session/stop', { category: 3 });
  assert.equal(category.body['field'], 'category');
});

test('OpenAPI names every path and refers to nothing that is missing', async () => {
  const { body } = await call('GET', '/openapi.json');
  assert.equal(body['openapi'], '3.1.0');
  const paths = body['paths'] as Record<string, Record<string, { responses: object }>>;
  for (const path of [
    '/health',
    '/ready',
    '/metrics',
    '/api/scenarios',
    '/api/session',
    '/api/session/load',
    '/api/session/hold',
    '/api/session/stop',
    '/api/session/clear',
    '/api/tickets',
    '/api/faults',
  ]) {
    const operations = Object.values(paths[path] ?? {});
    assert.ok(operations.length > 0, path);
    for (const { responses } of operations) assert.ok(Object.keys(responses).length > 0, path);
  }
  for (const [, reference] of JSON.stringify(body).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = reference
      .split('/')
      .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], body);
    assert.notEqual(target, undefined, reference);
  }
});

test('a page of another origin can neither post nor connect', async () => {
  const evil = { origin: 'http://evil.example' };
  const answer = await call('POST', '/api/session/stop', {}, evil);
  assert.deepEqual([answer.status, answer.body['code']], [403, 'BERTH_ORIGIN']);
  assert.equal((await call('POST', '/api/tickets', { role: 'viewer' }, evil)).status, 403);
  const { origin } = evil;
  assert.equal(
    await service.tryUpgrade('telemetry', await service.ticket('viewer'), { origin }),
    403,
  );
  assert.equal(
    await service.tryUpgrade('telemetry', await service.ticket('viewer'), { origin: null }),
    403,
  );
});

test('tickets: missing, false, used and too weak are refused before the upgrade', async () => {
  assert.equal(await service.tryUpgrade('operator', null), 401);
  assert.equal(await service.tryUpgrade('operator', 'guess'), 401);
  const ticket = await service.ticket('operator');
  assert.equal(await service.tryUpgrade('operator', ticket), 101);
  assert.equal(await service.tryUpgrade('operator', ticket), 401);
  assert.equal(await service.tryUpgrade('operator', await service.ticket('viewer')), 403);
  const other = { protocol: 'chat' };
  assert.equal(await service.tryUpgrade('operator', await service.ticket('operator'), other), 426);
  assert.equal(await service.tryUpgrade('elsewhere', await service.ticket('viewer')), 404);
});

test('300 bad attempts and a good one still gets in', async () => {
  const attempts = Array.from({ length: 300 }, () => service.tryUpgrade('operator', 'guess'));
  assert.deepEqual(new Set(await Promise.all(attempts)), new Set([401]));
  assert.equal(await service.tryUpgrade('telemetry', await service.ticket('viewer')), 101);
});

test('close codes: bad message, wrong version, too big, too many', async () => {
  const cases: [number, (socket: WebSocket) => void][] = [
    [4400, (socket) => socket.send('text')],
    [4400, (socket) => socket.send(Buffer.from([0xc1]))],
    [4400, (socket) => socket.send(Buffer.alloc(2000, 0x91))], // 2000 arrays deep
    [4413, (socket) => socket.send(Buffer.alloc(10_000_000))],
  ];
  for (const [code, act] of cases) {
    const peer = await service.operator();
    act(peer.socket);
    assert.equal(await peer.closed, code);
  }
  const early = await service.connect('operator');
  early.send({ type: 'arm', id: 1 });
  assert.equal(await early.closed, 4400);
  const future = await service.connect('operator');
  future.send({ v: 2, type: 'hello', id: 0 });
  assert.equal(await future.closed, 4426);
  const wrong = await service.operator();
  wrong.send({
    type: 'input',
    axes: [2, 0, 0, 0, 0, 0],
    deadman: true,
    gear: 'vernier',
    frame: 'base',
    seq: 0,
    t: 0,
  });
  assert.equal(await wrong.closed, 4400);
  const flood = await service.operator();
  for (let i = 0; i < 5000; i++) flood.send({ type: 'hold', id: i });
  assert.equal(await flood.closed, 4429);
  assert.equal((await untilReady())['status'], 200);
});

test('what piled up while the server stood still does not close its sender', async () => {
  const peer = await service.operator();
  // more than the 200 that may come at once; 1 s without the thread makes them 400
  for (let i = 1; i <= 300; i++) peer.send({ type: 'hold', id: i });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  const answer = await peer.next((m) => m.type === 'ack' && m['id'] === 300);
  assert.equal(answer['ok'], true);
  assert.equal(peer.socket.readyState, WebSocket.OPEN);
  peer.socket.close();
});

test('a client that does not read gets only the newest, then is closed', async () => {
  const counters = new ServerCounters();
  const stream = new TelemetryStream(service.runtime, counters, 0.001);
  const listener = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(listener, 'listening');
  const accepted = once(listener, 'connection') as Promise<[WebSocket]>;
  const { port } = listener.address() as { port: number };
  const peer = new Peer(new WebSocket(`ws://127.0.0.1:${port}`));
  const [server] = await accepted;
  await once(peer.socket, 'open');
  stream.accept(server, 'viewer');
  peer.send({ type: 'subscribe', id: 1, topics: ['state', 'timing'], hz: 100 });
  assert.equal((await peer.next((m) => m.type === 'telemetry'))['dropped'], 0);
  peer.socket.pause();
  // What a long pause would do: more than the kernel takes waits in the server.
  const dropped = (): number => counters.get('ws_dropped_messages_total', 'telemetry');
  const filler = encode({ v: 1, type: 'filler', bytes: new Uint8Array(64 * 1024) });
  while (server.bufferedAmount <= SOFT_BUFFER_BYTES) {
    server.send(filler);
    await new Promise((resolve) => setImmediate(resolve));
  }
  while (dropped() < 5) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(server.bufferedAmount < 2 * SOFT_BUFFER_BYTES, 'nothing piles up');
  // reading resumes: the stream goes on with the newest row and the number of omitted ones
  const resumed = peer.next((m) => m.type === 'telemetry' && Number(m['dropped']) >= 5);
  peer.socket.resume();
  await resumed;
  peer.socket.pause();
  while (server.bufferedAmount <= HARD_BUFFER_BYTES) {
    server.send(filler);
    await new Promise((resolve) => setImmediate(resolve));
  }
  while (counters.get('ws_rejects_total', 'stale') === 0) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  peer.socket.resume();
  // Its close frame waits behind everything unread; the socket is cut off after a second at most.
  assert.ok([4408, 1006].includes(await peer.closed));
  stream.close();
  listener.close();
});

test('fault injection is refused without the flag', async () => {
  const answer = await call('POST', '/api/faults', { kind: 'loop_error', amount: 1 });
  assert.deepEqual([answer.status, answer.body['field']], [403, 'allow_fault_injection']);
});
