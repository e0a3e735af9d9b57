/** Where the audit log of a service is: on by default, beside the recordings, and never in the way of a start unless it was named. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadSettings } from '../../../config/load-settings.ts';
import type { Settings } from '../../../config/settings.ts';
import { verifyChain } from '../../../server/audit/audit-chain.ts';
import { NO_AUDIT, openAuditOf } from '../../../server/audit/audit-place.ts';
import { Service } from '../../fixtures/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-audit-place-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function settingsOf(change: (settings: Settings) => void): Settings {
  const settings = structuredClone(loadSettings());
  change(settings);
  return settings;
}

const entry = { actor: 'server', action: 'tested', result: 'ok' };

test('60: a service that is told nothing keeps an audit log beside its recordings, and says so to its clients', async () => {
  const own = join(folder, 'default');
  const { audit } = loadSettings();
  assert.deepEqual(audit, { enabled: true, file: '', rotate_bytes: 1_000_000, files: 5 });
  const services = await Promise.all(
    [0, 1].map(() =>
      Service.start(
        (settings) => {
          settings.audit = { ...audit };
          settings.recording.folder = own;
        },
        { keepsAudit: false },
      ),
    ),
  );
  // two services in one folder: each has its own
  for (const service of services) {
    const peer = await service.operator();
    const welcome = peer.received.find(({ type }) => type === 'welcome');
    assert.equal(welcome?.['audit_log'], true);
    assert.equal((await peer.request('authority.request'))['code'], 'ok');
    peer.socket.close();
    await peer.closed;
    await service.close();
  }
  for (const name of ['audit.ndjson', 'audit-2.ndjson']) {
    const file = join(own, name);
    const { fault, headFault } = await verifyChain(file);
    assert.deepEqual([fault, headFault], [null, null]);
    assert.match(readFileSync(file, 'utf8'), /"action":"authority","result":"requested"/);
  }
});

test('60: a default log that another holds, or that was touched, is left alone: the next number is taken', async () => {
  const own = join(folder, 'numbers');
  const settings = settingsOf((s) => (s.recording.folder = own));
  const notes: string[] = [];
  const onNote = (note: string): void => void notes.push(note);
  const first = await openAuditOf(settings, { onNote });
  assert.deepEqual(notes, []);
  const second = await openAuditOf(settings, { onNote });
  assert.match(notes[0], /is written by another service.*the audit log is .*audit-2\.ndjson$/);
  second.write(entry);
  await second.close();
  await first.close();
  // a free one is gone on with
  const again = await openAuditOf(settings, { onNote });
  again.write(entry);
  await again.close();
  assert.deepEqual(notes.length, 1);
  const file = join(own, 'audit.ndjson');
  const touched = readFileSync(file, 'utf8').replace('tested', 'tasted');
  writeFileSync(file, touched);
  const beside = await openAuditOf(settings, { onNote });
  assert.match(notes[1], /is broken.*the audit log is .*audit-2\.ndjson$/);
  await beside.close();
  assert.equal(readFileSync(file, 'utf8'), touched, 'kept for inspection');
});

test('60: where the default log cannot be written it is said once, and the service runs without', async () => {
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  const settings = settingsOf((s) => (s.recording.folder = join(file, 'recordings')));
  const notes: string[] = [];
  const log = await openAuditOf(settings, { onNote: (note) => notes.push(note) });
  assert.equal(log, NO_AUDIT);
  assert.equal(notes.length, 1, notes.join('\n'));
  assert.match(notes[0], /audit\.ndjson cannot be opened: .*; no audit log is kept$/);
  const service = await Service.start(
    (s) => {
      s.audit.enabled = true;
      s.recording.folder = settings.recording.folder;
    },
    { keepsAudit: false },
  );
  const peer = await service.operator();
  assert.equal(peer.received.find(({ type }) => type === 'welcome')?.['audit_log'], false);
  peer.socket.close();
  await peer.closed;
  await service.close();
});

test('60: a log that is named and cannot be used is refused, whatever is the reason', async () => {
  const file = join(folder, 'named.ndjson');
  const named = settingsOf((s) => (s.audit.file = file));
  const first = await openAuditOf(named, {});
  await assert.rejects(openAuditOf(named, {}), {
    code: 'BERTH_MISMATCH',
    message: /is written by another service; name another file$/,
  });
  assert.ok(!existsSync(join(folder, 'named-2.ndjson')));
  await first.close();
  const nowhere = join(file, 'audit.ndjson');
  await assert.rejects(
    openAuditOf(
      settingsOf((s) => (s.audit.file = nowhere)),
      {},
    ),
    {
      code: 'BERTH_MISSING_FILE',
      field: 'audit.file',
    },
  );
});

test('who wants none has none', async () => {
  const own = join(folder, 'none');
  const settings = settingsOf((s) => {
    s.recording.folder = own;
    s.audit.enabled = false;
  });
  const log = await openAuditOf(settings, {});
  log.write(entry);
  await log.close();
  assert.ok(!existsSync(own));
});
