/** `berth serve` as a process, as a newcomer starts it: the robot that it brings along is on the link, and is known for its own. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { packageRoot } from '../../../config/paths.ts';

const MAIN = join(packageRoot(), 'dist', 'server', 'main.js');
const PATIENCE_MS = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'berth-serve-'));
after(() => rmSync(folder, { recursive: true }));

interface Session {
  readonly profile?: { readonly name: string; readonly period_s: number };
  readonly link: { readonly up: boolean; readonly robot_emulated: boolean };
}

/** Starts a service. @returns where its console is, and its end */
async function start(
  ...options: string[]
): Promise<{ url: string; end: (signal: NodeJS.Signals) => Promise<unknown> }> {
  const child = spawn(process.execPath, [MAIN, 'serve', ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
    cwd: folder, // it records
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let url = '';
  for await (const line of createInterface({ input: child.stdout })) {
    url = /console\s+(http:\S+)/.exec(line)?.[1] ?? '';
    if (url !== '') break;
  }
  assert.notEqual(url, '', 'the service says where it is');
  const end = (signal: NodeJS.Signals): Promise<unknown> => {
    child.kill(signal);
    return ended;
  };
  return { url, end };
}

test('54: the emulated robot of a service is on its link, and proves that it is the one', async () => {
  const file = join(folder, 'serve.yaml');
  writeFileSync(file, 'server: { port: 0 }\nrobot: { port: 0 }\nrecording: { mode: "off" }\n');
  const { url, end: stop } = await start(file, '--no-fly');
  try {
    const end = performance.now() + PATIENCE_MS;
    let link: Session['link'] = { up: false, robot_emulated: false };
    while (!link.up && performance.now() < end) {
      const answer = await fetch(new URL('/api/session', url));
      ({ link } = (await answer.json()) as Session);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    assert.equal(link.up, true, 'the robot is on the link');
    assert.equal(link.robot_emulated, true);
  } finally {
    await stop('SIGTERM');
  }
});

test('a service of profile try starts with its demo, and its session says so', async () => {
  const options = ['--profile', 'try', '--serial', 'pty', '--port', '0'];
  const { url, end } = await start(...options);
  try {
    const answer = await fetch(new URL('/api/session', url));
    const { profile } = (await answer.json()) as Session;
    assert.deepEqual(profile, { name: 'try', period_s: 0.004 });
  } finally {
    await end('SIGINT');
  }
});
