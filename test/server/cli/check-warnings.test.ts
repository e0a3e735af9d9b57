/** Warnings of `berth check` about settings that weaken the protection of the service. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, mock, test } from 'node:test';
import { openAuditOf } from '../../../server/audit/audit-place.ts';
import { run as check } from '../../../server/cli/check.ts';
import { trustWarnings } from '../../../server/access/peers.ts';
import { testSettings } from '../../fixtures/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-check-'));
after(() => rmSync(folder, { recursive: true }));

/** @returns exit code, and standard error */
async function checked(text: string): Promise<[number, string]> {
  const file = join(folder, 'settings.yaml');
  writeFileSync(file, text, { mode: 0o600 });
  const told = mock.method(console, 'error', () => undefined);
  const said = mock.method(console, 'log', () => undefined);
  try {
    const code = await check([file]);
    return [code, told.mock.calls.map(({ arguments: [line] }) => String(line)).join('\n')];
  } finally {
    told.mock.restore();
    said.mock.restore();
  }
}

test('59: proxies that are everybody are warned of, one that is no address is refused', async () => {
  const warned = (...trust_proxy: string[]): number =>
    trustWarnings(testSettings((s) => (s.server.trust_proxy = trust_proxy))).length;
  assert.equal(warned('0.0.0.0/0', '0.0.0.0/1', '128.0.0.0/1', '::/0', '8000::/1'), 5);
  assert.equal(warned('127.0.0.1', '::1', '10.0.0.0/8', '172.16.0.0/12', 'fc00::/7'), 0);
  const [code, text] = await checked('server: { trust_proxy: [127.0.0.1, 0.0.0.0/0] }\n');
  assert.equal(code, 0);
  assert.match(text, /^warning: server\.trust_proxy: 0\.0\.0\.0\/0 believes everybody/);
  assert.deepEqual(await checked('server: { trust_proxy: [127.0.0.1] }\n'), [0, '']);
  const [refused, why] = await checked('server: { trust_proxy: [proxy] }\n');
  assert.equal(refused, 2);
  assert.match(why, /server\.trust_proxy: "proxy" is neither/);
});

test('60: an audit log that is no regular file is refused by check and by the service', async () => {
  for (const place of ['/dev/null', folder]) {
    const [code, text] = await checked(`audit: { file: ${place} }\n`);
    assert.equal(code, 2, place);
    assert.match(text, /audit\.file: \S+ is no regular file/);
    const settings = testSettings((s) => Object.assign(s.audit, { enabled: true, file: place }));
    await assert.rejects(openAuditOf(settings, {}), { code: 'BERTH_MISMATCH' });
  }
  const file = join(folder, 'audit.ndjson');
  assert.deepEqual(await checked(`audit: { file: ${file} }\n`), [0, '']);
});
