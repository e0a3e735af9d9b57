/** Entries during the stop of the service are in the audit log: it closes after all writers. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { verifyChain } from '../../../server/audit/audit-chain.ts';
import { Service } from '../../fixtures/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-audit-shutdown-'));
after(() => rmSync(folder, { recursive: true }));

for (const [how, answers] of [
  ['answers the close', true],
  ['does not answer any more', false],
] as const) {
  test(`the end of authority at a shutdown is written down, of a holder that ${how}`, async () => {
    const file = join(folder, `${answers}.ndjson`);
    const service = await Service.start(
      (settings) => {
        Object.assign(settings.audit, { enabled: true, file });
      },
      { keepsAudit: false },
    );
    const holder = await service.operator();
    assert.equal((await holder.request('authority.request'))['code'], 'ok');
    if (!answers) holder.socket.pause();
    await service.close();
    const { fault, headFault } = await verifyChain(file);
    assert.deepEqual([fault, headFault], [null, null]);
    const ends = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { action: string; result: string; detail: unknown })
      .filter(({ action }) => action === 'authority')
      .map(({ result, detail }) => [result, detail]);
    assert.deepEqual(ends, [
      ['requested', { who: `operator#${holder.session}` }],
      ['disconnected', { who: null }],
    ]);
    holder.socket.terminate();
  });
}
