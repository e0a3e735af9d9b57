/**
 * Who gets in, and what refuses to start (hil-anchors 9.4, 45 and the bad input of the command line): tickets on a clock of the
 * test, role keys against every route, addresses that others can reach, ports in each other's way, and a handler that breaks.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { WebSocket } from 'ws';
import { ROW_WIDTH } from '../../../hil/contract/columns.ts';
import { TelemetryRing } from '../../../hil/memory/ring.ts';
import type { Runtime } from '../../../hil/threads/runtime-types.ts';
import { keyFaults } from '../../../config/key-quality.ts';
import { checkAddresses } from '../../../server/access/addresses.ts';
import { buildApp } from '../../../server/app.ts';
import { AccessControl, TICKET_LIFE_S } from '../../../server/access/auth.ts';
import { ROLES } from '../../../hil/contract/roles.ts';
import { listeningPort } from '../../../server/access/upgrade.ts';
import { startUntimed, testSettings } from '../../fixtures/service.ts';

const KEYS = {
  viewer: 'viewer-key-0001',
  operator: 'operator-key-01',
  supervisor: 'supervisor-key1',
} as const;
type Role = keyof typeof KEYS;

let app: FastifyInstance;
let runtime: Runtime;
let origin = '';
/** Clock of the tickets, ms; tests move it. */
let now_ms = 1_000_000;

before(async () => {
  const settings = testSettings((s) => {
    s.server.keys = KEYS;
    s.allow_fault_injection = true;
  });
  runtime = await startUntimed(settings);
  app = await buildApp({ settings, runtime, now_ms: () => now_ms });
  assert.throws(() => app.get('/forgotten', () => ''), /\/forgotten states no role/);
  // a route with a mistake in it, as any of ours could have
  app.get('/broken', { config: { role: 'anyone' } }, () => {
    throw new TypeError('secret detail of the inside');
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${listeningPort(app)}`;
});
after(async () => {
  await app.close();
  await runtime.close();
});

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function call(method: string, path: string, key: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: {
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const read = await response.text();
  const json = response.headers.get('content-type')?.includes('json') === true;
  return {
    status: response.status,
    body: json ? (JSON.parse(read) as Record<string, unknown>) : {},
  };
}

/** The same from another address of this machine. */
function callFrom(
  localAddress: string,
  method: string,
  path: string,
  key: string,
  body?: unknown,
): Promise<Answer> {
  const headers = {
    ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}${path}`, { method, localAddress, headers }, (response) => {
      const { statusCode: status = 0 } = response;
      text(response).then(
        (read) => resolve({ status, body: JSON.parse(read) as Record<string, unknown> }),
        reject,
      );
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function ticket(role: Role): Promise<string> {
  const { status, body } = await call('POST', '/api/tickets', KEYS[role], { role });
  assert.equal(status, 200);
  assert.equal(body['expires_in'], TICKET_LIFE_S);
  return body['ticket'] as string;
}

/** Tries to open a socket. @returns status, and the text of a refusal */
async function open(path: string, name: string): Promise<Answer> {
  const socket = new WebSocket(
    `${origin.replace('http', 'ws')}/${path}?ticket=${name}`,
    `berth.${path}.v1`,
    { origin },
  );
  return new Promise((resolve, reject) => {
    socket.on('unexpected-response', (request, response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        request.destroy();
        const body = JSON.parse(text) as Record<string, unknown>;
        resolve({ status: response.statusCode ?? 0, body });
      });
    });
    socket.on('open', () => {
      socket.terminate();
      resolve({ status: 101, body: {} });
    });
    socket.on('error', reject);
  });
}

async function rejects(reason: string): Promise<number> {
  const text = await (
    await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${KEYS.viewer}` } })
  ).text();
  const found = new RegExp(`^berth_ws_rejects_total\\{reason="${reason}"\\} (\\d+)$`, 'm').exec(
    text,
  );
  return Number(found?.[1]);
}

test('45: a ticket lives for 30 s: good to the last millisecond, refused with its reason after', async () => {
  const [young, old] = [await ticket('operator'), await ticket('operator')];
  const before = await rejects('ticket');
  now_ms += TICKET_LIFE_S * 1000 - 1;
  assert.equal((await open('operator', young)).status, 101);
  now_ms += 1;
  const refused = await open('operator', old);
  assert.equal(refused.status, 401);
  assert.equal(refused.body['code'], 'BERTH_TICKET');
  assert.match(String(refused.body['message']), /expired.* POST \/api\/tickets/);
  assert.equal(await rejects('ticket'), before + 1);
  now_ms -= 1;
  assert.equal((await open('operator', old)).status, 401, 'a refused ticket is used up');
  assert.equal((await open('operator', await ticket('operator'))).status, 101);
});

test('45: tickets that nobody uses do not pile up', () => {
  const access = new AccessControl(testSettings(), () => 0);
  const first = access.issueTicket('viewer');
  for (let i = 0; i < 1024; i++) access.issueTicket('viewer');
  assert.equal(access.redeemTicket(first), null, 'the oldest makes room');
  const last = access.issueTicket('viewer');
  assert.equal(access.redeemTicket(last)?.role, 'viewer');
});

test('role keys: every key at every route, exactly the allowed ones pass', async () => {
  let strangers = 0;
  const least: readonly (readonly [string, string, Role, unknown?])[] = [
    ['GET', '/api/session', 'viewer'],
    ['GET', '/api/scenarios', 'viewer'],
    ['GET', '/metrics', 'viewer'],
    ['POST', '/api/session/stop', 'viewer', { category: 2 }],
    ['POST', '/api/session/hold', 'viewer'],
    ['POST', '/api/session/clear', 'operator', { reason: 'tried' }],
    ['POST', '/api/session/load', 'operator', { scenario: 'no-such-scenario' }],
    ['POST', '/api/faults', 'supervisor', { kind: 'drop_state_ticks', amount: 0 }],
    ['POST', '/api/tickets', 'viewer', { role: 'viewer' }],
    ['POST', '/api/tickets', 'operator', { role: 'operator' }],
    ['POST', '/api/tickets', 'supervisor', { role: 'supervisor' }],
  ];
  for (const [method, path, needed, body] of least) {
    for (const role of ROLES) {
      const { status, body: answer } = await call(method, path, KEYS[role], body);
      const allowed = ROLES.indexOf(role) >= ROLES.indexOf(needed);
      const what = `${role} at ${method} ${path}: ${status} ${String(answer['code'])}`;
      if (allowed) assert.ok(status !== 401 && answer['code'] !== 'BERTH_ROLE', what);
      else assert.deepEqual([status, answer['code']], [403, 'BERTH_ROLE'], what);
    }
    for (const key of ['', 'wrong-key-0000', `${KEYS.supervisor}x`]) {
      // each from an address of its own: one that guesses on and on waits for its answers
      const { status, body: answer } = await callFrom(
        `127.0.1.${++strangers}`,
        method,
        path,
        key,
        body,
      );
      assert.deepEqual([status, answer['code']], [401, 'BERTH_AUTH'], `${key} at ${path}`);
    }
  }
  assert.equal((await call('GET', '/health', '')).status, 200, 'open to whoever watches');
});

test('50: a handler that throws answers 500, tells nothing of the inside, and the loop goes on', async () => {
  const ring = new TelemetryRing(runtime.shared.telemetry, ROW_WIDTH);
  const rows = ring.written;
  const { status, body } = await call('GET', '/broken', '');
  assert.deepEqual([status, body['code']], [500, 'BERTH_INTERNAL']);
  assert.doesNotMatch(JSON.stringify(body), /secret/);
  while (ring.written < rows + 20) await new Promise((resolve) => setTimeout(resolve, 5));
  const session = await call('GET', '/api/session', KEYS.viewer);
  assert.deepEqual(session.body['faults'], []);
});

const MAIN = fileURLToPath(
  new URL(`../../../server/main${extname(import.meta.url)}`, import.meta.url),
);
const folder = mkdtempSync(join(tmpdir(), 'berth-access-'));
after(() => rmSync(folder, { recursive: true }));

/** Time after which a command has not refused, ms; it is then ended, which its exit code shows. */
const REFUSAL_MS = 120_000;

/** Run a command that ends by itself. */
async function berth(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [...process.execArgv, MAIN, ...args], {
    timeout: REFUSAL_MS,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout, stderr };
}

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

test('addresses that others can reach need keys, and the sentence names the setting', async () => {
  for (const [name, text, sentence] of [
    ['open', 'server: { host: 0.0.0.0, port: 0 }\n', /^server\.keys: .*server\.host is 0\.0\.0\.0/],
    ['robot', 'robot: { host: "::", port: 0 }\n', /^robot\.key: .*robot\.host is ::/],
  ] as const) {
    const settings = file(`${name}.yaml`, text);
    const [served, checked] = await Promise.all([
      berth('serve', settings),
      berth('check', settings),
    ]);
    assert.deepEqual([served.code, served.stdout], [2, ''], served.stderr);
    assert.match(served.stderr, /^berth serve: [^\n]+\n$/);
    assert.match(served.stderr.slice('berth serve: '.length), sentence);
    assert.equal(checked.code, 2);
    assert.match(checked.stderr, sentence);
  }
});

test('keys open the address, loopback needs none', () => {
  const check = (change: Parameters<typeof testSettings>[0]) => (): void =>
    checkAddresses(testSettings(change));
  const reach = (s: ReturnType<typeof testSettings>): void => {
    s.server.insecure = true;
    s.robot.insecure = true;
    s.server.host = '192.0.2.1';
    s.robot.transport = 'websocket';
    s.robot.host = '192.0.2.1';
  };
  assert.throws(check(reach), { code: 'BERTH_AUTH', field: 'server.keys' });
  const withKeys = (s: ReturnType<typeof testSettings>): void => {
    reach(s);
    s.server.keys = KEYS;
  };
  assert.throws(check(withKeys), { code: 'BERTH_AUTH', field: 'robot.key' });
  assert.doesNotThrow(
    check((s) => {
      withKeys(s);
      s.robot.key = 'J7wT2pHq9sVbXz4k';
    }),
  );
  const weak = testSettings((settings) => (settings.robot.key = 'J7wT2pHq9sVbXz4'));
  assert.match(keyFaults(weak)[0].text, /^robot\.key has 15 characters; allowed: at least 16 /);
  for (const host of ['localhost', '127.0.0.1', '127.8.9.10', '::1']) {
    assert.doesNotThrow(
      check((s) => {
        s.server.host = host;
        s.robot.transport = 'websocket';
        s.robot.host = host;
      }),
    );
  }
  for (const host of ['127.0.0.1.example', 'localhost.example', '1270.0.0.1', '']) {
    assert.throws(
      check((s) => (s.server.host = host)),
      { field: 'server.keys' },
    );
  }
});

test('--port on the robot port: one sentence that names both, nothing started', async () => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as { port: number };
  free.close();
  const settings = file('ports.yaml', `robot: { port: ${port} }\n`);
  const { code, stdout, stderr } = await berth('serve', settings, '--port', String(port));
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /^berth serve: server\.port: \d+ is robot\.port too; [^\n]+\n$/);
  assert.ok(stderr.includes(String(port)));
});
