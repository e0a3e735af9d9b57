/** The script of docs/client.md, as it is printed there, flown on scenarios of several kinds over real sockets. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { packageRoot } from '../../config/paths.ts';
import { buildClient } from '../fixtures/built-client.ts';
import { Service } from '../fixtures/service.ts';

const run = promisify(execFile);
const root = packageRoot();
const folder = mkdtempSync(join(tmpdir(), 'berth-example-'));
const script = join(folder, 'touch.mjs');
const FLIGHT_MS = 240_000;

before(async () => {
  const [, text] = /```js\n(.*?)```/s.exec(readFileSync(join(root, 'docs/client.md'), 'utf8'))!;
  writeFileSync(script, text);
  await buildClient(folder);
});
after(() => rmSync(folder, { recursive: true }));

/** What the script prints on a scenario: it touches within 20 s, moves freely, or what holds it is named. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  'battery-box-insertion': /^battery-box-insertion: ACTIVE_CONTACT +after (7[5-9]|8\d)[.]\d mm, /m,
  'half-sphere-on-plate': /^half-sphere-on-plate: ACTIVE_CONTACT +after 1[.]\d mm, \d+[.]\d N$/m,
  'latch-pawl': /^latch-pawl: ACTIVE_CONTACT +after /m,
};

for (const [scenario, printed] of Object.entries(PRINTED)) {
  test(`the script of docs/client.md on ${scenario}`, { timeout: FLIGHT_MS }, async () => {
    const service = await Service.start((settings) => (settings.scenario = scenario));
    try {
      const { stdout } = await run(process.execPath, [script, service.origin], {
        timeout: FLIGHT_MS,
      });
      assert.match(stdout, printed);
    } finally {
      await service.close();
    }
  });
}
