/**
 * Measures what the loop allocates per tick as it runs in the service: the loop worker's own parts on the real clock, in
 * virtual mode and in contact, with a robot session in another thread at the far end of the frame rings. The grid is four times
 * as fast as the product's, so that 60,000 ticks take 15 s.
 *
 * V8 compiles beside the program and, on a busy machine, late: ticks are run until 10,000 of them in a row allocate less than a
 * byte each. Then 60,000 are measured; a stall of the machine may run code for the first time and have V8 compile anew, so
 * there are two attempts. Run in a process of its own with --expose-gc and a large semi-space; prints one JSON line.
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

const TICKS = 60_000;
const SETTLE_TICKS = 10_000;
const SETTLE_ROUNDS = 12;
const ATTEMPTS = 2;
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

let settling = 0;
do settling++;
while (measure(SETTLE_TICKS) >= 1 && settling < SETTLE_ROUNDS);

let bytesPerTick = Infinity;
let collected = 0;
for (let attempt = 0; attempt < ATTEMPTS && (bytesPerTick >= 1 || collected > 0); attempt++) {
  collect();
  await new Promise((resolve) => setTimeout(resolve, 50));
  loop.start();
  run(1000);
  const start_ms = performance.now();
  bytesPerTick = measure(TICKS);
  const end_ms = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 50));
  collected = collections.filter((at) => at >= start_ms && at <= end_ms).length;
}
await robot.terminate();
console.log(
  JSON.stringify({
    ticks: TICKS,
    settlingTicks: settling * SETTLE_TICKS,
    bytesPerTick,
    collections: collected,
    linkUp: tick.record.row[22],
    contacts: tick.record.active,
  }),
);
