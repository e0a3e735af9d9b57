/** Strangers over HTTP: malformed requests, confusion of methods and types, traversal, other sites' pages, guessing, floods, slow ones. */
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { FREE_GUESSES, WAITING_OF_PEER } from '../../hil/access/key-guesses.ts';
import { type AttackDomain, Cases } from './attack-case.ts';
import { KEYS, Victim } from './victim.ts';

const victim = new Victim(true);
const cases = new Cases();
/** Longer than refusals of one address are gathered before they are written, ms. */
const GATHERED_MS = 75_000;
const HOST = 'Host: 127.0.0.1\r\n';

/** Checks that the bytes are refused or the connection closed, and that the next correct request is answered. */
async function refusedRaw(bytes: string | Uint8Array): Promise<string> {
  const status = await victim.raw(bytes);
  assert.ok(status === 0 || (status >= 400 && status < 500), `answered ${status}`);
  await victim.assertAlive();
  return status === 0 ? 'closed' : String(status);
}

// requests that are none
const MALFORMED: readonly (readonly [string, string | Uint8Array])[] = [
  ['bytes that are no HTTP', Uint8Array.from({ length: 256 }, (_, i) => i)],
  ['a TLS hello on a plain port', Uint8Array.of(0x16, 3, 1, 0, 50, 1, 0, 0, 46, 3, 3)],
  ['an unknown method', `BREW / HTTP/1.1\r\n${HOST}\r\n`],
  ['HTTP/9.9', `GET /health HTTP/9.9\r\n${HOST}\r\n`],
  ['no Host', 'GET /health HTTP/1.1\r\n\r\n'],
  [
    'two Content-Length',
    `POST /api/session/stop HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 5\r\n\r\n{}`,
  ],
  [
    'Content-Length and chunked together (smuggling)',
    `POST /api/session/stop HTTP/1.1\r\n${HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/session HTTP/1.1\r\n\r\n`,
  ],
  ['a negative Content-Length', `POST /api/tickets HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`],
  [
    'a chunk of size ffffffffffffffff',
    `POST /api/tickets HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n`,
  ],
  ['a header of 100 kB', `GET /health HTTP/1.1\r\n${HOST}X: ${'a'.repeat(100_000)}\r\n\r\n`],
  ['20,000 headers', `GET /health HTTP/1.1\r\n${HOST}${'A: b\r\n'.repeat(20_000)}\r\n`],
  ['a NUL in a header', `GET /health HTTP/1.1\r\n${HOST}X: a\0b\r\n\r\n`],
  ['a header with a bare line feed', `GET /health HTTP/1.1\r\n${HOST}X: a\nY: b\r\n\r\n`],
  ['an address of 60 kB', `GET /${'a'.repeat(60_000)} HTTP/1.1\r\n${HOST}\r\n`],
  ['a space in the address', `GET /health /x HTTP/1.1\r\n${HOST}\r\n`],
  ['CONNECT as to a proxy', `CONNECT 127.0.0.1:22 HTTP/1.1\r\n${HOST}\r\n`],
  [
    'an upgrade to h2c',
    `GET / HTTP/1.1\r\n${HOST}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n`,
  ],
  ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
];
for (const [what, bytes] of MALFORMED) {
  cases.add(0, what, 'refused or closed; others are answered', () => refusedRaw(bytes));
}

// methods, types and bodies
const BODIES: readonly (readonly [string, string, string, string, string])[] = [
  ['text/plain for JSON', 'POST', '/api/tickets', 'text/plain', '{"role":"viewer"}'],
  [
    'a form of another site',
    'POST',
    '/api/session/load',
    'application/x-www-form-urlencoded',
    'scenario=x',
  ],
  ['multipart', 'POST', '/api/session/load', 'multipart/form-data; boundary=x', '--x--'],
  ['XML', 'POST', '/api/session/load', 'application/xml', '<a/>'],
  ['JSON of an odd charset', 'POST', '/api/tickets', 'application/json; charset=utf-7', '+AHs-'],
  ['JSON that ends early', 'POST', '/api/tickets', 'application/json', '{"role":'],
  [
    'JSON of 1 MB',
    'POST',
    '/api/tickets',
    'application/json',
    `{"role":"${'x'.repeat(1_000_000)}"}`,
  ],
  ['JSON 10,000 deep', 'POST', '/api/tickets', 'application/json', '['.repeat(8000)],
  ['an array', 'POST', '/api/tickets', 'application/json', '[]'],
  ['null', 'POST', '/api/tickets', 'application/json', 'null'],
  ['a number for a role', 'POST', '/api/tickets', 'application/json', '{"role":5}'],
  ['a role that is none', 'POST', '/api/tickets', 'application/json', '{"role":"root"}'],
  [
    'the role twice',
    'POST',
    '/api/tickets',
    'application/json',
    '{"role":"root","role":["supervisor"]}',
  ],
  [
    '__proto__',
    'POST',
    '/api/tickets',
    'application/json',
    '{"role":"viewer","__proto__":{"role":"supervisor"}}',
  ],
  [
    'constructor.prototype',
    'POST',
    '/api/tickets',
    'application/json',
    '{"role":"viewer","constructor":{"prototype":{"admin":true}}}',
  ],
  ['unknown fields', 'POST', '/api/tickets', 'application/json', '{"role":"viewer","life":1e9}'],
  ['a category of 1e308', 'POST', '/api/session/stop', 'application/json', '{"category":1e308}'],
  ['a category of "1"', 'POST', '/api/session/stop', 'application/json', '{"category":"1"}'],
  [
    'a reason of control characters and ANSI',
    'POST',
    '/api/session/clear',
    'application/json',
    '{"reason":"\\u001b[2J\\u0000\\n"}',
  ],
  [
    'a reason of 10,000 characters',
    'POST',
    '/api/session/clear',
    'application/json',
    `{"reason":"${'x'.repeat(10_000)}"}`,
  ],
];
for (const [what, method, path, type, body] of BODIES) {
  cases.add(0, `${path} with ${what}`, 'refused by 4xx with one sentence', async () => {
    const { status, text } = await victim.call(method, path, {
      key: KEYS.supervisor,
      body,
      headers: { 'content-type': type },
    });
    assert.ok(status >= 400 && status < 500, `answered ${status}: ${text.slice(0, 80)}`);
    const { code, message } = JSON.parse(text) as { code: string; message: string };
    assert.match(code, /^BERTH_/);
    assert.ok(!/\bat .+[.]js:|node_modules/.test(message), 'no inside is told');
    assert.equal(({} as Record<string, unknown>)['admin'], undefined, 'no prototype is touched');
    await victim.assertAlive();
    return `${status} ${code}`;
  });
}
for (const [method, path] of [
  ['GET', '/api/session/stop'],
  ['PUT', '/api/session'],
  ['DELETE', '/api/alarms/1'],
  ['PATCH', '/api/tickets'],
  ['TRACE', '/health'],
] as const) {
  cases.add(0, `${method} ${path}`, 'refused by 4xx', async () =>
    refusedRaw(
      `${method} ${path} HTTP/1.1\r\n${HOST}Authorization: Bearer ${KEYS.supervisor}\r\n\r\n`,
    ),
  );
}
cases.add(0, 'a method smuggled by X-HTTP-Method-Override', 'not obeyed', async () => {
  const { status } = await victim.call('GET', '/api/session', {
    headers: { 'x-http-method-override': 'POST' },
    key: KEYS.viewer,
  });
  assert.equal(status, 200);
  return 'still GET';
});

// files and names
for (const path of [
  '/../package.json',
  '/..%2f..%2fpackage.json',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/assets/..%5c..%5cpackage.json',
  '/assets/%00',
  '//etc/passwd',
  '/.git/config',
  '/node_modules/ws/package.json',
  '/%c0%ae%c0%ae/etc/passwd',
]) {
  cases.add(0, `GET ${path}`, 'nothing outside the page', async () => {
    const socket = await victim.raw(`GET ${path} HTTP/1.1\r\n${HOST}\r\n`);
    assert.ok(socket >= 400 && socket < 600 && socket !== 500, `answered ${socket}`);
    return String(socket);
  });
}
for (const name of [
  '../../etc/passwd',
  '/etc/passwd',
  './berth.yaml',
  'half-sphere-on-plate\u0000',
  '\u202egnp',
  'a'.repeat(129),
]) {
  cases.add(
    0,
    `load of ${JSON.stringify(name).slice(0, 40)}`,
    'no file that a request points at',
    async () => {
      const { status } = await victim.call('POST', '/api/session/load', {
        key: KEYS.operator,
        body: { scenario: name },
      });
      assert.ok(status === 404 || status === 400, `answered ${status}`);
      return String(status);
    },
  );
}

// other sites
for (const origin of [
  'https://evil.example',
  'null',
  'http://127.0.0.1.evil.example',
  'http://localhost:1',
]) {
  cases.add(0, `POST stop from a page of ${origin} (CSRF)`, '403', async () => {
    const { status } = await victim.call('POST', '/api/session/stop', {
      key: KEYS.supervisor,
      headers: { origin },
    });
    assert.equal(status, 403);
    return '403';
  });
}
for (const host of [
  'evil.example',
  'rebind.evil.example:80',
  '169.254.169.254',
  '127.0.0.1.evil.example',
]) {
  for (const path of ['/api/session', '/metrics', '/']) {
    cases.add(17, `GET ${path} by the name ${host} (DNS rebinding)`, 'refused', () =>
      refusedRaw(
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${KEYS.viewer}\r\n\r\n`,
      ),
    );
  }
}
cases.add(17, 'control: GET by localhost and 127.0.0.1 with the port', 'served', async () => {
  for (const name of ['localhost', '127.0.0.1']) {
    const status = await victim.raw(`GET /health HTTP/1.1\r\nHost: ${name}:${victim.port}\r\n\r\n`);
    assert.equal(status, 200, name);
  }
  return '200, 200';
});

// keys and roles
for (const [what, header] of [
  ['no key', ''],
  ['a wrong key', 'Authorization: Bearer nobody-has-this-key\r\n'],
  ['an empty key', 'Authorization: Bearer \r\n'],
  ['Basic for Bearer', 'Authorization: Basic dmlld2VyOmtleQ==\r\n'],
  ['a key with a blank before and after', `Authorization:  Bearer  ${KEYS.operator}x \r\n`],
  ['two keys', `Authorization: Bearer x\r\nAuthorization: Bearer ${KEYS.viewer}\r\n`],
  ['a key of 8 kB', `Authorization: Bearer ${'k'.repeat(8000)}\r\n`],
] as const) {
  cases.add(8, `GET /api/session with ${what}`, '401', () =>
    refusedRaw(`GET /api/session HTTP/1.1\r\n${HOST}${header}\r\n`),
  );
}
for (const [method, path, key, body] of [
  ['POST', '/api/session/load', KEYS.viewer, { scenario: 'half-sphere-on-plate' }],
  ['POST', '/api/session/clear', KEYS.viewer, { reason: 'x' }],
  ['POST', '/api/faults', KEYS.operator, { kind: 'drop_state_ticks', amount: 1 }],
  ['POST', '/api/tickets', KEYS.viewer, { role: 'operator' }],
  ['POST', '/api/tickets', KEYS.operator, { role: 'supervisor' }],
  ['POST', '/api/alarms/1/ack', KEYS.viewer, undefined],
] as const) {
  cases.add(0, `${path} with a role too weak`, '403', async () => {
    const { status } = await victim.call(method, path, {
      key,
      ...(body === undefined ? {} : { body }),
    });
    assert.equal(status, 403);
    return '403';
  });
}
/** The attacker sends so many at once, so often; the first of them are cheaper, and are counted apart. */
const GUESSES_AT_ONCE = 20;
const GUESSES_EVERY_MS = 50;
const CHEAP_MS = 2000;
const DEAR_MS = 10_000;
cases.add(
  8,
  'keys guessed at the STOP route, 400 a second',
  'nine are judged in the first 2 s, then less than one a second; an honest STOP passes meanwhile',
  async () => {
    const judged_ms: number[] = [];
    const pending: Promise<void>[] = [];
    let sent = 0;
    const begin = performance.now();
    const guess = async (): Promise<void> => {
      const { status } = await victim.call('POST', '/api/session/stop', {
        key: `guess-number-${sent++}-aaaa`,
      });
      assert.ok(status === 401 || status === 429, `status ${status}`);
      if (status === 401) judged_ms.push(performance.now() - begin);
    };
    while (performance.now() - begin < CHEAP_MS + DEAR_MS) {
      for (let i = 0; i < GUESSES_AT_ONCE; i++) pending.push(guess());
      await wait(GUESSES_EVERY_MS);
    }
    const { status } = await victim.call('POST', '/api/session/stop', { key: KEYS.viewer });
    assert.equal(status, 200, 'control: an honest STOP');
    await Promise.all(pending);
    const cheap = judged_ms.filter((at_ms) => at_ms <= CHEAP_MS).length;
    const dear = judged_ms.filter((at_ms) => at_ms <= CHEAP_MS + DEAR_MS).length - cheap;
    assert.ok(judged_ms.length > 0, 'control: some are judged');
    assert.ok(cheap <= FREE_GUESSES + WAITING_OF_PEER, `${cheap} in the first 2 s`);
    assert.ok(dear < DEAR_MS / 1000, `${dear} in the 10 s after`);
    return `${sent} tried, ${cheap} judged in 2 s, ${dear} in the 10 s after`;
  },
);
cases.addSlow(8, 'a wrong key at REST', 'it is in the audit log', async () => {
  const before = victim.service.audit.length;
  await victim.call('GET', '/api/session', { key: 'not-a-key-of-anybody' });
  // refusals of an address are gathered for a while
  const end = performance.now() + GATHERED_MS;
  while (victim.service.audit.length === before && performance.now() < end) await wait(200);
  assert.ok(victim.service.audit.length > before, 'nothing was written');
  return 'written';
});
cases.add(0, 'a ticket used twice', 'the second is refused', async () => {
  const ticket = await victim.service.ticket('viewer', KEYS.viewer);
  assert.equal(await victim.service.tryUpgrade('telemetry', ticket), 101);
  assert.equal(await victim.service.tryUpgrade('telemetry', ticket), 401);
  return '101, then 401';
});
for (const ticket of ['', 'x', 'A'.repeat(32), '../../x', '%00']) {
  cases.add(0, `a ticket "${ticket.slice(0, 8)}" guessed`, '401', async () => {
    assert.equal(await victim.service.tryUpgrade('operator', ticket), 401);
    return '401';
  });
}
cases.add(0, "a viewer's ticket at /operator", '403', async () => {
  assert.equal(
    await victim.service.tryUpgrade('operator', await victim.service.ticket('viewer', KEYS.viewer)),
    403,
  );
  return '403';
});
for (const origin of ['https://evil.example', 'null', null]) {
  cases.add(0, `a socket from the origin ${origin ?? 'that is missing'}`, '403', async () => {
    const ticket = await victim.service.ticket('operator', KEYS.operator);
    assert.equal(await victim.service.tryUpgrade('operator', ticket, { origin }), 403);
    return '403';
  });
}

// logs and metrics
cases.add(
  0,
  'label injection by the address of a socket',
  'metrics have no line of ours',
  async () => {
    await victim.raw(
      `GET /x%22%7D%20666%0Aevil_total%201 HTTP/1.1\r\n${HOST}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    );
    const { text } = await victim.call('GET', '/metrics', { key: KEYS.viewer });
    assert.ok(!text.includes('evil_total'));
    return 'none';
  },
);
cases.add(
  0,
  'lines injected into the audit log by a reason',
  'one entry, its text escaped or refused',
  async () => {
    const before = victim.service.audit.length;
    const { status } = await victim.call('POST', '/api/session/clear', {
      key: KEYS.operator,
      body: { reason: 'a"}\r\n{"n":1,"actor":"root"' },
    });
    const entries = victim.service.audit.slice(before).filter(({ action }) => action === 'clear');
    assert.ok(entries.length <= 1 && !entries.some(({ actor }) => actor === 'root'));
    return String(status);
  },
);

/** The attacks of this file. */
export const HTTP_DOMAINS: readonly AttackDomain[] = [
  { name: 'http', cases: cases.list, start: () => victim.start(), stop: () => victim.stop() },
];
