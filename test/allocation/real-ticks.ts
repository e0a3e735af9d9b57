/** Ticks on the real clock that allocate nothing, measured in a process of its own (tick-process.ts). */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Result {
  windows: number;
  quietTicks: number;
  bytesPerTick: number;
  collections: number;
  linkUp: number;
  contacts: number;
  pairs: number;
  /** States that were taken over from the other worker of a pair. */
  loads: number;
  /** Bytes a tick of each window. */
  each: string;
}

/**
 * V8 optimises what ran for so many bytes of its code: at its own 132 kB it gets to the rare paths of a pair only after minutes. It
 * compiles in the thread that runs: beside it, what is compiled when the machine has time for it differs from run to run.
 */
export const COMPILER: readonly string[] = [
  '--interrupt-budget=10000',
  '--no-concurrent-recompilation',
];
export const SPACE: readonly string[] = ['--min-semi-space-size=64', '--max-semi-space-size=64'];
/** When V8 compiles what differs from process to process: one that is not at rest after a minute never is, and another one follows. */
const PROCESSES = 3;

/** Fails where a tick allocates, the link is down or nothing touches. */
export function checkTicks(scenario: string, ticks: number, ...more: string[]): Result {
  let result = measure(scenario, more);
  for (let n = 1; n < PROCESSES && result.quietTicks < ticks; n++) result = measure(scenario, more);
  assert.equal(result.linkUp, 1, 'the link was synchronised');
  assert.equal(result.contacts, 1, 'the model was in contact');
  assert.equal(result.collections, 0);
  // below one byte a tick is the measurement itself (the two readings of the heap)
  assert.ok(result.bytesPerTick < 1, `${result.bytesPerTick} bytes per tick: ${result.each}`);
  assert.equal(result.quietTicks, ticks, `never as many in a row in ${result.windows} windows`);
  return result;
}

function measure(scenario: string, more: readonly string[]): Result {
  const entry = new URL(`./tick-process${extname(import.meta.url)}`, import.meta.url);
  const options = process.execArgv.filter((a) => !a.startsWith('--test'));
  const output = execFileSync(
    process.execPath,
    [
      ...['--expose-gc', ...COMPILER, ...SPACE, ...options],
      ...[fileURLToPath(entry), scenario, ...more],
    ],
    { encoding: 'utf8', timeout: 140_000 },
  );
  return JSON.parse(output.trim().split('\n').pop() ?? '') as Result;
}
