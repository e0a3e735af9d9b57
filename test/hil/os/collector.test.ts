/** The collector of a thread that must not wait does not wait for helper threads, which a crowd keeps from the processor. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const PROCESS = fileURLToPath(
  new URL(`./scavenging-process${extname(import.meta.url)}`, import.meta.url),
);

function collect(how: 'alone' | 'shared'): { scavenges: number; turns: number } {
  const text = execFileSync(process.execPath, [...process.execArgv, PROCESS, how], {
    encoding: 'utf8',
  });
  return JSON.parse(text) as { scavenges: number; turns: number };
}

const skip = existsSync('/proc/self/schedstat') ? false : 'the kernel counts no turns of threads';

test('68: no scavenge of a service is shared out among helper threads', { skip }, (t) => {
  const shared = collect('shared');
  // by default helpers run in every one, or the test would not see them
  assert.ok(shared.scavenges > 10 && shared.turns > shared.scavenges, JSON.stringify(shared));
  const alone = collect('alone');
  assert.ok(alone.scavenges > 10 && alone.turns < alone.scavenges / 4, JSON.stringify(alone));
  t.diagnostic(
    `acceptance 68: helper threads ran ${alone.turns} times in ${alone.scavenges} scavenges, ${shared.turns} times in ${shared.scavenges} by default`,
  );
});
