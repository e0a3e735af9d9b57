/**
 * What watching costs the loop (`npm run bench:watched`): the service with the emulated robot, in contact, alone; recording; and
 * recording with 20 viewers of every topic at 100 Hz while /metrics is scraped 100 times a second. The three take turns in one run,
 * so that the machine's own noise meets all of them. Lateness is printed, never gated; a tick that is not accounted for is a failure.
 * (hil-anchors 9.4, test 6)
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, release, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Column, ROW_WIDTH } from '../hil/contract/columns.ts';
import { quantileOf } from '../hil/doctor/lateness.ts';
import { TelemetryRing } from '../hil/memory/ring.ts';
import { Accounting } from '../test/fixtures/accounting.ts';
import { startRig } from '../test/fixtures/rig.ts';
import { formatTable } from '../test/fixtures/table.ts';
import type { Watched } from './watchers-process.ts';

const USAGE = `Usage: node dist/bench/watched-loop.js [--seconds N] [--rounds N]

  --seconds N   of each variant in each round (default 20)
  --rounds N    rounds (default 3)`;

const VIEWERS = 20;
const SETTLE_S = 3;
const READ_MS = 100;
const LATENESS = Column.lateness_s;
const SLIPPED = Column.slipped;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Variant {
  readonly name: string;
  readonly recording: boolean;
  readonly watched: boolean;
  readonly lateness: number[];
  slipped: number;
  unaccounted: string[];
  readonly seen: Watched[];
}

const variant = (name: string, recording: boolean, watched: boolean): Variant => {
  return { name, recording, watched, lateness: [], slipped: 0, unaccounted: [], seen: [] };
};

async function startWatchers(url: string): Promise<{ child: ChildProcess; last: () => string }> {
  const entry = fileURLToPath(
    new URL(`./watchers-process${extname(import.meta.url)}`, import.meta.url),
  );
  const child = spawn(process.execPath, [...process.execArgv, entry, url, String(VIEWERS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let last = '';
  const lines = createInterface({ input: child.stdout });
  const ready = new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      last = line;
      if (line === 'ready') resolve();
    });
    child.once('exit', (code) => reject(new Error(`the watchers ended with ${code}`)));
  });
  await ready;
  return { child, last: () => last };
}

async function measure(one: Variant, seconds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-watched-'));
  const rig = await startRig(
    'virtual',
    'ws',
    () => undefined,
    'half-sphere-on-plate',
    (s) => {
      if (!one.recording) return;
      s.recording.mode = 'continuous';
      s.recording.folder = folder;
    },
  );
  const account = new Accounting(rig.runtime, rig.settings);
  // from the first tick on: on a busy machine the viewers take longer to come than the ring of rows lasts
  const reading = setInterval(() => account.read(), READ_MS);
  const flight = rig.fly(() => undefined);
  let watchers: Awaited<ReturnType<typeof startWatchers>> | null = null;
  try {
    if (one.watched) watchers = await startWatchers(rig.url);
    await wait(1000 * SETTLE_S);
    const ring = new TelemetryRing(rig.runtime.shared.telemetry, ROW_WIDTH);
    const row = new Float64Array(ROW_WIDTH);
    let next = ring.written;
    const end = performance.now() + 1000 * seconds;
    while (performance.now() < end) {
      await wait(READ_MS);
      for (; next !== ring.written; next++) {
        if (!ring.read(next, row)) continue;
        one.lateness.push(row[LATENESS] + row[SLIPPED] * rig.settings.loop.period_s);
        one.slipped += row[SLIPPED];
      }
    }
    if (watchers !== null) {
      const ended = once(watchers.child, 'close'); // its last line has been read then
      watchers.child.kill('SIGTERM');
      await ended;
      one.seen.push(JSON.parse(watchers.last()) as Watched);
    }
  } finally {
    watchers?.child.kill('SIGKILL');
    await flight.end();
    await rig.close();
    clearInterval(reading);
    account.finish();
    rmSync(folder, { recursive: true, force: true });
  }
  one.unaccounted.push(...account.violations);
}

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
  },
});
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
if (!(seconds >= 1 && seconds <= 3600) || !(Number.isInteger(rounds) && rounds > 0)) {
  console.error(USAGE);
  process.exit(2);
}
console.log(
  `${availableParallelism()} cores, Linux ${release()}, Node ${process.version}; load ${loadavg()[0].toFixed(1)} before`,
);
const variants = [
  variant('alone', false, false),
  variant('recording', true, false),
  variant('recording, viewers, scrapes', true, true),
];
for (let round = 0; round < rounds; round++) {
  for (const one of variants) {
    await measure(one, seconds);
    console.log(`round ${round + 1}: ${one.name}, ${one.lateness.length} ticks so far`);
  }
}
const sorted = variants.map((one) => Float64Array.from(one.lateness).sort());
const us = (list: Float64Array, q: number): string => (1e6 * quantileOf(list, q)).toFixed(1);
console.log(
  formatTable(
    ['wake lateness, µs', 'ticks', 'p50', 'p99', 'p99.9', 'max', 'slipped'],
    variants.map((one, k) => [
      one.name,
      String(one.lateness.length),
      us(sorted[k], 0.5),
      us(sorted[k], 0.99),
      us(sorted[k], 0.999),
      us(sorted[k], 1),
      String(one.slipped),
    ]),
  ),
);
const p99 = sorted.map((list) => 1e6 * quantileOf(list, 0.99));
console.log(
  `added p99 wake lateness: recording ${(p99[1] - p99[0]).toFixed(1)} µs, ` +
    `recording with viewers and scrapes ${(p99[2] - p99[0]).toFixed(1)} µs`,
);
for (const { messages, left_out, closed, scrapes, refused } of variants[2].seen) {
  console.log(
    `watchers: ${messages} messages (${(messages / VIEWERS / seconds).toFixed(0)}/s each), ${left_out} left out, ` +
      `${closed} closed; ${scrapes} scrapes (${(scrapes / seconds).toFixed(0)}/s), ${refused} refused`,
  );
}
const unaccounted = variants.flatMap((one) =>
  one.unaccounted.map((text) => `${one.name}: ${text}`),
);
console.log(`${unaccounted.length} ticks unaccounted for`);
for (const text of unaccounted) console.error(text);
if (unaccounted.length > 0) process.exitCode = 1;
