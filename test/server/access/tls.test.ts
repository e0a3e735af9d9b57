/**
 * TLS of the web face and of the robot link: everything that works without works over it, an arm flies on while the certificate
 * is exchanged, and what cannot be used is refused with setting, file and reason. Certificates are made here.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { connect, type ConnectionOptions } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { WebSocket } from 'ws';
import type { Settings } from '../../../config/settings.ts';
import type { TlsSettings } from '../../../config/tls-schema.ts';
import type { Runtime } from '../../../hil/threads/runtime-types.ts';
import { readTls } from '../../../hil/access/tls.ts';
import { checkAddresses } from '../../../server/access/addresses.ts';
import { buildApp } from '../../../server/app.ts';
import type { AuditEntry } from '../../../server/audit/audit-sink.ts';
import { OperatorClient, type Status, TelemetryClient } from '../../../server/client/node.ts';
import { listeningPort } from '../../../server/access/upgrade.ts';
import {
  makeCertificate,
  type Certificate,
  type CertificateRequest,
} from '../../fixtures/certificate.ts';
import { startUntimed, testSettings } from '../../fixtures/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-tls-'));
after(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

interface Written {
  readonly made: Certificate;
  readonly settings: TlsSettings;
}

/** A certificate in files, and settings that name them. */
function written(name: string, request?: Partial<CertificateRequest>): Written {
  const made = makeCertificate({ name, ...request });
  return {
    made,
    settings: {
      certificate: write(`${name}.crt`, made.certificate),
      key: write(`${name}.key`, made.key),
      client_ca: '',
      client_certificates: 'none',
      minimum_version: '1.2',
    },
  };
}

class SecureService {
  readonly app: FastifyInstance;
  readonly runtime: Runtime;
  readonly audit: AuditEntry[] = [];

  private constructor(app: FastifyInstance, runtime: Runtime, audit: AuditEntry[]) {
    this.app = app;
    this.runtime = runtime;
    this.audit = audit;
  }

  static async start(change: (settings: Settings) => void): Promise<SecureService> {
    const settings = testSettings(change);
    const runtime = await startUntimed(settings);
    const audit: AuditEntry[] = [];
    const sink = { write: (one: AuditEntry) => void audit.push(one) };
    const app = await buildApp({ settings, runtime, audit: sink });
    await app.listen({ host: settings.server.host, port: 0 });
    return new SecureService(app, runtime, audit);
  }

  get port(): number {
    return listeningPort(this.app);
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.runtime.close();
  }
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

function get(url: string, tls: ConnectionOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, ...tls }, (response) => {
      const { statusCode: status = 0, headers } = response;
      text(response).then((body) => resolve({ status, headers, body }), reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** SHA-256 of the certificate for new connections. */
function shown(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

const tick = (s: Status | null): number => s?.tick ?? 0;

/** Arm, the deadman pressed. */
async function fly(pilot: OperatorClient): Promise<void> {
  pilot.startInputs();
  await pilot.request('authority.request');
  assert.ok(await pilot.waitFor((s) => s.state === 'MONITOR_READY', 30));
  await pilot.waitFor((s) => s.operator?.deadman === false, 3);
  pilot.hand.deadman = true;
  await pilot.waitFor((s) => s.operator?.deadman === true, 3);
  assert.equal((await pilot.request('arm')).message, '');
  assert.ok(await pilot.waitFor((s) => s.state.startsWith('ACTIVE'), 10), pilot.status?.state);
}

test('61: page, REST, metrics, tickets and every socket work over TLS, and a browser is told to come back by it', async () => {
  const { made, settings } = written('face');
  const service = await SecureService.start((s) => (s.server.tls = settings));
  const { url } = service;
  const trust = { ca: made.certificate };
  try {
    for (const path of ['/health', '/ready', '/metrics', '/openapi.json', '/api/session']) {
      const { status, headers } = await get(url + path, trust);
      assert.equal(status, 200, path);
      assert.match(String(headers['strict-transport-security']), /^max-age=\d{8}$/);
    }
    const operator = await OperatorClient.connect({ url, tls: trust, name: 'test' });
    assert.equal((await operator.request('authority.request')).code, 'ok');
    const telemetry = await TelemetryClient.connect({ url, tls: trust, name: 'test' });
    const told = new Promise((resolve) => telemetry.on('telemetry', resolve));
    assert.equal((await telemetry.subscribe(['state'], 20)).ok, true);
    await told;
    const live = new WebSocket(`${url.replace('https', 'wss')}/foxglove`, 'foxglove.sdk.v1', trust);
    const info = await new Promise<string>((resolve, reject) => {
      live.on('message', (data) => resolve((data as Buffer).toString()));
      live.on('error', reject);
    });
    assert.match(info, /serverInfo/);
    live.terminate();
    assert.equal((await operator.stop()).ok, true);
    telemetry.close();
    operator.close();

    // a client without the certificate does not connect and gets the reason; a client without TLS
    // gets no answer
    await assert.rejects(OperatorClient.connect({ url, name: 'test' }), {
      message: /not trusted.*self-signed certificate/,
    });
    const stranger = makeCertificate({ name: 'stranger' });
    const wrong = { url, name: 'test', tls: { ca: stranger.certificate } };
    await assert.rejects(OperatorClient.connect(wrong), { message: /is not trusted/ });
    await assert.rejects(fetch(`http://127.0.0.1:${service.port}/health`));
    // a page that came by http is no page of ours
    const options = { ...trust, origin: `http://127.0.0.1:${service.port}` };
    const page = new WebSocket(
      `${url.replace('https', 'wss')}/foxglove`,
      'foxglove.sdk.v1',
      options,
    );
    const refused = await new Promise((resolve) => {
      page.on('unexpected-response', (sent, { statusCode }) => {
        sent.destroy();
        resolve(statusCode);
      });
      page.on('error', () => undefined);
    });
    assert.equal(refused, 403);
  } finally {
    await service.close();
  }
});

test('61: oldest version and client certificates are kept: none, optional and required', async () => {
  const root = makeCertificate({ name: 'client root', isRoot: true, hosts: [] });
  const client = makeCertificate({ name: 'console 1', signedBy: root });
  const forged = makeCertificate({ name: 'console 1' });
  const { made, settings } = written('strict');
  const clientRoot = write('root.crt', root.certificate);
  for (const [client_certificates, unshown] of [
    ['optional', true],
    ['required', false],
  ] as const) {
    const service = await SecureService.start((s) => {
      s.server.tls = {
        ...settings,
        client_ca: clientRoot,
        client_certificates,
        minimum_version: '1.3',
      };
    });
    const address = `${service.url}/health`;
    const trust = { ca: made.certificate };
    const ask = (more: ConnectionOptions): Promise<boolean> =>
      get(address, { ...trust, ...more }).then(
        ({ status }) => status === 200,
        () => false,
      );
    try {
      assert.equal(await ask({ cert: client.certificate, key: client.key }), true);
      assert.equal(await ask({ cert: forged.certificate, key: forged.key }), false, 'forged');
      assert.equal(await ask({}), unshown, client_certificates);
      const shown = { cert: client.certificate, key: client.key };
      assert.equal(await ask({ ...shown, maxVersion: 'TLSv1.2' }), false, 'TLS 1.2');
      const { certificate, key } = client;
      const tls = { ca: made.certificate, certificate, key };
      const operator = await OperatorClient.connect({ url: service.url, tls, name: 'test' });
      operator.close();
      const ticket = service.audit.find(({ action }) => action === 'ticket');
      assert.equal(ticket?.detail?.['certificate'], 'console 1');
    } finally {
      await service.close();
    }
  }
});

test('61: the certificate is exchanged in flight: the operator flies on, newcomers get the new one', async (t) => {
  const { made, settings } = written('face-old');
  const service = await SecureService.start((s) => (s.server.tls = settings));
  const { url, port, app, audit } = service;
  const trust = { ca: made.certificate };
  try {
    const pilot = await OperatorClient.connect({ url, tls: trust, name: 'pilot' });
    await fly(pilot);
    pilot.hand.axes[2] = 0.2; // up, away from contact
    const before = await shown(port);
    const fresh = makeCertificate({ name: 'new' });
    // the key first: in between the two do not match, and the old pair stays
    write('face-old.key', fresh.key);
    app.reload();
    assert.equal(await shown(port), before);
    write('face-old.crt', fresh.certificate);
    app.reload();
    const reloads = audit.filter(({ action }) => action === 'tls.reload');
    assert.deepEqual(
      reloads.map(({ result, detail }) => [result, detail?.['setting']]),
      [
        ['BERTH_MISMATCH', 'server.tls'],
        ['ok', 'server.tls'],
      ],
    );
    assert.notEqual(await shown(port), before);
    const then = tick(pilot.status);
    const later = await pilot.waitFor((s) => tick(s) > then + 500, 20);
    assert.ok(later !== null && !pilot.closed);
    assert.ok(later.state.startsWith('ACTIVE'), `${later.state} ${later.holds.join()}`);
    // the old certificate opens nothing more, the new one does
    await assert.rejects(OperatorClient.connect({ url, tls: trust, name: 'late' }), /not trusted/);
    const tls = { ca: fresh.certificate };
    (await OperatorClient.connect({ url, tls, name: 'new' })).close();
    const ticks = tick(later) - then;
    t.diagnostic(
      `acceptance 61: ${later.state} ${ticks} ticks after the exchange, newcomers have the new certificate`,
    );
    pilot.close();
  } finally {
    await service.close();
  }
});

test('61: files that change are taken up by themselves, and the end of validity is told', async () => {
  const { made, settings } = written('renewed');
  const service = await SecureService.start((s) => (s.server.tls = settings));
  const until = Date.now() + 30 * 8.64e7;
  const fresh = makeCertificate({ name: 'renewed', until_ms: until });
  const before = await shown(service.port);
  try {
    write('renewed.crt', fresh.certificate);
    write('renewed.key', fresh.key);
    let now = before;
    const end = performance.now() + 60_000;
    while (now === before && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      now = await shown(service.port);
    }
    assert.notEqual(now, before);
    const { body } = await get(`${service.url}/metrics`, { ca: fresh.certificate });
    const expiry =
      /^berth_tls_certificate_expiry_timestamp_seconds\{listener="server"\} (\S+)$/m.exec(body);
    assert.equal(Number(expiry?.[1]), Math.floor(until / 1000));
    await assert.rejects(get(`${service.url}/health`, { ca: made.certificate }));
  } finally {
    await service.close();
  }
});

test('61: what cannot be used is refused by setting, file and reason', () => {
  const { settings } = written('good');
  const other = written('other');
  const day_ms = 8.64e7;
  const past = written('past', { from_ms: Date.now() - 3 * day_ms, until_ms: Date.now() - day_ms });
  const future = written('future', {
    from_ms: Date.now() + day_ms,
    until_ms: Date.now() + 2 * day_ms,
  });
  const refuses = (change: Partial<TlsSettings>, field: string, sentence: RegExp): void =>
    assert.throws(
      () => readTls('server.tls', { ...settings, ...change }),
      { field: `server.tls.${field}`, message: sentence },
      field,
    );
  assert.ok(readTls('server.tls', settings));
  refuses(
    { certificate: join(folder, 'none.crt') },
    'certificate',
    /there is no file ".*none\.crt"/,
  );
  refuses(
    { key: join(folder, 'none.key') },
    'key',
    /^server\.tls\.key: there is no file ".*none\.key"/,
  );
  refuses({ key: folder }, 'key', /cannot be read \(EISDIR/);
  refuses({ key: '' }, 'key', /is empty; allowed with server\.tls\.certificate .*good\.crt/);
  refuses(
    { certificate: '' },
    'certificate',
    /is empty; allowed with server\.tls\.key .*good\.key/,
  );
  refuses(
    { key: other.settings.key },
    'key',
    /other\.key does not belong to the certificate in .*good\.crt/,
  );
  refuses({ key: settings.certificate }, 'key', /good\.crt holds no private key/);
  refuses({ certificate: settings.key }, 'certificate', /good\.key holds no certificate/);
  refuses(
    past.settings,
    'certificate',
    /past\.crt has expired: valid until \d{4}-\d\d-\d\d \d\d:\d\d UTC/,
  );
  refuses(future.settings, 'certificate', /future\.crt is not valid yet: from/);
  refuses(
    { client_certificates: 'required' },
    'client_ca',
    /is empty; allowed with client_certificates required/,
  );
  refuses(
    { client_ca: settings.certificate },
    'client_certificates',
    /is none; allowed with .*optional, required/,
  );
  const damaged = write(
    'damaged.crt',
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  );
  refuses({ certificate: damaged }, 'certificate', /damaged\.crt holds a damaged certificate/);
});

test('61: an address that others can reach is refused without TLS, with the setting, the value and both ways out', () => {
  const { settings } = written('reach');
  const reach = (change: (s: Settings) => void) => (): void =>
    checkAddresses(
      testSettings((s) => {
        s.server.host = '0.0.0.0';
        s.server.keys = { supervisor: 'kcFEf9uMF0aXvKsT' };
        s.robot.transport = 'websocket';
        s.robot.host = '192.0.2.1';
        s.robot.key = 'J7wT2pHq9sVbXz4k';
        change(s);
      }),
    );
  const server =
    /^server\.host: others can reach 0\.0\.0\.0, .* set server\.tls\.certificate and server\.tls\.key, or server\.insecure: true/;
  assert.throws(
    reach(() => undefined),
    { field: 'server.host', message: server },
  );
  const robot =
    /^robot\.host: others can reach 192\.0\.2\.1, .*robot\.tls\.certificate and robot\.tls\.key, or robot\.insecure: true/;
  assert.throws(
    reach((s) => (s.server.insecure = true)),
    { field: 'robot.host', message: robot },
  );
  assert.throws(
    reach((s) => (s.server.tls = settings)),
    { field: 'robot.host' },
  );
  assert.doesNotThrow(
    reach((s) => {
      s.server.tls = settings;
      s.robot.insecure = true;
    }),
  );
  assert.doesNotThrow(
    reach((s) => {
      s.server.insecure = true;
      s.robot.tls = settings;
    }),
  );
});
