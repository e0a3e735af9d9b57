/**
 * Measures what the loop allocates per tick as it runs in the service: the loop worker's own parts on the real clock, in
 * virtual mode and in contact, with a robot session in another thread at the far end of the frame rings. The grid is four times
 * as fast as the product's, so that 60,000 ticks take 15 s.
 *
 * V8 compiles beside the program and, on a busy machine, late; a stall may at any time run code for the first time, have V8 compile
 * anew, or end the link's session, whose handshake allocates. So windows of 20,000 ticks are run until three in a row, 60,000
 * ticks, allocate less than a byte a tick each: what allocates time and again shows in every window, what a stall leaves does
 * not. Run in a process of its own with --expose-gc and a large semi-space; prints one JSON line.
 */
import { extname } from 'node:path';
import { PerformanceObserver } from 'node:perf_hooks';
import type { Worker } from 'node:worker_threads';
import { compileScenario } from '../../config/compile.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { loadScenario } from '../../config/scenario.ts';
import { Loop } from '../../hil/loop.ts';
import { buildTick } from '../../hil/loop-parts.ts';
import { ControlWord, allocateShared } from '../../hil/shared.ts';
import { startThread } from '../../hil/start-thread.ts';

const WINDOW_TICKS = 20_000;
const WINDOWS = 3;
/** No window begins after this, s. */
const BUDGET_S = 150;
const PERIOD_S = 250e-6;

const collect = (globalThis as { gc?: () => void }).gc;
if (collect === undefined) throw new Error('Run with --expose-gc');
const collections: number[] = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) collections.push(entry.startTime);
}).observe({ entryTypes: ['gc'] });

const defaults = loadSettings();
const settings = {
  ...defaults,
  loop: { ...defaults.loop, period_s: PERIOD_S, spin_s: 50e-6 },
};
const shared = allocateShared();
Atomics.store(new Int32Array(shared.control), ControlWord.ROBOT_CONNECTED, 1);
const { tick, clock, timing, ringLink } = buildTick(
  {
    shared,
    settings,
    model: compileScenario(loadScenario('half-sphere-on-plate')),
    mode: 'virtual',
    serialFd: -1,
  },
  (error) => {
    throw error;
  },
);
const robot: Worker = startThread(
  new URL(`./robot-thread${extname(import.meta.url)}`, import.meta.url),
  { workerData: { shared, settings } },
);
await new Promise((resolve) => robot.once('message', resolve));

const loop = new Loop(clock, tick, timing, { period_s: PERIOD_S, stall_s: 1 });
loop.start();

function run(ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    loop.step();
    ringLink!.announce();
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
let from_ms = begin_ms;
let windows = 0;
let bytesPerTick: number;
let collected = 0;
collect();
loop.start();
run(1000);
do {
  if (quiet.length === 0) from_ms = performance.now();
  bytesPerTick = measure(WINDOW_TICKS);
  windows++;
  if (bytesPerTick >= 1) quiet.length = 0;
  else if (quiet.push(bytesPerTick) === WINDOWS) {
    const until_ms = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 50));
    collected = collections.filter((at) => at >= from_ms && at <= until_ms).length;
    if (collected === 0) break;
    quiet.length = 0;
    loop.start();
  }
} while (performance.now() - begin_ms < 1000 * BUDGET_S);
await robot.terminate();
console.log(
  JSON.stringify({
    windows,
    quietTicks: quiet.length * WINDOW_TICKS,
    bytesPerTick: Math.max(bytesPerTick, ...quiet),
    collections: collected,
    linkUp: tick.record.row[22],
    contacts: tick.record.active,
  }),
);
