/** One hook for the roles of all routes: what states no role is not registered, and each role passes where it may and nowhere else. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { AccessControl } from '../../../server/access/auth.ts';
import { actorOf, guardRoles, type RouteRole } from '../../../server/access/role-guard.ts';
import { handleError } from '../../../server/contract/errors.ts';
import { ROLES } from '../../../hil/contract/roles.ts';
import { SOCKET_PATHS } from '../../../server/contract/socket-paths.ts';
import { testSettings } from '../../fixtures/service.ts';

const KEYS = {
  viewer: 'viewer-key-0001',
  operator: 'operator-key-01',
  supervisor: 'supervisor-key1',
} as const;
const keys: readonly (keyof typeof KEYS | null)[] = [null, ...ROLES];

let app: FastifyInstance;
before(async () => {
  const access = new AccessControl(testSettings((settings) => (settings.server.keys = KEYS)));
  app = Fastify();
  app.setErrorHandler(handleError);
  app.get('/early', () => 'early');
  guardRoles(app, access);
  for (const role of ['anyone', ...ROLES] as const) {
    app.get(`/${role}`, { config: { role } }, actorOf);
  }
  await app.register((scope, _options, done) => {
    scope.get('/inner', { config: { role: 'operator' } }, actorOf);
    done();
  });
  await app.ready();
});
after(() => app.close());

async function call(
  path: string,
  key: keyof typeof KEYS | null,
  method: 'GET' | 'HEAD' = 'GET',
): Promise<{ status: number; text: string; code: unknown }> {
  const headers = key === null ? {} : { authorization: `Bearer ${KEYS[key]}` };
  const { statusCode, body } = await app.inject({ method, url: path, headers });
  const json = body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : {};
  return { status: statusCode, text: body, code: json['code'] };
}

test('a route that states no role cannot be registered', async () => {
  const fresh = Fastify();
  guardRoles(fresh, new AccessControl(testSettings()));
  const sentence = /^Error: GET \/forgotten states no role in its options: config: \{ role \}\.$/;
  assert.throws(() => fresh.get('/forgotten', () => ''), sentence);
  assert.throws(() => fresh.get('/forgotten', { config: {} }, () => ''), sentence);
  assert.throws(
    () => fresh.route({ method: 'DELETE', url: '/forgotten', handler: () => '' }),
    /DELETE \/forgotten/,
  );
  await fresh.register((scope, _options, done) => {
    assert.throws(() => scope.get('/forgotten', () => ''), sentence);
    done();
  });
  await fresh.close();
});

test('each role passes where it may and nowhere else', async () => {
  const places = (role: RouteRole | null): number =>
    role === null || role === 'anyone' ? -1 : ROLES.indexOf(role);
  for (const needed of ['anyone', ...ROLES] as const) {
    for (const key of keys) {
      for (const method of ['GET', 'HEAD'] as const) {
        const { status, text } = await call(`/${needed}`, key, method);
        const expected = places(key) >= places(needed) ? 200 : key === null ? 401 : 403;
        assert.equal(status, expected, `${method} /${needed} by ${key ?? 'nobody'}`);
        if (status !== 200 || method === 'HEAD') continue;
        assert.equal(text, needed === 'anyone' ? 'http:anyone' : `http:${String(key)}`);
      }
    }
  }
  assert.equal((await call('/inner', 'viewer')).code, 'BERTH_ROLE');
  assert.equal((await call('/inner', 'operator')).text, 'http:operator');
});

test('a route from before the guard is for the strongest only; what does not exist says so to anyone', async () => {
  assert.equal((await call('/early', 'operator')).status, 403);
  assert.equal((await call('/early', 'supervisor')).status, 200);
  assert.equal((await call('/nowhere', null)).status, 404);
});

test('every socket states its role', () => {
  const stated = Object.entries(SOCKET_PATHS).map(([path, { role }]) => [path, role]);
  assert.deepEqual(stated, [
    ['/operator', 'operator'],
    ['/telemetry', 'viewer'],
    ['/foxglove', 'viewer'],
  ]);
});
