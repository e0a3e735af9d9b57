/** The whole service as a user starts it: demo flight to the plateau, then SIGTERM in motion (hil-anchors 9.4, 49). Wall clock. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { OperatorClient } from '../../server/client/node.ts';

const MAIN = fileURLToPath(
  new URL(`../../server/main${extname(import.meta.url)}`, import.meta.url),
);
const folder = mkdtempSync(join(tmpdir(), 'berth-fly-'));
after(() => rmSync(folder, { recursive: true }));

/** Promise for the end on SIGTERM, and what two of the machine's usual stalls may add, s. */
const STOP_S = 2.5;
/** Flights that are ended until one was not slowed down by the machine. */
const TRIES = 4;

/** Settings of a loop without clients, which a stalled machine does not stop. */
const settings = join(folder, 'settings.yaml');
writeFileSync(
  settings,
  `scenario: half-sphere-on-plate
mode: simulation
server: { port: 0, log_level: silent }
robot: { transport: none, emulate: false }
recording: { mode: off }
loop: { realtime_priority: 0, overrun_single_s: 60, overrun_consecutive: 1000000, overrun_bucket: 1000000 }
operator: { input_timeout_s: 0.5 }
`,
);

interface Result {
  code: number | null;
  stderr: string;
}

function berth(...args: string[]) {
  const child = spawn(process.execPath, [...process.execArgv, MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended: Promise<Result> = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    stderr,
  }));
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  const line = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (text: string): void => {
        if (pattern.test(text)) resolve(text);
      };
      lines.forEach(look);
      reader.on('line', look);
      void ended.then((result) => reject(new Error(`ended: ${result.stderr}`)));
    });
  return { child, ended, line };
}

test('the demo flight reaches its plateau, and SIGTERM in motion ends everything in 2 s', async (t) => {
  const took_s: number[] = [];
  for (let i = 0; i < TRIES; i++) {
    const service = berth('serve', settings, '--demo');
    service.line(/never/).catch(() => undefined);
    const plateau = await service.line(/^fly: plateau/);
    // 15000 N/(m/s) at 2 mm/s; the flight itself accepts 10 % while the force settles.
    const [, force] = /plateau, ([\d.]+) N/.exec(plateau)!;
    assert.ok(Math.abs(Number(force) - 30) < 3, plateau);
    const begin = performance.now();
    service.child.kill('SIGTERM');
    const { code } = await service.ended;
    took_s.push((performance.now() - begin) / 1000);
    assert.equal(code, 0);
    t.diagnostic(`ended ${took_s[i].toFixed(2)} s after SIGTERM`);
    if (took_s[i] < STOP_S) return;
  }
  assert.fail(`never within ${STOP_S} s: ${took_s.join(', ')} s`);
});

/** Down to the plate with a limit of force, stay, and up again: what a user writes. */
const script = (limit_N: number): string => `name: touch
title: Touch the plate
speed_mps: 10 mm/s
force_limit_N: ${limit_N}
steps:
  - name: down
    velocity_mps: [0, 0, -2 mm/s]
    until:
      - { push_N: { above: 20 }, held_s: 200 ms, report: touched }
  - name: stay
    goal: true
    velocity_mps: [0, 0, -2 mm/s]
    until:
      - { after_s: 1 s }
  - name: up
    frame: here
    position_m: [0, 0, 10 mm]
`;

test('a script of the user is flown by its rules, and a force above its limit ends it', async () => {
  const service = berth('serve', settings, '--no-fly');
  service.line(/never/).catch(() => undefined);
  const file = join(folder, 'touch.yaml');
  try {
    const [, url] = /console +(http:\/\/\S+)\//.exec(await service.line(/console +http/))!;
    // 15000 N/(m/s) at 2 mm/s press with 30 N
    writeFileSync(file, script(100));
    const whole = berth('fly', '--url', url, '--script', file, '--hold', '0.5');
    const lines = await Promise.all([
      whole.line(/^fly: touched at .* mm: [\d.]+ N, \d+ cell pairs; stay$/),
      whole.line(/^fly: stay at .*; up$/),
      whole.line(/^fly: up at /),
      whole.line(/^fly: done$/),
    ]);
    const [, pressed_N] = / mm: ([\d.]+) N/.exec(lines[1])!;
    assert.ok(Math.abs(Number(pressed_N) - 30) < 3, lines[1]);
    assert.equal((await whole.ended).code, 0);
    const heights = lines.map((line) => Number(/, (-?[\d.]+)\] mm/.exec(line)?.[1]));
    assert.ok(Math.abs(heights[2] - heights[1] - 10) < 1.5, lines.join('; '));
    writeFileSync(file, script(10));
    const limited = await berth('fly', '--url', url, '--script', file).ended;
    assert.equal(limited.code, 1);
    assert.match(
      limited.stderr,
      /^berth fly: A force of \d+[.]\d N is above force_limit_N 10 N in step "down"[.]$/m,
    );
    const insertion = await berth('fly', '--url', url, '--script', 'insertion').ended;
    assert.equal(insertion.code, 2);
    assert.match(insertion.stderr, /script "insertion": .* half-sphere-on-plate has no insertion/);
  } finally {
    service.child.kill('SIGTERM');
    await service.ended;
  }
});

test('a port in use and unknown commands: one line, exit 2', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const busy = await berth('serve', settings, '--port', String(port)).ended;
  assert.equal(busy.code, 2);
  assert.match(busy.stderr, /^berth serve: server\.port: \d+ on 127\.0\.0\.1 is in use; [^\n]+\n$/);
  taken.close();
  const unknown = await berth('levitate').ended;
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /^berth: no command is named "levitate"; [^\n]+\n$/);
  const script = await berth('fly', '--script', 'landing').ended;
  assert.equal(script.code, 2);
  assert.match(script.stderr, /^berth fly: --script must be approach or insertion, got "landing"/);
  const nobody = await berth('fly', '--url', `http://127.0.0.1:${port}`).ended;
  assert.deepEqual([nobody.code, nobody.stderr.split('\n').length], [2, 2]);
});

test('the demo lets whoever asks for the arm have it, at rest, and ends', async () => {
  const service = berth('serve', settings, '--demo');
  try {
    const [, url = ''] = /console +(http:\S+\d)\//.exec(await service.line(/console +http/))!;
    await service.line(/^fly: plateau/);
    const client = await OperatorClient.connect({ url, name: 'visitor' });
    assert.equal((await client.request('authority.request')).code, 'asked');
    const mine = (): boolean => client.authority.holder === client.welcome.session;
    assert.ok(await client.waitFor(mine, 10), `held by ${client.authority.holder}`);
    assert.match(await service.line(/asked for the arm/), /^fly: session \d+ asked .* and has it/);
    assert.ok(await client.waitFor(({ state }) => !state.startsWith('ACTIVE'), 10));
    client.close();
  } finally {
    service.child.kill('SIGTERM');
    await service.ended;
  }
});
