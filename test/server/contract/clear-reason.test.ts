/** CLEAR of what is latched carries a reason on both ways in; it is in the audit log. A hold is cleared without. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { REASON_LENGTH, reasonFault } from '../../../server/contract/clear-reason.ts';
import { parseClientMessage } from '../../../server/contract/client-messages.ts';
import { type Peer, Service } from '../../fixtures/service.ts';

let service: Service;
let peer: Peer;
before(async () => {
  service = await Service.start();
  peer = await service.operator();
});
after(() => service.close());

async function post(body?: unknown): Promise<[status: number, code: unknown, field: unknown]> {
  const answer = await fetch(`${service.origin}/api/session/clear`, {
    method: 'POST',
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const { code, field } = (await answer.json()) as Record<string, unknown>;
  return [answer.status, code, field];
}

/** Stop, and wait until that is latched and at rest. */
async function stop(cat: 0 | 1): Promise<void> {
  const state = cat === 0 ? 'ESTOP' : 'FAULT';
  const stopped = peer.status((s) => s['state'] === state);
  assert.equal((await peer.request('stop', { cat }))['code'], 'ok');
  await stopped;
}
const cleared = (): Promise<unknown> =>
  peer.status((s) => String(s['state']).startsWith('MONITOR'));
const audited = (): unknown[] =>
  service.audit
    .filter(({ action }) => action === 'clear')
    .map(({ actor, result, detail }) => [actor.replace(/#\d+/, ''), result, detail]);

for (const [name, cat] of [
  ['FAULT', 1],
  ['ESTOP', 0],
] as const) {
  test(`socket: ${name} is left with a reason only`, async () => {
    await stop(cat);
    const refused = await peer.request('clear');
    assert.equal(refused['code'], 'reason_needed');
    assert.match(String(refused['message']), /"reason"/);
    assert.equal((await peer.status(() => true))['state'], name);
    assert.equal((await peer.request('clear', { reason: '  cause removed ' }))['code'], 'ok');
    await cleared();
    assert.deepEqual(audited().slice(-2), [
      ['operator', 'reason_needed', {}],
      ['operator', 'ok', { reason: 'cause removed' }],
    ]);
  });
}

test('HTTP: a latched fault is left with a reason only', async () => {
  await stop(1);
  for (const body of [undefined, {}]) {
    assert.deepEqual(await post(body), [409, 'BERTH_REASON_NEEDED', 'reason']);
  }
  for (const reason of ['', ' ', 'a\nb', 'x'.repeat(REASON_LENGTH + 1), 7]) {
    assert.deepEqual(await post({ reason }), [400, 'BERTH_BAD_REQUEST', 'reason'], String(reason));
  }
  assert.deepEqual(await post({ why: 'x' }), [400, 'BERTH_BAD_REQUEST', 'why']);
  assert.equal((await peer.status(() => true))['state'], 'FAULT');
  assert.equal((await post({ reason: ' cause removed' }))[0], 200);
  await cleared();
  assert.deepEqual(audited().at(-1), ['http:supervisor', 'ok', { reason: 'cause removed' }]);
});

test('where nothing is latched no reason is needed, and one that is given is written down', async () => {
  assert.equal((await peer.request('clear'))['code'], 'ok');
  assert.equal((await peer.request('clear', { reason: 'to be sure' }))['code'], 'ok');
  assert.equal((await post())[0], 200);
  assert.deepEqual(audited().slice(-3), [
    ['operator', 'ok', {}],
    ['operator', 'ok', { reason: 'to be sure' }],
    ['http:supervisor', 'ok', {}],
  ]);
});

test('a reason has 1 to 200 characters and no control characters', () => {
  const parse = (reason: unknown): unknown =>
    parseClientMessage({ v: 1, type: 'clear', id: 1, reason });
  for (const good of ['x', 'Ursache behoben – geprüft', ' around ', 'x'.repeat(REASON_LENGTH)]) {
    assert.deepEqual(parse(good), { v: 1, type: 'clear', id: 1, reason: good.trim() });
    assert.equal(reasonFault(good), null);
  }
  assert.equal(parse('\t'), 'clear.reason must not be blank.');
  assert.equal(parse('a\u0085b'), 'clear.reason must not have control characters.');
  for (const bad of ['', 'x'.repeat(REASON_LENGTH + 1), 1, null]) {
    assert.match(String(parse(bad)), /^clear[.]reason must .*[.]$/, String(bad));
  }
});
