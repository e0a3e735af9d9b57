/**
 * Measures what a tick of virtual mode allocates: loop, session, safety, model, row and counters, with a robot session at the
 * other end of two frame rings. Run in a process of its own with --expose-gc and a large semi-space; prints one JSON line.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { compileScenario } from '../../config/compile.ts';
import { loadSettings } from '../../config/load-settings.ts';
import { loadScenario } from '../../config/scenario.ts';
import { RealClock, VirtualClock, type Clock } from '../../hil/clock.ts';
import type { Link } from '../../hil/links/link.ts';
import { Loop } from '../../hil/loop.ts';
import { StateFrame } from '../../hil/protocol/frames.ts';
import { RobotSession } from '../../hil/protocol/robot-session.ts';
import { ServerSession } from '../../hil/protocol/server-session.ts';
import { FrameRing } from '../../hil/ring.ts';
import { allocateShared } from '../../hil/shared.ts';
import { Tick } from '../../hil/tick.ts';
import { TickTiming } from '../../hil/timing.ts';
import { makeSystem } from '../../src/system.ts';

const TICKS = 60_000;
const WARM_TICKS = 40_000;

/** One end of a pair of rings. */
class DirectLink implements Link {
  readonly transport = 'loopback';
  readonly connected = true;
  readonly bytesReceived = 0;
  readonly bytesSent = 0;
  readonly resyncs = 0;
  readonly oversized = 0;
  receivedAt_us = 0.5;
  readonly #in: FrameRing;
  readonly #out: FrameRing;
  readonly #clock: Clock;

  constructor(incoming: FrameRing, outgoing: FrameRing, clock: Clock) {
    this.#in = incoming;
    this.#out = outgoing;
    this.#clock = clock;
  }

  receive(frame: Uint8Array): number {
    this.receivedAt_us = this.#clock.now_us();
    return this.#in.pop(frame);
  }

  send(frame: Uint8Array, length: number): boolean {
    return this.#out.push(frame, length, 0);
  }
}

const collect = (globalThis as { gc?: () => void }).gc;
if (collect === undefined) throw new Error('Run with --expose-gc');
let collections = 0;
new PerformanceObserver((list) => {
  collections += list.getEntries().length;
}).observe({ entryTypes: ['gc'] });

const settings = loadSettings();
const clock = new VirtualClock();
const timing = new TickTiming();
const shared = allocateShared();
const up = new FrameRing(FrameRing.allocate(64));
const down = new FrameRing(FrameRing.allocate(64));
const link = new DirectLink(up, down, clock);
const robotLink = new DirectLink(down, up, clock);
const period_s = settings.loop.period_s;
const tick = new Tick({
  system: makeSystem(compileScenario(loadScenario('half-sphere-on-plate'))),
  mode: 1,
  session: new ServerSession({ period_s, key: '', limits: settings.limits }),
  link,
  injector: null,
  clock,
  timing,
  settings,
  shared,
  onError: (error) => {
    throw error;
  },
});
const robot = new RobotSession({
  period_s,
  key: '',
  device: 'test',
  firmware: '1',
  limits: settings.limits,
});
const state = new StateFrame();
// 20 µm into the plate: contact, friction and sub-steps are at work in every tick
for (let i = 0; i < 3; i++) state.position[i] = tick.measured[i] ?? 0;
const loop = new Loop(clock, tick, timing, { period_s, stall_s: 1 });
loop.start();

function run(ticks: number): void {
  for (let i = 0; i < ticks; i++) {
    if (i % 1000 === 500) state.position[2] = -20e-6;
    loop.step();
    robot.poll(robotLink, clock.now_us());
    state.tMeas_us = clock.now_us();
    robot.sendState(robotLink, state, clock.now_us());
  }
}

function bytesOf(work: () => void): number {
  collect!();
  const before = process.memoryUsage().heapUsed;
  work();
  return process.memoryUsage().heapUsed - before;
}

run(WARM_TICKS);
collect();
await new Promise((resolve) => setTimeout(resolve, 50));
const word = new Int32Array(new SharedArrayBuffer(4));
const real = new RealClock(word, 0.0002);
function wait(times: number): void {
  for (let i = 0; i < times; i++) {
    real.release_us = real.now_us() + 400;
    real.waitForRelease();
  }
}
wait(3000);
const clockBytes = Math.min(
  bytesOf(() => wait(1000)),
  bytesOf(() => wait(1000)),
);
collect();
await new Promise((resolve) => setTimeout(resolve, 50));
collections = 0;
const before = process.memoryUsage().heapUsed;
run(TICKS);
const bytes = process.memoryUsage().heapUsed - before;
await new Promise((resolve) => setTimeout(resolve, 50));
console.log(
  JSON.stringify({
    ticks: TICKS,
    bytesPerTick: bytes / TICKS,
    collections,
    clockBytesPerWait: clockBytes / 1000,
    phase: robot.phase,
    contacts: tick.record.active,
  }),
);
