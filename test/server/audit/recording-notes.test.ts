/** Who did what and which alarms came stand in the log of the recording, between the events of the loop. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { auditWords } from '../../../server/audit/recording-notes.ts';
import { readTopics } from '../../fixtures/mcap-topics.ts';
import { recordingsIn } from '../../fixtures/recordings-in.ts';
import { Service } from '../../fixtures/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-notes-'));
after(() => rmSync(folder, { recursive: true }));

/** Lines of /berth/events of a file. */
async function eventLines(name: string): Promise<{ level: number; msg: string }[]> {
  const messages = (await readTopics(join(folder, name))).get('/berth/events') ?? [];
  return messages.map(({ message }) => ({
    level: message['level'] as number,
    msg: message['msg'] as string,
  }));
}

test('authority, commands, alarms and a loaded scenario are read back from the recordings', async () => {
  const service = await Service.start((settings) => {
    settings.recording.mode = 'continuous';
    settings.recording.folder = folder;
  });
  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(`${service.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  try {
    const peer = await service.operator();
    await peer.request('authority.request');
    await peer.request('arm');
    const alarms = peer.next((m) => m.type === 'alarms');
    await peer.request('stop', { cat: 1 });
    await alarms;
    await peer.request('alarm.ack');
    assert.equal((await post('/api/faults', { kind: 'late_wake_s', amount: 0.1 })).status, 403);
    await peer.request('clear', { reason: 'tried: ok' });
    await peer.status((s) => s['state'] === 'MONITOR_WAIT' || s['state'] === 'MONITOR_READY');
    const loaded = await post('/api/session/load', { scenario: 'ball-on-incline' });
    assert.equal(loaded.status, 200, await loaded.text());
  } finally {
    await service.close();
  }
  const [first, second] = await Promise.all(recordingsIn(folder).map(eventLines));
  const at = (pattern: RegExp, level: number): number => {
    const found = first.findIndex((line) => pattern.test(line.msg));
    assert.ok(found >= 0, `${pattern} is not in ${JSON.stringify(first)}`);
    assert.equal(first[found].level, level);
    return found;
  };
  const order = [
    at(/^authority to operator#1: requested$/, 20),
    at(/^operator#1: arm: \w+$/, 30),
    at(/^operator#1: stop, cat 1: ok$/, 20),
    at(/^operator#1: alarm[.]ack: ok$/, 20),
    at(/^http:\w+: fault[.]inject, kind late_wake_s, amount 0[.]1: BERTH_NOT_ALLOWED$/, 30),
    at(/^operator#1: clear, reason "tried: ok": ok$/, 20),
  ];
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  );
  at(/^tick \d+: fault or hold OPERATOR_STOP$/, 30);
  at(/^alarm \d+ raised, OPERATOR_STOP: Somebody pressed STOP[.]$/, 40);
  assert.ok(first.every(({ msg }) => !msg.includes('ticket')));
  assert.ok(
    second.some(({ msg }) =>
      /^http:\w+: load, scenario ball-on-incline, mode simulation: ok$/.test(msg),
    ),
    JSON.stringify(second),
  );
});

test('sentences of entries', () => {
  const entry = { actor: 'server', action: 'authority', result: 'lease_expired' };
  assert.equal(
    auditWords({ ...entry, detail: { who: null } }),
    'authority to nobody: lease_expired',
  );
  assert.equal(
    auditWords({
      actor: 'operator#2',
      action: 'fma.set',
      result: 'ok',
      detail: { axes: [true, false], force_gain_Ns_per_m: 500 },
    }),
    'operator#2: fma.set, axes [true,false], force_gain_Ns_per_m 500: ok',
  );
});
