/**
 * The loop allocates nothing per tick and collects no garbage: on the virtual clock, where no stall of the machine is between the ticks, and
 * on the real one for two workers that share the loop. One worker on the real clock: test/wall/heap-of-ticks.test.ts.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { extname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkTicks, COMPILER, SPACE } from './real-ticks.ts';

interface Result {
  quietTicks: number;
  collections: number;
  linkUp: number;
  contacts: number;
  pairs: number;
  /** Bytes a tick of each window. */
  each: string;
}

function check(scenario: string, windows: number, windowTicks: number): Result {
  const entry = new URL(`./virtual-tick-process${extname(import.meta.url)}`, import.meta.url);
  const output = execFileSync(
    process.execPath,
    [
      ...['--expose-gc', '--single-threaded', ...COMPILER, ...SPACE],
      ...process.execArgv.filter((a) => !a.startsWith('--test')),
      fileURLToPath(entry),
      ...[scenario, String(windows), String(windowTicks)],
    ],
    { encoding: 'utf8', timeout: 140_000 },
  );
  const result = JSON.parse(output.trim().split('\n').pop() ?? '') as Result;
  assert.equal(result.linkUp, 1, 'the link was synchronised');
  assert.equal(result.contacts, 1, 'the model was in contact');
  assert.equal(result.collections, 0);
  // below one byte a tick is the measurement itself (the two readings of the heap)
  assert.equal(result.quietTicks, windows * windowTicks, `bytes a tick: ${result.each}`);
  return result;
}

test('60,000 ticks of virtual mode allocate 0 bytes each and collect no garbage', () => {
  check('half-sphere-on-plate', 6, 10_000);
});

test('nor do 60,000 ticks of a box of cells pressed on its work-site', () => {
  const { pairs } = check('battery-box-insertion', 6, 10_000);
  assert.ok(pairs >= 12, `${pairs} pairs of cells touched`);
});

test('nor do 30,000 ticks of one of two workers that share the loop, and what it takes over from the other', () => {
  const { loads } = checkTicks('half-sphere-on-plate', 30_000, 'pair');
  assert.ok(loads > 100, `${loads} states were taken over`);
});
