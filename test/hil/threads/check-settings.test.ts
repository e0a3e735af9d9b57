/** Settings that do not go together are refused by `berth check` as by `berth serve`; a demo flies no robot but the emulated one. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, mock, test } from 'node:test';
import { startRuntime } from '../../../hil/threads/runtime.ts';
import { loadSettings } from '../../../config/load-settings.ts';
import { run as check } from '../../../server/cli/check.ts';
import { readOptions } from '../../../server/cli/serve.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-check-'));
after(() => rmSync(folder, { recursive: true }));

const SERIAL = 'robot: { transport: serial, serial_path: /dev/null, emulate: false';
const REFUSED: Readonly<Record<string, [settings: string, complaint: RegExp]>> = {
  baud: [
    `${SERIAL}, baud: 115200 }`,
    /^115200 baud is too low for 1000 Hz: load \d+ %, allowed 80 %/,
  ],
  redundant: [`${SERIAL} }\nloop: { redundant: true }`, /^loop\.redundant: true does not go with/],
  remedies: ['energy: { removal: true, compensation: lead }', /removal/],
  recording: ['recording: { required: true, mode: off }', /^recording\.required: true would never/],
  corners: [
    'limits: { workspace_box: { min_m: [0, 0, 1], max_m: [1, 1, 1] } }',
    /^limits\.workspace_box\.max_m: 1 of z is not above 1 of min_m$/,
  ],
  normal: [
    'limits: { keep_out: [{ kind: half-space, point_m: [0, 0, 0], normal: [0, 0, 0] }] }',
    /^limits\.keep_out\[0\]\.normal: \[0, 0, 0\] has no direction/,
  ],
  tool: ['scenario: double-pendulum\nmode: virtual', /^scenario: "double-pendulum" has no tool/],
};

for (const [name, [text, complaint]] of Object.entries(REFUSED)) {
  test(`settings that do not go together, ${name}: check and serve say the same`, async (t) => {
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, `${text}\n`);
    const said: string[] = [];
    t.mock.method(console, 'error', (line: string) => void said.push(line));
    assert.equal(await check([file]), 2);
    assert.match(said.join('\n'), complaint);
    mock.restoreAll();
    await assert.rejects(startRuntime(structuredClone(loadSettings(file))), (error: Error) => {
      assert.equal(error.message, said[0]);
      return true;
    });
  });
}

test('a folder is no file to check', async (t) => {
  const said: string[] = [];
  t.mock.method(console, 'error', (line: string) => void said.push(line));
  assert.equal(await check([folder]), 2);
  assert.match(said[0] ?? '', /^FILE: ".*" is a folder; allowed: a file$/);
});

test('a demo flight starts by itself for the emulated robot, and never for a real one', () => {
  assert.equal(readOptions([]).demo, true);
  assert.equal(readOptions(['--no-fly']).demo, false);
  assert.equal(readOptions(['--serial', 'pty']).demo, true);
  assert.equal(readOptions(['--no-emulate']).demo, false);
  assert.equal(readOptions(['--serial', '/dev/ttyUSB0']).demo, false);
  assert.throws(
    () => readOptions(['--no-emulate', '--demo']),
    /--demo flies the emulated robot only/,
  );
  const file = join(folder, 'own.yaml');
  writeFileSync(file, 'robot: { emulate: false }\n');
  assert.equal(readOptions([file]).demo, false);
  assert.throws(() => readOptions([file, '--demo']), /--demo flies the emulated robot only/);
});
