/**
 * A serial line that disappears and comes back is reported and reopened, and the robot returns
 * without a restart of the service.
 */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Column, ROW_WIDTH } from '../../hil/contract/columns.ts';
import type { Runtime } from '../../hil/threads/runtime-types.ts';
import { SAFETY_STATES } from '../../hil/contract/codes.ts';
import { packageRoot } from '../../config/paths.ts';
import { startUntimed, testSettings } from '../fixtures/service.ts';

const compiled = import.meta.url.endsWith('.js');
const main = join(packageRoot(), compiled ? 'dist/server/main.js' : 'server/main.ts');
/** Longer than any stall, and than the half second between two looks for the port. */
const PATIENCE_MS = 60_000;
const TIMES = 4;

/** An emulated robot on a separate pseudo terminal. @returns null where there is none */
async function plugIn(): Promise<{ child: ChildProcess; address: string } | null> {
  const options = ['emulate', '--pty', '--child', '--priority', '0'];
  const child = spawn(process.execPath, [...process.execArgv, main, ...options]);
  let output = '';
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  child.stdout.on('data', (text: Buffer) => (output += text.toString()));
  const gone = once(child, 'exit');
  while (!output.includes('\n')) await Promise.race([once(child.stdout, 'data'), gone]);
  if (child.exitCode !== null) {
    if (errors.includes('koffi')) return null;
    throw new Error(errors);
  }
  return { child, address: (JSON.parse(output.split('\n')[0]) as { address: string }).address };
}

const row = new Float64Array(ROW_WIDTH);
const stateOf = (runtime: Runtime): string =>
  runtime.readNewest(row) ? SAFETY_STATES[row[Column.safety_state]] : '';

async function until(what: string, holds: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!holds()) {
    assert.ok(performance.now() < end, `never: ${what}`);
    await wait(20);
  }
}

test('13: a serial line that was pulled is opened again when it is back, and no descriptor is lost', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-serial-'));
  const path = join(folder, 'robot');
  let robot = await plugIn();
  if (robot === null) {
    t.skip('the optional package koffi is not installed');
    return;
  }
  symlinkSync(robot.address, path);
  const notes: string[] = [];
  const settings = testSettings(({ robot: line }) => {
    line.transport = 'serial';
    line.serial_path = path;
    line.baud = 4_000_000;
  });
  const runtime = await startUntimed(settings, { onNote: (note) => notes.push(note) });
  try {
    const there = (): boolean => ['MONITOR_WAIT', 'MONITOR_READY'].includes(stateOf(runtime));
    const told = (): string[] =>
      notes
        .filter((note) => note.includes(path))
        .map((note) => note.slice(note.indexOf(path) + path.length));
    await until('MONITOR', there);
    const descriptors = readdirSync('/proc/self/fd').length;
    for (let i = 0; i < TIMES; i++) {
      robot!.child.kill('SIGKILL');
      await once(robot!.child, 'exit');
      rmSync(path);
      await until('OFFLINE', () => stateOf(runtime) === 'OFFLINE');
      await until('told that it is gone', () => told().length === 2 * i + 1);
      if (i === 0) await wait(1200); // looked for in vain meanwhile
      robot = await plugIn();
      symlinkSync(robot!.address, path);
      await until('MONITOR again', there);
      await until('told that it is back', () => told().length === 2 * i + 2);
    }
    const pair = [' is gone; it is opened again when it is back', ' is open again'];
    assert.deepEqual(told(), Array.from({ length: TIMES }, () => pair).flat());
    const now = readdirSync('/proc/self/fd').length;
    assert.equal(now, descriptors);
    t.diagnostic(
      `acceptance 13: serial line: ${TIMES} recoveries, descriptors +${now - descriptors}`,
    );
  } finally {
    await runtime.close();
    robot?.child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
});
