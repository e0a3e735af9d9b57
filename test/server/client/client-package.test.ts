/**
 * `berth/client` as an installed package: tsconfig.client.json builds it with the `exports` of
 * package.json, a plain ESM script imports it by name, and a compiler without Node's types reads
 * its declarations.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { buildClient, compile } from '../../fixtures/built-client.ts';
import { Service } from '../../fixtures/service.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'berth-client-'));

before(() => buildClient(folder));
after(() => rmSync(folder, { recursive: true }));

test('a plain script imports berth/client, stops the loop and watches it', async () => {
  const service = await Service.start();
  try {
    const script = join(folder, 'stop.mjs');
    writeFileSync(
      script,
      `import { OperatorClient, TelemetryClient } from 'berth/client';
const options = { url: process.argv[2], name: 'script' };
const client = await OperatorClient.connect(options);
const watcher = await TelemetryClient.connect(options);
const seen = new Promise((resolve) => watcher.on('telemetry', ({ state }) => {
  if (state.faults.length > 0) resolve(state.faults);
}));
await watcher.subscribe(['state'], 50);
const stop = await client.stop(1);
console.log(JSON.stringify({ session: client.welcome.session, stop: stop.code, faults: await seen }));
client.close();
watcher.close();
`,
    );
    const { stdout } = await run(process.execPath, [script, service.origin], { timeout: 120_000 });
    assert.deepEqual(JSON.parse(stdout), { session: 1, stop: 'ok', faults: ['OPERATOR_STOP'] });
  } finally {
    await service.close();
  }
});

// `npm run test:package` reads every line of the declarations, and those of typebox, which takes ten seconds in each mode
test('the declarations stand alone, for Node and for a browser', async () => {
  writeFileSync(
    join(folder, 'use.mts'),
    `import { OperatorClient, type Status } from 'berth/client';
const client = await OperatorClient.connect({ url: 'http://localhost:7410', name: 'use' });
client.on('status', (status: Status) => status.link?.rtt_s?.toFixed(3));
client.hand.axes[2] = -1;
export const answer: string = (await client.request('fma.set', { force_deadband_N: 5 })).code;
// @ts-expect-error there is no such request
await client.request('fly');
`,
  );
  for (const [module, moduleResolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    const compilerOptions = {
      ...{ module, moduleResolution, target: 'es2022', lib: ['es2023', 'dom'], types: [] },
      ...{ strict: true, noEmit: true, skipLibCheck: true },
    };
    const project = join(folder, `${moduleResolution}.json`);
    writeFileSync(project, JSON.stringify({ compilerOptions, files: ['use.mts'] }));
    await compile(folder, '-p', project);
  }
});
