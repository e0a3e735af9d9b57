/** Keys at a running service: guessing them is slow, counted and written down, STOP is not; and they change without a restart. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Service, testSettings } from '../fixtures/service.ts';

const KEYS = {
  viewer: 'viewer-key-0001',
  operator: 'operator-key-01',
  supervisor: 'supervisor-key1',
} as const;
const folder = mkdtempSync(join(tmpdir(), 'berth-keys-'));
after(() => rmSync(folder, { recursive: true }));
const MAIN = fileURLToPath(
  new URL(`../../server/main${extname(import.meta.url)}`, import.meta.url),
);

interface Answer {
  readonly status: number;
  readonly code: string;
  readonly took_ms: number;
}

function ask(
  service: Service,
  path: string,
  key: string,
  from: string,
  agent?: Agent,
): Promise<Answer> {
  const begin = performance.now();
  const method = path === '/metrics' || path === '/api/session' ? 'GET' : 'POST';
  const headers = { authorization: `Bearer ${key}` };
  const options = { method, localAddress: from, headers, agent: agent ?? (false as const) };
  return new Promise((resolve, reject) => {
    const sent = request(`${service.origin}${path}`, options, (response) => {
      text(response).then((read) => {
        const code = /"code":"(\w+)"/.exec(read)?.[1] ?? '';
        resolve({ status: response.statusCode ?? 0, code, took_ms: performance.now() - begin });
      }, reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

async function metric(service: Service, name: string): Promise<number> {
  const options = { headers: { authorization: `Bearer ${KEYS.viewer}` } };
  const page = await (await fetch(`${service.origin}/metrics`, options)).text();
  const line = page.split('\n').find((one) => one.startsWith(name + ' '));
  return Number(line?.split(' ').at(-1));
}

const STOP = '/api/session/stop';

test('60: keys are guessed at STOP no faster than at a few a second, STOP with a right key is obeyed at once', async (t) => {
  const service = await Service.start((s) => (s.server.keys = KEYS));
  try {
    const attacker = '127.0.2.1';
    const agent = new Agent({ keepAlive: true, maxSockets: 16, localAddress: attacker });
    const verdicts = new Map<string, number>();
    let sent = 0;
    let over = false;
    const guess = async (): Promise<void> => {
      while (!over) {
        const { status, code } = await ask(service, STOP, `guess-${sent++}-0000`, attacker, agent);
        verdicts.set(`${status} ${code}`, (verdicts.get(`${status} ${code}`) ?? 0) + 1);
      }
    };
    const begin = performance.now();
    const crowd = Array.from({ length: 16 }, guess);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    const stops = (): number => service.audit.filter(({ action }) => action === 'stop').length;
    assert.equal(stops(), 0);

    // from elsewhere: at once, with an answer; from the attacker's address: executed, whatever the
    // answer
    const right = await ask(service, STOP, KEYS.viewer, '127.0.0.1');
    assert.equal(right.status, 200);
    assert.equal(stops(), 1);
    const beside = ask(service, STOP, KEYS.operator, attacker);
    const asked = performance.now();
    while (stops() < 2 && performance.now() - asked < 10_000) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const obeyed_ms = performance.now() - asked;
    const seconds = (performance.now() - begin) / 1000;
    over = true;
    await Promise.all([...crowd, beside]);
    agent.destroy();
    assert.equal(stops(), 2);
    const told = verdicts.get('401 BERTH_AUTH') ?? 0;
    t.diagnostic(
      `acceptance 60: ${(sent / seconds).toFixed(0)} keys a second tried at STOP, ${(told / seconds).toFixed(1)} answered; a right STOP beside them obeyed within ${obeyed_ms.toFixed(0)} ms`,
    );
    // five that are free, then four at a time that wait ever longer
    assert.ok(told < 5 + 4 * 7, `${told} keys told of`);
    assert.ok((verdicts.get('429 BERTH_GUESSES') ?? 0) > 100, JSON.stringify([...verdicts]));
    assert.equal(await metric(service, 'berth_auth_failures_total{reason="wrong"}'), sent);
    const noted = service.audit.filter(({ detail }) => detail?.['from'] === attacker);
    assert.deepEqual(
      noted.map(({ action, result }) => [action, result]),
      [['POST /api/session/stop', 'BERTH_AUTH']],
      'one record at once, the others are counted',
    );
  } finally {
    await service.close();
  }
  const counted = service.audit.filter(({ action }) => action === 'refusals');
  const more = counted.map(
    ({ detail }) =>
      (detail?.['more'] as Record<string, number>)['POST /api/session/stop BERTH_AUTH'],
  );
  assert.ok(
    more.some((count) => count > 100),
    JSON.stringify(counted),
  );
});

test('60: every 401 and 403 of REST is written down, gathered by address', async () => {
  const service = await Service.start((s) => (s.server.keys = KEYS));
  try {
    for (const [path, key, from] of [
      ['/api/session', 'wrong-key-0000', '127.0.3.1'],
      ['/metrics', 'wrong-key-0000', '127.0.3.2'],
      ['/api/session/hold', 'wrong-key-0000', '127.0.3.3'],
      ['/api/session/clear', KEYS.viewer, '127.0.3.4'],
    ] as const) {
      await ask(service, path, key, from);
    }
    await fetch(`${service.origin}/api/session`);
    assert.deepEqual(
      service.audit.map(({ action, result, detail }) => [action, result, detail?.['from']]),
      [
        ['GET /api/session', 'BERTH_AUTH', '127.0.3.1'],
        ['GET /metrics', 'BERTH_AUTH', '127.0.3.2'],
        ['POST /api/session/hold', 'BERTH_AUTH', '127.0.3.3'],
        ['POST /api/session/clear', 'BERTH_ROLE', '127.0.3.4'],
        ['GET /api/session', 'BERTH_AUTH', '127.0.0.1'],
      ],
    );
    for (const [reason, count] of [
      ['wrong', 3],
      ['missing', 1],
      ['role', 1],
    ] as const) {
      assert.equal(await metric(service, `berth_auth_failures_total{reason="${reason}"}`), count);
    }
  } finally {
    await service.close();
  }
});

test('60: a key that changes takes its sockets and tickets along, others stay, and it is written down', async () => {
  const service = await Service.start((s) => (s.server.keys = { ...KEYS }));
  try {
    const peers = {
      viewer: await service.connect('telemetry', 'viewer', KEYS.viewer),
      operator: await service.connect('operator', 'operator', KEYS.operator),
      // a ticket of a weaker role, bought with the strongest key
      supervisor: await service.connect('telemetry', 'viewer', KEYS.supervisor),
    };
    const unused = await service.ticket('operator', KEYS.operator);
    const fresh = testSettings((s) => {
      s.server.keys = {
        viewer: KEYS.viewer,
        operator: 'operator-key-02',
        supervisor: KEYS.supervisor,
      };
    });
    const before = service.audit.length;
    assert.deepEqual(await service.app.reload(fresh), [
      'server.keys: new keys of operator; 1 sockets of old ones ended',
    ]);
    assert.equal(await peers.operator.closed, 4401);
    assert.equal(await service.tryUpgrade('operator', unused), 401);
    assert.equal(peers.viewer.socket.readyState, 1);
    assert.equal(peers.supervisor.socket.readyState, 1);
    assert.equal((await ask(service, STOP, KEYS.operator, '127.0.4.1')).status, 401);
    assert.equal((await ask(service, STOP, 'operator-key-02', '127.0.4.2')).status, 200);
    const changed = service.audit.slice(before).find(({ action }) => action === 'keys.change');
    assert.deepEqual(changed?.detail, { roles: ['operator'], sockets: 1 });

    // a key that is only withdrawn
    fresh.server.keys = { supervisor: KEYS.supervisor };
    await service.app.reload(fresh);
    assert.equal(await peers.viewer.closed, 4401);
    assert.equal(peers.supervisor.socket.readyState, 1);
    assert.deepEqual(await service.app.reload(fresh), [], 'nothing new');
  } finally {
    await service.close();
  }
});

test('60: a settings file with keys that others can read is warned of', () => {
  const path = join(folder, 'keyed.yaml');
  writeFileSync(path, 'server: { keys: { operator: kcFEf9uMF0aXvKsT } }\n');
  const check = () =>
    spawnSync(process.execPath, [...process.execArgv, MAIN, 'check', path], { encoding: 'utf8' });
  chmodSync(path, 0o644);
  const open = check();
  assert.match(
    open.stderr,
    /^warning: the keys of the settings: every user of this machine can read .*keyed\.yaml; chmod o-r/,
  );
  assert.equal(open.status, 0);
  chmodSync(path, 0o640);
  const closed = check();
  assert.deepEqual([closed.stderr, closed.status], ['', 0]);
});

interface Asked {
  readonly path: string;
  readonly method: string;
  readonly key: string;
  readonly from: string;
}

/** Status of a request; a ticket request contains its role. */
function statusOf(service: Service, { path, method, key, from }: Asked): Promise<number> {
  const body = path === '/api/tickets' ? '{"role":"supervisor"}' : '';
  const json = body === '' ? {} : { 'content-type': 'application/json' };
  const headers = { authorization: `Bearer ${key}`, ...json };
  const options = { method, localAddress: from, headers, agent: false as const };
  return new Promise((resolve, reject) => {
    const sent = request(service.origin + path, options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Refusals that were written of an address: records, and those that were only counted. */
function refusalsOf(service: Service, from: string): { records: number; counted: number } {
  const own = service.audit.filter(({ detail }) => detail?.['from'] === from);
  const more = own.flatMap(({ detail }) =>
    Object.values((detail?.['more'] ?? {}) as Record<string, number>),
  );
  const records = own.filter(({ action }) => action !== 'refusals').length;
  return { records, counted: more.reduce((sum, count) => sum + count, 0) };
}

test('60: a wrong key, and one that is too weak, is one record at every route', async () => {
  const service = await Service.start((s) => (s.server.keys = KEYS));
  try {
    const { paths } = service.app.swagger() as { paths: Record<string, object> };
    let asked = 0;
    for (const [pattern, methods] of Object.entries(paths)) {
      const path = pattern.replace(/\{\w+\}/g, '1');
      for (const method of Object.keys(methods)) {
        for (const key of ['wrong-key-0000', KEYS.viewer]) {
          const from = `127.0.5.${asked++}`;
          const before = service.audit.length;
          const one = { path, method: method.toUpperCase(), key, from };
          const status = await statusOf(service, one);
          if (status !== 401 && status !== 403) continue;
          const written = service.audit.slice(before).map(({ action }) => action);
          assert.equal(written.length, 1, `${method} ${path}: ${written.join(', ')}`);
        }
      }
    }
    assert.ok(asked > 30, `${asked} routes and keys`);
  } finally {
    await service.close();
  }
});

test('60: every wrong key at the tickets is told once, those that get no answer too, and one peer has one name', async () => {
  // a listener of both families sees IPv4 addresses inside IPv6 ones
  const service = await Service.start((s) => {
    s.server.keys = KEYS;
    s.server.host = '::';
    s.server.insecure = true;
  });
  const guessers = { alone: '127.0.6.1', crowd: '127.0.6.2' };
  const ask = (from: string, key: string): Promise<number> =>
    statusOf(service, { path: '/api/tickets', method: 'POST', key, from });
  const statuses: number[] = [];
  try {
    // refused before the body, and by the route that reads it
    assert.equal(await ask(guessers.alone, 'wrong-key-0000'), 401);
    assert.equal(await ask(guessers.alone, KEYS.viewer), 403);
    const crowd = Array.from({ length: 30 }, (_, i) => ask(guessers.crowd, `guess-${i}-0000`));
    statuses.push(...(await Promise.all(crowd)));
  } finally {
    await service.close();
  }
  assert.ok(statuses.includes(429), statuses.join(' '));
  assert.deepEqual(refusalsOf(service, guessers.alone), { records: 1, counted: 1 });
  assert.deepEqual(refusalsOf(service, guessers.crowd), { records: 1, counted: 29 });
});
