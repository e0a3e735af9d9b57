/**
 * Measures what the loop allocates per tick as it runs in the service: the loop worker's own parts on the real clock, in
 * virtual mode and in contact, with a robot session in another thread at the far end of the frame rings. The grid of a
 * point contact is four times as fast as the product's, so that 60,000 ticks take 15 s; the box of cells, pressed on the floor of its
 * work-site, runs at twice the product's speed.
 *
 * V8 compiles beside the program and, on a busy machine, late; a stall may at any time run code for the first time, have V8 compile
 * anew, or end the link's session, whose handshake allocates. So windows of 20,000 ticks (10,000 of the box) are run until three in a
 * row allocate less than a byte a tick each: what allocates time and again shows in every window, what a stall leaves does
 * not. Run in a process of its own with --expose-gc and a large semi-space and the name of the scenario; prints one JSON line.
 */
import { extname } from 'node:path';
import { PerformanceObserver } from 'node:perf_hooks';
import type { Worker } from 'node:worker_threads';
import { compileScenario } from '../../config/compile.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { loadScenario } from '../../config/scenario.ts';
import { columnIndex } from '../../hil/columns.ts';
import { Loop } from '../../hil/loop.ts';
import { buildTick } from '../../hil/loop-parts.ts';
import { ControlWord, allocateShared } from '../../hil/shared.ts';
import { startThread } from '../../hil/start-thread.ts';

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
    budget_s: 150,
    position: [0, 0, -20e-6],
  },
  // 50 µm into the floor, 20 µm into the lower wall
  'battery-box-insertion': {
    windowTicks: 10_000,
    period_s: 500e-6,
    budget_s: 90,
    position: [50e-6, 0, -5.02e-3],
  },
};
const scenario = process.argv[2] ?? '';
const measured = CASES[scenario];
if (measured === undefined) throw new Error(`There is no case "${scenario}"`);
const { windowTicks, period_s, budget_s, position } = measured;

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
const shared = allocateShared();
Atomics.store(new Int32Array(shared.control), ControlWord.ROBOT_CONNECTED, 1);
const { tick, clock, timing, ringLink } = buildTick(
  {
    shared,
    settings,
    model: compileScenario(loadScenario(scenario)),
    mode: 'virtual',
    serialFd: -1,
  },
  (error) => {
    throw error;
  },
);
const robot: Worker = startThread(
  new URL(`./robot-thread${extname(import.meta.url)}`, import.meta.url),
  { workerData: { shared, settings, position } },
);
await new Promise((resolve) => robot.once('message', resolve));

const loop = new Loop(clock, tick, timing, { period_s, stall_s: 1 });
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
  bytesPerTick = measure(windowTicks);
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
} while (performance.now() - begin_ms < 1000 * budget_s);
await robot.terminate();
console.log(
  JSON.stringify({
    windows,
    quietTicks: quiet.length * windowTicks,
    bytesPerTick: Math.max(bytesPerTick, ...quiet),
    collections: collected,
    linkUp: tick.record.row[22],
    contacts: tick.record.active,
    pairs: tick.record.row[columnIndex('contact_pairs')],
  }),
);
