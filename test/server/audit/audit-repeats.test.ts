/** Repeats in the audit log: separate records at the speed of manual operation, counted beyond it, and none lost. */
import assert from 'node:assert/strict';
import { mock, test, type TestContext } from 'node:test';
import { GatheredAudit, WRITTEN_WHOLE } from '../../../server/audit/audit-repeats.ts';
import type { AuditEntry } from '../../../server/audit/audit-sink.ts';
import { Service } from '../../fixtures/service.ts';

const MINUTE_MS = 60_000;

function start(t: TestContext): { audit: GatheredAudit; written: AuditEntry[] } {
  mock.timers.enable({ apis: ['setInterval'] });
  t.after(() => mock.timers.reset());
  const written: AuditEntry[] = [];
  const audit = new GatheredAudit({ write: (one) => written.push(one) });
  t.after(() => audit.close());
  return { audit, written };
}

const hold: AuditEntry = { actor: 'http:viewer', action: 'hold', result: 'ok', detail: {} };

/** How many entries these records stand for. */
const told = (written: readonly AuditEntry[]): number =>
  written.reduce((sum, { detail }) => sum + Number(detail?.['more'] ?? 1), 0);

test('60: 20,000 HOLD and 20,000 STOP of a viewer in turns leave 62 records, and all are told', (t) => {
  const { audit, written } = start(t);
  const stop: AuditEntry = { ...hold, action: 'stop', detail: { cat: 1 } };
  for (let i = 0; i < 20_000; i++) {
    audit.write(hold);
    audit.write(stop);
  }
  mock.timers.tick(MINUTE_MS);
  assert.equal(written.length, 2 * (WRITTEN_WHOLE + 1));
  assert.equal(told(written), 40_000);
  assert.deepEqual(written.at(-1), {
    actor: 'http:viewer',
    action: 'stop',
    result: 'ok',
    detail: { more: 20_000 - WRITTEN_WHOLE },
  });
  t.diagnostic('acceptance 60: 40,000 HOLD and STOP of one key within a minute: 62 records');
});

test('a flood that goes on is one record a minute; after a quiet minute all is written whole again', (t) => {
  const { audit, written } = start(t);
  for (let minute = 0; minute < 10; minute++) {
    for (let i = 0; i < 1000; i++) audit.write(hold);
    mock.timers.tick(MINUTE_MS);
  }
  assert.equal(written.length, WRITTEN_WHOLE + 10);
  assert.equal(told(written), 10_000);
  mock.timers.tick(MINUTE_MS);
  audit.write(hold);
  assert.deepEqual(written.at(-1), hold);
});

test('roles, actions and results are counted apart, sockets of a role together, refusals of strangers not', (t) => {
  const { audit, written } = start(t);
  for (let i = 0; i < 100; i++) {
    audit.write(hold);
    audit.write({ ...hold, actor: `viewer#${i}` });
    audit.write({ ...hold, result: 'BERTH_REFUSED' });
    audit.write({ actor: 'http', action: 'refusals', result: 'counted', detail: { from: `${i}` } });
  }
  assert.equal(written.length, 3 * WRITTEN_WHOLE + 100);
  audit.write({ actor: 'http:operator', action: 'load', result: 'ok' });
  assert.equal(written.at(-1)?.action, 'load', 'nothing of it hides another one');
  audit.close();
  assert.deepEqual(written.at(-2), {
    actor: 'viewer',
    action: 'hold',
    result: 'ok',
    detail: { more: 100 - WRITTEN_WHOLE },
  });
});

test('a service gathers: 200 HOLD over HTTP are obeyed, 30 and a count are written', async () => {
  const service = await Service.start();
  try {
    for (let i = 0; i < 200; i++) {
      const { status } = await fetch(`${service.origin}/api/session/hold`, { method: 'POST' });
      assert.notEqual(status, 429);
    }
  } finally {
    await service.close();
  }
  const holds = service.audit.filter(({ action }) => action === 'hold');
  assert.equal(told(holds), 200);
  assert.ok(holds.length < 2 * (WRITTEN_WHOLE + 1), `${holds.length} records`);
});
