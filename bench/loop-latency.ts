/**
 * Lateness and latency of the loop on this machine (`npm run bench:latency`). Interleaved rounds
 * measure wake lateness beside cyclictest, and STATE to SETPOINT at the robot beside a bare echo,
 * over WebSocket and over a pseudo terminal.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg, release, version } from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadSettings } from '../config/load-settings.ts';
import { Column, ROW_WIDTH } from '../hil/contract/columns.ts';
import { measureLateness, quantileOf } from '../hil/doctor/lateness.ts';
import { TelemetryRing } from '../hil/memory/ring.ts';
import type { Runtime } from '../hil/threads/runtime-types.ts';
import { startRuntime } from '../hil/threads/runtime.ts';
import { cyclictest, figuresOf, NothingMeasured, type Figures } from './cyclictest.ts';
import type { PeerReport } from './latency-peer.ts';
import { formatTable } from '../test/fixtures/table.ts';

const USAGE = `Usage: node dist/bench/loop-latency.js [--seconds N] [--rounds N] [--key K]

  --seconds N   length of each measurement of a round (default 20)
  --rounds N    rounds (default 3)
  --key K       key of the robot link: its frames carry tags (default none)`;

const READ_MS = 200;
/** Between the end of a channel and what was read from it, on a machine that stalls. */
const LAST_WORD_MS = 5000;
/** Times that a measurement during which nothing came is made. */
const TRIES = 3;
const TICK = Column.tick;
const LATENESS = Column.lateness_s;
const SLIPPED = Column.slipped;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const script = (name: string): string =>
  fileURLToPath(new URL(`./${name}${extname(import.meta.url)}`, import.meta.url));

async function started(name: string, ...args: string[]): Promise<[ChildProcess, string]> {
  const child = fork(script(name), args, { serialization: 'advanced' });
  const [said] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${name} ended with code ${String(code)}`);
    }),
  ])) as [string];
  return [child, said];
}

async function ended(child: ChildProcess): Promise<unknown> {
  const gone = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  const message = once(child, 'message').catch(() => []);
  child.send('end');
  await gone; // all its messages arrive before the channel ends
  return (await Promise.race([message, wait(LAST_WORD_MS).then(() => [])])).at(0);
}

/** Rows of a running loop: lateness of every tick before slipping, µs. */
async function watchLateness(runtime: Runtime, seconds: number): Promise<number[]> {
  const ring = new TelemetryRing(runtime.shared.telemetry, ROW_WIDTH);
  const row = new Float64Array(ROW_WIDTH);
  const lateness_us: number[] = [];
  let next = ring.written;
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    await wait(READ_MS);
    for (; next !== ring.written; next++) {
      if (ring.read(next, row) && row[TICK] > 0) {
        lateness_us.push(row[LATENESS] * 1e6 + row[SLIPPED] * settings.loop.period_s * 1e6);
      }
    }
  }
  return lateness_us;
}

const settings = structuredClone(loadSettings());
settings.scenario = 'half-sphere-on-plate';
settings.robot.emulate = false;
settings.robot.port = 0;
settings.recording.mode = 'off';
settings.recording.freezes = 0;

async function throughLoop(
  line: 'ws' | 'pty',
  seconds: number,
): Promise<[Figures, Figures, number]> {
  const chosen = structuredClone(settings);
  let peer: ChildProcess | null = null;
  if (line === 'pty') {
    const [child, path] = await started('latency-peer', 'pty', 'robot');
    peer = child;
    chosen.robot.transport = 'serial';
    chosen.robot.serial_path = path;
  }
  const runtime = await startRuntime(chosen, { onNote: (note) => console.log(`loop: ${note}`) });
  try {
    peer ??= (await started('latency-peer', 'ws', 'robot', runtime.robotAddress))[0];
    const lateness = await watchLateness(runtime, seconds);
    const report = (await ended(peer)) as PeerReport;
    const { latencies_us, sent } = report;
    return [figuresOf(latencies_us), figuresOf(lateness), 1 - latencies_us.length / sent];
  } finally {
    peer?.kill();
    await runtime.close();
  }
}

async function throughEcho(line: 'ws' | 'pty', seconds: number): Promise<Figures> {
  const children: ChildProcess[] = [];
  try {
    const begin = async (name: string, ...args: string[]): Promise<string> => {
      const [child, said] = await started(name, ...args);
      children.push(child);
      return said;
    };
    if (line === 'ws') await begin('latency-peer', 'ws', 'echo', await begin('echo-end', 'ws'));
    else await begin('echo-end', 'pty', await begin('latency-peer', 'pty', 'echo'));
    await wait(seconds * 1000);
    const peer = children[line === 'ws' ? 1 : 0];
    const { latencies_us } = (await ended(peer)) as PeerReport;
    return figuresOf(latencies_us);
  } finally {
    for (const child of children) child.kill();
  }
}

/** Measure anew when nothing came: the machine may stand still for most of a measurement. */
async function measured<T>(name: string, measure: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await measure();
    } catch (error) {
      if (n === TRIES || !(error instanceof NothingMeasured)) throw error;
      console.log(`  ${name}: nothing was measured, once more`);
    }
  }
}

/** Median over rounds of each quantile, the largest of the largest. */
function merge(rounds: readonly Figures[]): Figures {
  const column = (i: 0 | 1 | 2 | 3): Float64Array =>
    Float64Array.from(rounds, (figures) => figures[i]).sort();
  const middle = (i: 0 | 1 | 2): number => quantileOf(column(i), 0.5);
  return [middle(0), middle(1), middle(2), quantileOf(column(3), 1)];
}

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
    key: { type: 'string', default: '' },
  },
});
settings.robot.key = values.key;
process.env['BERTH_ROBOT_KEY'] = values.key; // for the far end
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
if (!(seconds >= 3) || !(Number.isInteger(rounds) && rounds > 0)) {
  console.error(USAGE);
  process.exit(2);
}
console.log(
  `${availableParallelism()} cores, Linux ${release()} (${version()}), Node ${process.version}; ` +
    `${rounds} rounds of ${seconds} s; load ${loadavg()[0].toFixed(2)} before`,
);

const results = new Map<string, Figures[]>();
const keep = (name: string, figures: Figures | null): void => {
  if (figures === null) return;
  results.set(name, [...(results.get(name) ?? []), figures]);
  const [p50, p99, p999, most] = figures.map((us) => us.toFixed(0));
  console.log(`  ${name}: p50 ${p50}, p99 ${p99}, p99.9 ${p999}, max ${most} µs`);
};
const { period_s, spin_s, realtime_priority: priority } = settings.loop;
for (let round = 1; round <= rounds; round++) {
  console.log(`round ${round}`);
  const reference = await cyclictest(seconds, settings.loop);
  keep('wake: cyclictest', reference === null ? null : reference.figures);
  const own = await measureLateness({ seconds, period_s, spin_s, priority });
  if (!own.realtime) console.log(`  no real-time class: ${own.reason}`);
  const { p50_s, p99_s, p999_s, max_s } = own;
  keep('wake: loop, empty tick', [p50_s * 1e6, p99_s * 1e6, p999_s * 1e6, max_s * 1e6]);
  for (const line of ['ws', 'pty'] as const) {
    keep(`${line}: bare echo`, await measured(line, () => throughEcho(line, seconds)));
    const [answer, lateness, superseded] = await measured(line, () => throughLoop(line, seconds));
    keep(`${line}: STATE to SETPOINT`, answer);
    keep(`wake: loop in service, ${line}`, lateness);
    console.log(`  ${(100 * superseded).toFixed(1)} % of STATE frames overtaken by a newer one`);
  }
}

/** What each figure is set beside. */
const BESIDE: Readonly<Record<string, string>> = {
  'wake: loop, empty tick': 'wake: cyclictest',
  'wake: loop in service, ws': 'wake: cyclictest',
  'wake: loop in service, pty': 'wake: cyclictest',
  'ws: STATE to SETPOINT': 'ws: bare echo',
  'pty: STATE to SETPOINT': 'pty: bare echo',
};
const rows = [...results]
  .sort(([a], [b]) => a.localeCompare(b))
  .map(([name, each]) => {
    const figures = merge(each);
    const base = results.get(BESIDE[name] ?? '');
    const other = base === undefined ? null : merge(base);
    const ratio =
      other === null ? '' : figures.map((us, i) => (us / other[i]).toFixed(1)).join(' / ');
    return [name, ...figures.map((us) => us.toFixed(us < 10 ? 1 : 0)), ratio];
  });
console.log(formatTable(['µs', 'p50', 'p99', 'p99.9', 'max', 'ratio to the bare one'], rows));
console.log('A STATE waits for the next release: 0 … 1 period, half of one on average.');
