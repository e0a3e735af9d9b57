/**
 * Measures the allocation of the loop per tick on the virtual clock, in virtual mode and in contact: warmed up as a service is, recorded,
 * with a robot session at the far end of the link, in the same thread. Without a clock there is no stall: what allocates is the tick's own
 * work, and every window has to be quiet once V8 has compiled it. Runs with --expose-gc. Arguments: the name of the scenario, windows that
 * have to be quiet, and ticks of each. It prints one JSON line.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { compileScenario } from '../../config/compile.ts';
import { contactKernels } from '../../config/contact-kernels.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { loadScenario } from '../../config/scenario.ts';
import { LOOP_MODES } from '../../hil/contract/codes.ts';
import { Column } from '../../hil/contract/columns.ts';
import { TickTiming } from '../../hil/contract/timing.ts';
import { makeSession, makeTaggingLink } from '../../hil/loop/loop-session.ts';
import { Loop } from '../../hil/loop/loop.ts';
import { Tick } from '../../hil/loop/tick.ts';
import { visitPlaces } from '../../hil/loop/visit-places.ts';
import { warmUp } from '../../hil/loop/warm-up.ts';
import { LogRing } from '../../hil/memory/log-ring.ts';
import { allocateShared } from '../../hil/memory/shared.ts';
import { VirtualClock } from '../../hil/os/clock.ts';
import { StateFrame } from '../../hil/protocol/frames.ts';
import { RobotSession } from '../../hil/protocol/robot-session.ts';
import { RecordingLink } from '../../hil/recording/recording-link.ts';
import { makeTap } from '../../hil/telemetry/tap.ts';
import { makeSystem } from '../../src/system/system.ts';
import { quietLinks } from '../fixtures/quiet-link.ts';

/** The tick is recorded, state and all; the recorder's end of the ring is emptied unread. */
const LOG_BYTES = 1 << 22;
/** Windows until so many in a row are quiet, at most. */
const MOST_WINDOWS = 20;
/** Where the robot holds the tool, m. */
const POSITIONS: Readonly<Record<string, readonly number[]>> = {
  'half-sphere-on-plate': [0, 0, -20e-6],
  // 50 µm into the floor, 20 µm into the lower wall
  'battery-box-insertion': [50e-6, 0, -5.02e-3],
};

const [scenario, wanted, windowTicks] = [
  process.argv[2],
  Number(process.argv[3]),
  Number(process.argv[4]),
];
const collect = (globalThis as { gc?: () => void }).gc;
if (collect === undefined) throw new Error('Run with --expose-gc');
const collections: number[] = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) collections.push(entry.startTime);
}).observe({ entryTypes: ['gc'] });

const settings = loadSettings();
const { period_s } = settings.loop;
const shared = allocateShared(LOG_BYTES);
const log = new LogRing(shared.log);
const model = compileScenario(loadScenario(scenario));
const mode = 'virtual';
const system = makeSystem(model, contactKernels());
visitPlaces(system, warmUp({ shared, settings, model, mode }));

const clock = new VirtualClock();
const timing = new TickTiming();
const now_us = new Float64Array(1);
const [serverEnd, robotEnd] = quietLinks(now_us);
const tagging = makeTaggingLink(serverEnd, settings, '');
const tap = makeTap(shared, timing, period_s)!;
const session = makeSession(settings, tap, '');
tagging.session = session.tags;
const tick = new Tick({
  system,
  mode: LOOP_MODES.indexOf(mode),
  session,
  link: new RecordingLink(tagging, tap),
  injector: null,
  clock,
  timing,
  settings,
  shared,
  tap,
  onError: (error) => {
    throw error;
  },
});
const loop = new Loop(clock, tick, timing, { period_s, stall_s: 1 });
const robot = new RobotSession({
  ...{ period_s, keyed: false, device: 'test', firmware: '1', limits: settings.limits },
});
const state = new StateFrame();
state.position.set(POSITIONS[scenario]);

function run(ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    loop.step();
    log.discard();
    clock.sample();
    now_us[0] = clock.time_us[0];
    robot.now_us[0] = now_us[0];
    robot.poll(robotEnd);
    state.tMeas_us = now_us[0];
    robot.sendState(robotEnd, state);
  }
}

/** Bytes that a tick allocates, mean over `ticks`. */
function measure(ticks: number): number {
  const before = process.memoryUsage().heapUsed;
  run(ticks);
  return (process.memoryUsage().heapUsed - before) / ticks;
}

collect();
loop.start();
run(1000);
const each: number[] = [];
let quiet = 0;
let from_ms = 0;
while (quiet < wanted && each.length < MOST_WINDOWS) {
  if (quiet === 0) from_ms = performance.now();
  const bytes = measure(windowTicks);
  each.push(bytes);
  quiet = bytes < 1 ? quiet + 1 : 0;
}
const until_ms = performance.now();
await new Promise((resolve) => setTimeout(resolve, 50)); // the observer is told of collections later
console.log(
  JSON.stringify({
    quietTicks: quiet * windowTicks,
    collections: collections.filter((at) => at >= from_ms && at <= until_ms).length,
    linkUp: tick.record.row[Column.link_up],
    contacts: tick.record.active,
    pairs: tick.record.row[Column.contact_pairs],
    each: each.map((bytes) => bytes.toFixed(2)).join(' '),
  }),
);
