/** What `berth serve` makes of its options: whether a robot is waited for, which arm the emulated one has, and where notes go. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { BerthError } from '../../../src/base/errors.ts';
import { readOptions } from '../../../server/cli/serve.ts';
import { emulatedArm } from '../../../server/cli/emulated-arm.ts';
import { BerthProcess } from '../../fixtures/flight.ts';

const folder = mkdtempSync(join(tmpdir(), 'berth-serve-options-'));
after(() => rmSync(folder, { recursive: true }));

function file(text: string): string {
  const path = join(folder, 'settings.yaml');
  writeFileSync(path, text);
  chmodSync(path, 0o600);
  return path;
}
const transport = (...argv: string[]): string => readOptions(argv).settings.robot.transport;

test('mode simulation without the emulated robot waits for none, unless one is asked for', () => {
  const none = ['--mode', 'simulation', '--no-emulate'];
  assert.equal(transport(...none), 'none');
  assert.equal(transport(...none, '--robot'), 'websocket');
  assert.equal(transport(...none, '--serial', '/dev/ttyS0'), 'serial');
  assert.equal(transport('--mode', 'virtual', '--no-emulate'), 'websocket');
  assert.equal(transport('--mode', 'simulation'), 'websocket', 'the emulated one is on its way');
  const simulates = file('mode: simulation\nrobot: { emulate: false }\n');
  assert.equal(transport(simulates), 'none');
  assert.equal(transport(simulates, '--robot'), 'websocket');
  const names = file('mode: simulation\nrobot: { emulate: false, transport: websocket }\n');
  assert.equal(transport(names), 'websocket');
});

test('--robot beside transport none is refused', () => {
  const path = file('robot: { transport: none }\n');
  assert.throws(
    () => readOptions([path, '--robot']),
    (error: unknown) => error instanceof BerthError && error.field === 'robot.transport',
  );
});

test('the arm of the emulated robot is a setting, checked before anything starts', () => {
  assert.equal(emulatedArm('none'), null);
  assert.equal(emulatedArm('smt-class')?.name, 'smt-class');
  const bad = file('robot: { emulated_arm: dextre-class }\n');
  assert.throws(
    () => readOptions([bad]),
    /robot\.emulated_arm: The ground robot is emulated with rigid links and rigid revolute joints/,
  );
  const good = file('robot: { emulated_arm: none }\n');
  assert.equal(readOptions([good]).settings.robot.emulated_arm, 'none');
});

test('notes of a service are records of its log', { timeout: 120_000 }, async () => {
  const path = file(
    'scenario: half-sphere-on-plate\nmode: simulation\n' +
      'server: { port: 0, log_level: warn, keys: { viewer: "look-at-this-7731" } }\n' +
      'robot: { transport: none }\nrecording: { mode: off }\naudit: { enabled: false }\n',
  );
  chmodSync(path, 0o644);
  const berth = new BerthProcess('serve', path, '--no-fly');
  try {
    await berth.match(/console +http/);
  } finally {
    await berth.end();
  }
  const lines = berth.stderr.split('\n').filter((line) => line !== '');
  assert.ok(lines.length > 0, 'a file with keys that all can read is told');
  for (const line of lines) assert.equal((JSON.parse(line) as { level: number }).level, 40, line);
  assert.ok(
    lines.some((line) => line.includes('settings.yaml')),
    berth.stderr,
  );
});
