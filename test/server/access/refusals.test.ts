/** Refusals of strangers in the audit log: each address once at once, then counted once a minute, however many come. */
import assert from 'node:assert/strict';
import { mock, test, type TestContext } from 'node:test';
import type { AuditEntry } from '../../../server/audit/audit-sink.ts';
import { ADDRESSES_APART, Refusals } from '../../../server/access/refusals.ts';
import { Service } from '../../fixtures/service.ts';

const MINUTE_MS = 60_000;
const entry = (result: string): AuditEntry => ({ actor: 'http', action: 'upgrade', result });

function start(t: TestContext): { refusals: Refusals; written: AuditEntry[] } {
  mock.timers.enable({ apis: ['setInterval'] });
  t.after(() => mock.timers.reset());
  const written: AuditEntry[] = [];
  const refusals = new Refusals({ write: (one) => written.push(one) });
  return { refusals, written };
}

test('the first of an address at once, the others counted by the minute, and all of them told', (t) => {
  const { refusals, written } = start(t);
  for (let i = 0; i < 1000; i++) refusals.refused('10.0.0.1', entry(i < 400 ? 'ticket' : 'origin'));
  refusals.refused('10.0.0.2', entry('path'));
  assert.deepEqual(
    written.map(({ result, detail }) => [result, detail?.['from']]),
    [
      ['ticket', '10.0.0.1'],
      ['path', '10.0.0.2'],
    ],
  );
  mock.timers.tick(MINUTE_MS);
  const more = { 'upgrade ticket': 399, 'upgrade origin': 600 };
  const counted = { actor: 'http', action: 'refusals', result: 'counted' };
  assert.deepEqual(written.slice(2), [{ ...counted, detail: { from: '10.0.0.1', more } }]);
  refusals.refused('10.0.0.2', entry('path'));
  assert.equal(written.length, 4, 'after a quiet minute it is told at once again');
  refusals.refused('10.0.0.1', entry('path'));
  assert.equal(written.length, 4, 'one that goes on is counted');
  refusals.close();
  assert.deepEqual(written.at(-1)?.detail, { from: '10.0.0.1', more: { 'upgrade path': 1 } });
});

test('addresses without number are one, so a minute has so many records and no more', (t) => {
  const { refusals, written } = start(t);
  for (let minute = 0; minute < 3; minute++) {
    for (let i = 0; i < 5000; i++) refusals.refused(`2001:db8::${i % 2500}`, entry('ticket'));
    mock.timers.tick(MINUTE_MS);
  }
  assert.ok(written.length <= 4 * (ADDRESSES_APART + 1), String(written.length));
  const others = written.filter(({ detail }) => detail?.['from'] === 'others');
  assert.ok(others.length >= 3);
  const told = written.map(({ action, detail }) => {
    const more = detail?.['more'] as Record<string, number> | undefined;
    return action === 'refusals' ? more!['upgrade ticket'] : 1;
  });
  assert.equal(
    told.reduce((sum, count) => sum + count, 0),
    15_000,
  );
  refusals.close();
});

test('refused sockets and tickets of one peer are one record, and what was granted is all there', async () => {
  const service = await Service.start((settings) => {
    settings.server.keys = { viewer: 'viewer-key-0001' };
  });
  for (let i = 0; i < 4; i++) {
    assert.equal(await service.tryUpgrade('operator', 'no-such-ticket'), 401);
    assert.equal(await service.ticket('viewer', 'wrong-key-0000'), undefined);
  }
  for (let i = 0; i < 3; i++) await service.ticket('viewer', 'viewer-key-0001');
  const told = (): unknown[] => service.audit.map(({ action, result }) => [action, result]);
  const granted = Array<unknown>(3).fill(['ticket', 'ok']);
  assert.deepEqual(told(), [['upgrade', 'ticket'], ...granted]);
  const { detail } = service.audit[0];
  assert.deepEqual(detail, { path: '/operator', origin: service.origin, from: '127.0.0.1' });
  await service.close();
  assert.deepEqual(told(), [['upgrade', 'ticket'], ...granted, ['refusals', 'counted']]);
  const { more } = service.audit[4].detail as { more: unknown };
  assert.deepEqual(more, { 'ticket BERTH_AUTH': 4, 'upgrade ticket': 3 });
});
