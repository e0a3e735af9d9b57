/** `berth conform` judges the emulated robot and the kits, over WebSocket and over a pseudo terminal (wall clock, real processes). */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { packageRoot } from '../../config/paths.ts';
import { CHECKS } from '../../hil/conform/checks.ts';
import { emulator, type Judged, judge } from '../fixtures/conform.ts';
import { CProgram, PYTHON_ROBOT } from '../fixtures/kits.ts';

const python = (address: string): string[] => [...PYTHON_ROBOT, address];
const program = new CProgram('clients/c/example.c');
after(() => program.remove());
const c = (address: string): string[] => [program.path, address];

function passes({ code, report }: Judged): void {
  const failed = report.checks.filter(({ passed }) => !passed);
  assert.deepEqual(failed, [], report.device);
  assert.equal(report.checks.length, CHECKS.length);
  assert.equal(code, 0);
}

/** Side by side: a robot and its judge take a fifth of a core. A check that must fail waits for one moment: fewer of these. */
const AT_ONCE = 4;
const BROKEN_AT_ONCE = 2;

describe('20: robots that keep every rule', { concurrency: AT_ONCE }, () => {
  const KEY = 'J7wT2pHq9sVbXz4k';
  for (const [name, robot] of [
    ['emulated robot', emulator],
    ['Python kit', python],
    ['C kit', c],
  ] as const) {
    test(`20: the ${name} passes over WebSocket`, async () => {
      passes(await judge(['--ws', '0'], robot));
    });
    test(`20: the ${name} passes over a pseudo terminal`, async () => {
      passes(await judge(['--pty'], robot));
    });
    test(`20: under a robot key the ${name} passes over WebSocket`, async () => {
      passes(await judge(['--ws', '0'], robot, KEY));
    });
  }
});

describe('20: a robot that breaks one rule fails its check, with exit code 1', {
  concurrency: BROKEN_AT_ONCE,
}, () => {
  const rules: Readonly<Record<string, string>> = {
    'no-role': 'hello',
    'no-hash': 'wrong layout hash',
    'no-session': 'handshake',
    'no-version': 'wrong version',
    'no-pace': 'cycle of STATE',
    'no-limits': 'limits above its own',
    'no-clock': 'clock',
    'no-crc': 'damaged frame',
    'no-order': 'order of set-points',
    'no-arm': 'without ARM',
    'no-repeat': 'ARM',
    'no-link-state': 'following',
    'no-start': 'first set-point elsewhere',
    'no-jump': 'jump',
    'no-ttl': 'time to live',
    'no-patience': 'lost set-points',
    'no-stop': 'STOP 1',
    'no-stop-0': 'STOP 0',
    'no-arm-in-hold': 'STOP 2',
    'no-clear': 'CLEAR',
    'no-silence': 'silence',
    'no-end': 'HELLO in a session',
  };
  const script = join(packageRoot(), 'test/clients/faulty_robot.py');
  test('20: each check has a robot that fails it', () => {
    assert.deepEqual(Object.values(rules).sort(), CHECKS.map(({ name }) => name).sort());
  });
  for (const [rule, name] of Object.entries(rules)) {
    test(`20: ${rule} fails "${name}"`, async () => {
      const faulty = (address: string): string[] => ['python3', '-B', script, rule, address];
      const { code, report } = await judge(['--ws', '0', '--only', name], faulty);
      assert.deepEqual(
        report.checks.map((one) => [one.name, one.passed]),
        [[name, false]],
      );
      assert.equal(code, 1);
    });
  }
});
