/**
 * Floods at the HTTP server and at the robot's listener: a flooding client is limited, and requests
 * that make the robot safe still pass.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { peerOf } from '../../hil/access/connection-places.ts';
import { connectionBudget } from '../../hil/os/descriptors.ts';
import { Peers } from '../../server/access/peers.ts';
import { socketCapacity } from '../../server/access/upgrade.ts';
import { Service, testSettings } from '../fixtures/service.ts';

const KEYS = { viewer: 'viewer-key-0001', operator: 'operator-key-01' } as const;
/** Requests of one client and key in a minute. */
const RATE = 3000;
/** Delay of a refusal for a client beyond its limit, ms. */
const REFUSAL_MS = 20;
const PROXY = '10.1.2.3';
/** A request must be here within 5 s, looked at every second; and a busy machine. */
const CUT_MS = 6000 + 4000;

let service: Service;
before(async () => {
  service = await Service.start((settings) => {
    settings.server.keys = { ...KEYS };
    settings.server.trust_proxy = ['10.1.0.0/16'];
    settings.robot.transport = 'websocket';
    settings.robot.port = 0;
  });
});
/** All that were made, for a test that fails. */
const crowds: Crowd[] = [];
after(async () => {
  for (const crowd of crowds) crowd.end();
  await service.close();
});

interface Asked {
  readonly key?: string;
  readonly from?: string;
  readonly through?: string;
  readonly body?: object;
}

/** Status of a request of that client. */
async function ask(method: 'GET' | 'POST', url: string, asked: Asked = {}): Promise<number> {
  const { key, from = '192.0.2.1', through, body } = asked;
  const { statusCode } = await service.app.inject({
    method,
    url,
    remoteAddress: through ?? from,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(through === undefined ? {} : { 'x-forwarded-for': `203.0.113.9, ${from}` }),
    },
    ...(body === undefined ? {} : { payload: body }),
  });
  return statusCode;
}

/** How many of `count` requests got each status. */
async function flood(count: number, asked: Asked): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (let i = 0; i < count; i++) {
    const status = await ask('GET', '/api/alarms', asked);
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

/** What makes the robot safe, and health, and what opens a socket. */
async function safeAnswers(asked: Asked): Promise<number[]> {
  const key = { key: KEYS.operator, ...asked };
  return [
    await ask('POST', '/api/session/stop', key),
    await ask('POST', '/api/session/stop?x', key),
    await ask('POST', '/api/session/stop/', key),
    await ask('POST', '/api/session/hold', key),
    await ask('POST', '/api/session/clear', { ...key, body: { reason: 'tried' } }),
    await ask('POST', '/api/tickets', { ...key, body: { role: 'operator' } }),
    await ask('GET', '/health', asked),
    await ask('GET', '/ready', asked),
  ];
}

test('59: after a flood of its address STOP, HOLD, CLEAR, tickets and health are served with the key as before it', async (t) => {
  // through a proxy that is trusted, so that the address is not the proxy's
  const from = { from: '192.0.2.1', through: PROXY };
  const control = await safeAnswers(from);
  assert.ok(!control.includes(429));
  const counts = await flood(RATE + 200, from);
  assert.deepEqual(counts, { 401: RATE, 429: 200 });
  // a client that waits for its refusals cannot take the thread that serves operators
  const begin = performance.now();
  assert.equal(await ask('GET', '/api/alarms', from), 429);
  assert.ok(performance.now() - begin > REFUSAL_MS - 1);
  assert.deepEqual(await safeAnswers(from), control);
  // another key at the same address has its own count; guesses of keys are limited at the safe
  // routes, too
  assert.equal(await ask('GET', '/api/alarms', { ...from, key: KEYS.viewer }), 200);
  assert.equal(await ask('POST', '/api/session/stop', { ...from, key: 'guessed-key-1' }), 429);
  // other clients behind the same proxy, the proxy itself, and a client that only claims to be
  // behind one
  assert.equal(await ask('GET', '/api/alarms', { from: '192.0.2.2', through: PROXY }), 401);
  assert.equal(await ask('GET', '/api/alarms', { from: PROXY }), 401);
  assert.equal(await ask('GET', '/api/alarms', { from: '192.0.2.1', through: '192.0.2.9' }), 401);
  t.diagnostic(
    `acceptance 59: 3,200 requests for nothing from one address: ${counts[429]} refused for their rate; STOP (with a query, with a slash), HOLD, CLEAR, tickets, /health and /ready answered as before`,
  );
});

test('59: a proxy that is trusted says who a client is; of anybody else the header is not believed', () => {
  const peers = new Peers(testSettings((s) => (s.server.trust_proxy = ['10.1.0.0/16', '::1'])));
  const of = (remoteAddress: string, told?: string): string =>
    peers.of({
      socket: { remoteAddress },
      headers: told === undefined ? {} : { 'x-forwarded-for': told },
    } as never);
  assert.equal(of('192.0.2.7', '198.51.100.1'), '192.0.2.7');
  assert.equal(of('::ffff:10.1.9.9', '203.0.113.9, 198.51.100.1, 10.1.0.4'), '198.51.100.1');
  assert.equal(of('10.1.9.9'), '10.1.9.9');
  assert.equal(of('10.1.9.9', 'nonsense'), '10.1.9.9');
  assert.equal(of('::1', '2001:db8:1:2:aaaa::1'), of('::1', '2001:db8:1:2:bbbb::9'));
  assert.notEqual(of('::1', '2001:db8:1:2::1'), of('::1', '2001:db8:1:3::1'));
  assert.equal(peerOf('fe80::1%eth0'), 'fe80:0:0:0::/64');
  for (const entry of ['proxy', '10.0.0.0/33', '10.0.0.0/8/8', '']) {
    assert.throws(
      () => new Peers(testSettings((s) => (s.server.trust_proxy = [entry]))),
      /server\.trust_proxy.*neither an address nor a network/,
    );
  }
});

/** Connections that begin a request and go on byte by byte, if at all. */
class Crowd {
  readonly sockets: Socket[] = [];
  /** For each connection: its duration, ms, and the received text. */
  readonly lasted_ms: number[] = [];
  readonly heard: string[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(count: number, port: number, begin: string, peers = 1) {
    const started = performance.now();
    for (let i = 0; i < count; i++) {
      const localAddress = `127.0.0.${2 + (i % peers)}`;
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      socket.on('error', () => undefined);
      socket.on('data', (data) => (this.heard[i] ??= data.toString('latin1', 9, 12)));
      socket.on('close', () => (this.lasted_ms[i] = performance.now() - started));
      if (begin !== '') socket.write(begin);
      this.sockets.push(socket);
    }
    crowds.push(this);
    this.#timer = setInterval(() => {
      for (const socket of this.sockets) if (begin !== '' && socket.writable) socket.write(' ');
    }, 200);
  }

  get open(): number {
    return this.sockets.filter((socket) => !socket.closed).length;
  }

  /** Until no more than so many are left, long before any is cut off for its silence. */
  async settle(most: number): Promise<void> {
    const end = performance.now() + 1500;
    while (this.open > most && performance.now() < end) await delay(10);
    assert.ok(this.open <= most, `${this.open} open`);
  }

  /** Until all have been cut off, or for so long. */
  async gone(most_ms: number): Promise<void> {
    const end = performance.now() + most_ms;
    while (this.open > 0 && performance.now() < end) await delay(50);
    this.end();
  }

  end(): void {
    clearInterval(this.#timer);
    for (const socket of this.sockets) socket.destroy();
  }
}

const slowPost = (key: string): string =>
  `POST /api/tickets HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${key}Content-Length: 1000\r\n\r\n{`;

test('62: a slow body is cut: without a key before it is read, with one after 5 s; STOP is answered meanwhile', async (t) => {
  const strangers = new Crowd(200, service.port, slowPost(''), 4);
  await strangers.gone(CUT_MS);
  assert.ok(
    strangers.heard.every((status) => status === '401'),
    strangers.heard.join(),
  );
  assert.equal(strangers.heard.length, 200);

  const holders = new Crowd(
    200,
    service.port,
    slowPost(`Authorization: Bearer ${KEYS.viewer}\r\n`),
    4,
  );
  const silent = new Crowd(100, service.port, '', 4);
  const begin = performance.now();
  const stopped = await fetch(`${service.origin}/api/session/stop`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.viewer}` },
  });
  const stop_ms = performance.now() - begin;
  assert.equal(stopped.status, 200);
  await Promise.all([holders.gone(CUT_MS), silent.gone(CUT_MS)]);
  assert.deepEqual([holders.lasted_ms.length, silent.lasted_ms.length], [200, 100]);
  const longest = Math.max(...holders.lasted_ms, ...silent.lasted_ms);
  assert.ok(longest < CUT_MS, `${longest} ms`);
  // a correct client that is slow, within the limit
  const honest = connect({ port: service.port, host: '127.0.0.1' });
  const body = JSON.stringify({ role: 'viewer' });
  honest.write(
    `POST /api/tickets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer ${KEYS.viewer}\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  await delay(1000);
  honest.write(body);
  const [answer] = (await once(honest, 'data')) as [Buffer];
  assert.equal(answer.toString('latin1', 9, 12), '200');
  honest.destroy();
  t.diagnostic(
    `acceptance 62: 200 slow bodies without a key: 401 within ${Math.max(...strangers.lasted_ms).toFixed(0)} ms; 200 with one and 100 that say nothing: gone after ${(longest / 1e3).toFixed(1)} s, STOP meanwhile in ${stop_ms.toFixed(0)} ms; a body that takes 1 s is read`,
  );
});

test('62: one peer has 128 connections at most; the oldest gives way, and a request that is sent at once is answered', async () => {
  const crowd = new Crowd(400, service.port, '');
  await crowd.settle(128);
  const agent = connect({ port: service.port, host: '127.0.0.1', localAddress: '127.0.0.2' });
  agent.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  const [answer] = (await once(agent, 'data')) as [Buffer];
  assert.equal(answer.toString('latin1', 9, 12), '200');
  await crowd.gone(0);
});

test('62: strangers at the robot’s listener are cut off, and the robot finds a place beside a hundred of them', async () => {
  const port = Number(new URL(service.runtime.robotAddress.replace(/^(?!ws)/, 'ws://')).port);
  const crowd = new Crowd(100, port, '');
  await crowd.settle(8);
  const robot = new WebSocket(`ws://127.0.0.1:${port}/robot`, 'berth.robot.v1');
  await once(robot, 'open');
  await crowd.gone(CUT_MS);
  const longest = Math.max(...crowd.lasted_ms);
  assert.ok(longest < CUT_MS - 3000, `${longest} ms`);
  assert.equal(robot.readyState, WebSocket.OPEN);
  robot.terminate();
});

test('68: sockets and requests share what few descriptors leave: the reserve stays, and an operator gets in', () => {
  const sockets = (limit: number): number[] => {
    const { operator, telemetry, foxglove } = socketCapacity(connectionBudget(limit, 60));
    return [operator, telemetry, foxglove];
  };
  assert.deepEqual(sockets(1024), [16, 64, 16]);
  assert.deepEqual(sockets(256), [14, 58, 14]);
  assert.deepEqual(sockets(160), [4, 16, 4]);
  assert.deepEqual(sockets(100), [2, 7, 2]);
  for (let limit = 140; limit <= 1024; limit++) {
    const left = limit - 60 - sockets(limit).reduce((sum, one) => sum + one);
    // the sockets, and 16 requests at the least: 48 stay for robot, recorder and audit log however few there are
    assert.ok(left - 16 >= 48, `${left} of ${limit}`);
  }
});

test('a few descriptors leave few connections, and never less than some', () => {
  assert.equal(connectionBudget(256, 60), 132);
  assert.equal(connectionBudget(100, 60), 16);
  assert.equal(connectionBudget(Infinity, 60), 1024);
});
