/**
 * Measures the allocation of the loop per tick as in the service: the loop worker's own parts on
 * the real clock, in virtual mode and in contact, with a robot session in another thread at the far
 * end of the frame rings. The grid of a point contact is four times as fast as the product's, so
 * that 60,000 ticks take 15 s. The box of cells, pressed on the floor of its work-site, runs at
 * twice the product's speed.
 *
 * V8 compiles in the background and, on a busy machine, late. A stall may at any time run code for
 * the first time, cause a recompilation, or end the link's session, whose handshake allocates.
 * Windows of 20,000 ticks (10,000 of the box) are therefore run until three in a row allocate less
 * than a byte per tick each. Repeated allocation shows in every window; that of a stall does not.
 * It runs in a separate process with --expose-gc and a large semi-space. Arguments: the name of the
 * scenario, and `pair` for one worker of two that share the loop, the other in a thread that pauses
 * at times (spare-thread.ts). It prints one JSON line.
 */
import { extname } from 'node:path';
import { PerformanceObserver } from 'node:perf_hooks';
import type { Worker } from 'node:worker_threads';
import { compileScenario } from '../../config/compile.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { loadScenario } from '../../config/scenario.ts';
import { Column } from '../../hil/contract/columns.ts';
import { Loop } from '../../hil/loop/loop.ts';
import { buildTick } from '../../hil/loop/loop-parts.ts';
import { LogRing } from '../../hil/memory/log-ring.ts';
import { ControlWord, allocateShared } from '../../hil/memory/shared.ts';
import { joinPair, allocatePair } from '../../hil/redundant/pair.ts';
import type { RedundantLoop } from '../../hil/redundant/redundant-loop.ts';
import { warmUpPair } from '../../hil/redundant/warm-up-pair.ts';
import { startThread } from '../../hil/os/start-thread.ts';
import { makeSystem } from '../../src/system/system.ts';

/** The tick is recorded, state and all; the recorder's end of the ring is emptied unread. */
const LOG_BYTES = 1 << 22;
/** Windows in a row that must be quiet. */
const WINDOWS = 3;

interface Case {
  readonly windowTicks: number;
  readonly period_s: number;
  /** No window begins after this, s. */
  readonly budget_s: number;
  /** Where the robot holds the tool, m. */
  readonly position: readonly number[];
}
const CASES: Readonly<Record<string, Case>> = {
  'half-sphere-on-plate': {
    windowTicks: 20_000,
    period_s: 250e-6,
    budget_s: 70,
    position: [0, 0, -20e-6],
  },
  // 50 µm into the floor, 20 µm into the lower wall
  'battery-box-insertion': {
    windowTicks: 10_000,
    period_s: 500e-6,
    budget_s: 70,
    position: [50e-6, 0, -5.02e-3],
  },
};
const scenario = process.argv[2] ?? '';
const measured = CASES[scenario];
if (measured === undefined) throw new Error(`There is no case "${scenario}"`);
const { position } = measured;
const paired = process.argv[3] === 'pair';
const budget_s = measured.budget_s;
const period_s = (paired ? 2 : 1) * measured.period_s;
const windowTicks = measured.windowTicks / (paired ? 2 : 1);

const collect = (globalThis as { gc?: () => void }).gc;
if (collect === undefined) throw new Error('Run with --expose-gc');
const collections: number[] = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) collections.push(entry.startTime);
}).observe({ entryTypes: ['gc'] });

const defaults = loadSettings();
const settings = {
  ...defaults,
  loop: { ...defaults.loop, period_s, spin_s: 50e-6 },
};
const shared = allocateShared(LOG_BYTES);
const log = new LogRing(shared.log);
Atomics.store(new Int32Array(shared.control), ControlWord.ROBOT_CONNECTED, 1);
const model = compileScenario(loadScenario(scenario));
const data = { shared, settings, model, mode: 'virtual' } as const;
const memory = allocatePair(shared, makeSystem(model).state.length);
const parts = buildTick(
  { ...data, shared: paired ? memory.stages[0].buffers : shared },
  (error) => {
    throw error;
  },
);
const { tick, clock, timing, ringLink } = parts;

async function start(name: string, workerData: object): Promise<Worker> {
  const file = new URL(`./${name}${extname(import.meta.url)}`, import.meta.url);
  const worker = startThread(file, { workerData });
  await new Promise((resolve) => worker.once('message', resolve));
  return worker;
}

const threads = [await start('robot-thread', { shared, settings, position })];
const loop = new Loop(clock, tick, timing, { period_s, stall_s: 1 });
let pair: RedundantLoop | null = null;
if (paired) {
  warmUpPair(data);
  const own = { memory, real: shared, worker: 0, settings, realtime: [0, 0] as const };
  const joined = joinPair({ ...parts, ...own, stall: () => undefined });
  joined.turn.setJoined(0, true);
  pair = joined.loop;
  threads.push(await start('spare-thread', { data, memory }));
} else loop.start();

function runPair(one: RedundantLoop, ticks: number): void {
  for (const end = one.committed + ticks; one.committed < end; ) {
    one.step();
    log.discard();
  }
}

function run(ticks: number): void {
  if (pair !== null) {
    runPair(pair, ticks);
    return;
  }
  for (let i = 0; i < ticks; i++) {
    loop.step();
    ringLink!.announce();
    log.discard();
  }
}

/** Bytes that a tick allocates, mean over `ticks`. */
function measure(ticks: number): number {
  const before = process.memoryUsage().heapUsed;
  run(ticks);
  return (process.memoryUsage().heapUsed - before) / ticks;
}

const begin_ms = performance.now();
const quiet: number[] = [];
const each: number[] = [];
let from_ms = begin_ms;
let windows = 0;
let bytesPerTick: number;
let collected = 0;
collect();
if (pair === null) loop.start();
run(1000);
do {
  if (quiet.length === 0) from_ms = performance.now();
  bytesPerTick = measure(windowTicks);
  each.push(bytesPerTick);
  windows++;
  if (bytesPerTick >= 1) quiet.length = 0;
  else if (quiet.push(bytesPerTick) === WINDOWS) {
    const until_ms = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 50));
    collected = collections.filter((at) => at >= from_ms && at <= until_ms).length;
    if (collected === 0) break;
    quiet.length = 0;
    if (pair === null) loop.start();
  }
} while (performance.now() - begin_ms < 1000 * budget_s);
for (const thread of threads) await thread.terminate();
console.log(
  JSON.stringify({
    windows,
    each: each.map((bytes) => bytes.toFixed(2)).join(' '),
    quietTicks: quiet.length * windowTicks,
    bytesPerTick: Math.max(bytesPerTick, ...quiet),
    collections: collected,
    linkUp: tick.record.row[22],
    contacts: tick.record.active,
    pairs: tick.record.row[Column.contact_pairs],
    loads: pair?.loads ?? 0,
  }),
);
