/** The loop allocates nothing per tick and collects no garbage. Measured in a process of its own. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { extname } from 'node:path';
import { test } from 'node:test';
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
const COMPILER = ['--interrupt-budget=10000', '--no-concurrent-recompilation'];
/** When V8 compiles what differs from process to process: one that is not at rest after a minute never is, and another one follows. */
const PROCESSES = 3;

function check(scenario: string, ticks: number, ...more: string[]): Result {
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
  const space = ['--min-semi-space-size=64', '--max-semi-space-size=64'];
  const flags = ['--expose-gc', ...COMPILER, ...space];
  const options = process.execArgv.filter((a) => !a.startsWith('--test'));
  const output = execFileSync(
    process.execPath,
    [...flags, ...options, fileURLToPath(entry), scenario, ...more],
    { encoding: 'utf8', timeout: 140_000 },
  );
  return JSON.parse(output.trim().split('\n').pop() ?? '') as Result;
}

test('60,000 ticks of virtual mode allocate 0 bytes each and collect no garbage', () => {
  check('half-sphere-on-plate', 60_000);
});

test('nor do 30,000 ticks of a box of cells pressed on its work-site', () => {
  const { pairs } = check('battery-box-insertion', 30_000);
  assert.ok(pairs >= 12, `${pairs} pairs of cells touched`);
});

test('nor do 30,000 ticks of one of two workers that share the loop, and what it takes over from the other', () => {
  const { loads } = check('half-sphere-on-plate', 30_000, 'pair');
  assert.ok(loads > 100, `${loads} states were taken over`);
});
