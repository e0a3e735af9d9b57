/** Only what is for a name that is served is answered: a page whose name was made to lead here reads nothing. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Settings } from '../../../config/settings.ts';
import { ServedNames } from '../../../server/access/served-names.ts';
import { Service, testSettings } from '../../fixtures/service.ts';

const PATHS = ['/health', '/ready', '/metrics', '/api/session', '/api/scene', '/openapi.json', '/'];

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** `more` are headers of a socket's request or of a page. */
function ask(
  service: Service,
  method: string,
  path: string,
  host: string,
  more: Record<string, string> = {},
): Promise<Answer> {
  const options = { method, host: '127.0.0.1', port: service.port, path, agent: false as const };
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, headers: { host, ...more } }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
    sent.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve({ status: 101, body: '' });
    });
    sent.on('error', reject);
    sent.end();
  });
}

const upgrade = (subprotocol: string): Record<string, string> => ({
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  'sec-websocket-protocol': subprotocol,
});

test('69: a request for another Host is refused with every method, on every path and socket, in one sentence', async (t) => {
  const service = await Service.start((s) => (s.server.names = ['berth.example.org']));
  const { port } = service;
  try {
    let refused = 0;
    for (const host of [
      'attacker.example',
      `attacker.example:${port}`,
      'localhost.attacker.example',
      '192.0.2.7',
      '127.0.0.1@attacker.example',
    ]) {
      for (const path of PATHS) {
        for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
          const { status, body } = await ask(service, method, path, host);
          assert.equal(status, 421, `${method} ${path} for ${host}`);
          if (method !== 'HEAD')
            assert.match(
              body,
              /"message":"Host \S+ is not served here; see server\.names, [^"]+\."/,
            );
          refused++;
        }
      }
      const live = await ask(service, 'GET', '/foxglove', host, upgrade('foxglove.sdk.v1'));
      assert.deepEqual([live.status, /"code":"BERTH_HOST"/.test(live.body)], [421, true]);
      refused++;
    }
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      '[::1]',
      'LOCALHOST.',
      'berth.example.org',
      'Berth.example.org:8443',
    ]) {
      for (const path of ['/health', '/metrics', '/api/session', '/']) {
        assert.equal((await ask(service, 'GET', path, host)).status, 200, `${path} for ${host}`);
      }
      assert.equal(
        (await ask(service, 'GET', '/foxglove', host, upgrade('foxglove.sdk.v1'))).status,
        101,
        host,
      );
    }
    // a target that names a host of its own
    const target = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          `GET http://attacker.example/api/session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
        );
      });
      let read = '';
      socket.on('data', (chunk) => (read += chunk.toString()));
      socket.on('close', () => resolve(read));
    });
    assert.match(target, /^HTTP\/1\.1 421 /);
    t.diagnostic(`acceptance 69: ${refused + 1} requests for foreign hosts, none answered`);
  } finally {
    await service.close();
  }
});

test('69: pages under every name that is served are its own, also with host 0.0.0.0, behind a proxy and over TLS', () => {
  const allows = (change: (s: Settings) => void, origin: string, localAddress: string): boolean =>
    new ServedNames(testSettings(change)).allowsOrigin(origin, 7410, { localAddress });
  const everywhere = (s: Settings): void => void (s.server.host = '0.0.0.0');
  assert.ok(allows(everywhere, 'http://192.168.10.3:7410', '::ffff:192.168.10.3'));
  assert.ok(allows(everywhere, 'http://localhost:7410', '127.0.0.1'));
  assert.ok(allows(everywhere, 'http://[fd00::3]:7410', 'fd00::3'));
  assert.ok(!allows(everywhere, 'http://192.168.10.4:7410', '192.168.10.3'), 'another address');
  assert.ok(!allows(everywhere, 'http://192.168.10.3:3000', '192.168.10.3'), 'another port');
  assert.ok(
    !allows(everywhere, 'http://localhost:7410', '192.168.10.3'),
    'localhost of another machine',
  );
  assert.ok(!allows(everywhere, 'http://attacker.example:7410', '192.168.10.3'));
  const secure = (s: Settings): void => {
    everywhere(s);
    s.server.tls.certificate = 'berth.crt';
  };
  assert.ok(allows(secure, 'https://192.168.10.3:7410', '192.168.10.3'));
  assert.ok(
    !allows(secure, 'http://192.168.10.3:7410', '192.168.10.3'),
    'plain page of a secure service',
  );
  const proxied = (s: Settings): void =>
    void (s.server.names = ['berth.example.org', 'bench:8443']);
  for (const origin of [
    'https://berth.example.org',
    'http://berth.example.org',
    'https://bench:8443',
    'http://berth.example.org:7410',
  ]) {
    assert.ok(allows(proxied, origin, '127.0.0.1'), origin);
  }
  for (const origin of [
    'https://berth.example.org:9000',
    'https://bench',
    'https://example.org',
    'null',
    'https://berth.example.org.attacker.example',
  ]) {
    assert.ok(!allows(proxied, origin, '127.0.0.1'), origin);
  }
  const usual = new ServedNames(testSettings((s) => (s.server.host = 'bench')));
  assert.ok(usual.allowsOrigin('http://bench', 80, {}), 'the usual port is left out');
  assert.throws(() => new ServedNames(testSettings((s) => (s.server.names = ['http://bench/']))), {
    field: 'server.names',
    message: /"http:\/\/bench\/" is no name/,
  });
});
