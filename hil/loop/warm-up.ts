/**
 * Runs the whole tick on a shadow before the first real one: same code, but its own system, memory and robot session. It
 * runs on the real clock and a grid so fast that late wakes and dropped periods come by themselves. Without it V8 compiles
 * during the first seconds of the run, and code that is not compiled yet boxes its doubles (docs/real-time.md).
 */
import { contactKernels } from '../../config/contact-kernels.ts';
import type { SystemModel } from '../../src/model/model.ts';
import { makeSystem } from '../../src/system/system.ts';
import { RealClock } from '../os/clock.ts';
import { Loop } from './loop.ts';
import { makeSession, makeTaggingLink } from './loop-session.ts';
import { ClockSync } from '../protocol/clock-sync.ts';
import { LogRing } from '../memory/log-ring.ts';
import { RecordingLink } from '../recording/recording-link.ts';
import { makeTap } from '../telemetry/tap.ts';
import { RingLink } from '../links/ring-link.ts';
import { DoorbellPair } from '../memory/os-doorbell.ts';
import { LOOP_MODES } from '../contract/codes.ts';
import { ControlWord, allocateShared } from '../memory/shared.ts';
import { ShadowOperator } from './shadow-operator.ts';
import { ShadowRobot } from './shadow-robot.ts';
import { Tick } from './tick.ts';
import { TickTiming } from '../contract/timing.ts';
import { touchingPlaces } from '../telemetry/touching-places.ts';
import type { LoopWorkerData } from './worker-data.ts';

const TICKS = 30_000;
/** Period of the shadow grid, s. */
const PERIOD_S = 25e-6;
/** Exchanges of the clock filter, which a run has once a second only. */
const EXCHANGES = 20_000;
/** The shadow robot moves this far into the work-site and out again, m, once in so many ticks. */
const STROKE_M = 30e-6;
const STROKE_TICKS = 1000;

/** Ring of the shadow's records, emptied every tick, and how often it writes its whole state. */
const SHADOW_LOG_BYTES = 1 << 20;
const STATE_TICKS = 16;
/** No lateness ends a flight of the shadow. */
const EVER_LATE = { overrun_consecutive: 1e9, overrun_bucket: 1e9, overrun_single_s: 1e9 };

/** Of the shadow robot, which is in this thread. */
const SHADOW_KEY = 'shadow';

/** At a place where cells touch it stays so many ticks, and as many away from it. */
const STAY_TICKS = 64;

/** Ticks in which an operator flies the shadow, the first ones of which the robot rests so far before the first touch of cells, m. */
const FLIGHT_TICKS = 8000;
const CLEARANCE_M = 0.2e-3;
const ALIGN_TICKS = 500;

function warmClockFilter(): void {
  const now_us = new Float64Array(1);
  const filter = new ClockSync(now_us);
  for (let i = 1; i <= EXCHANGES; i++) {
    const t = i * 2000;
    now_us[0] = t;
    filter.sent();
    filter.exchange_us[0] = t;
    filter.exchange_us[1] = t + 150 + (i % 7);
    filter.exchange_us[2] = t + 160 + (i % 5);
    filter.exchange_us[3] = t + 310 + (i % 11);
    filter.add();
  }
}

/** Direction of the first commanded way, unit; down where nothing is commanded. */
function commandedWay({ command }: SystemModel): readonly number[] {
  for (const { twist } of command) {
    const [x, y, z] = twist;
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length > 0) return [x / length, y / length, z / length];
  }
  return [0, 0, -1];
}

/** The place that is nearest to another. */
function nearest(places: readonly (readonly number[])[], to: readonly number[]): readonly number[] {
  const off = (place: readonly number[]): number =>
    place.reduce((sum, value, a) => sum + (value - to[a]) * (value - to[a]), 0);
  return places.reduce((best, place) => (off(place) < off(best) ? place : best));
}

/** Compile what the loop worker will run. Takes a second or two. */
export function warmUp(data: LoopWorkerData): void {
  warmClockFilter();
  const { settings, model } = data;
  const period_s = settings.loop.period_s;
  const shared = allocateShared(data.shared.log.byteLength > 0 ? SHADOW_LOG_BYTES : 0);
  const control = new Int32Array(shared.control);
  const doorbell = DoorbellPair.open(control);
  const timing = new TickTiming();
  const clock = new RealClock(control.subarray(ControlWord.LOOP_SLEEP), settings.loop.spin_s);
  // with a key every frame has a tag, and that code is to be warm, too
  const tagged = settings.robot.key !== '' || data.runKey !== undefined;
  const shadowSettings = {
    ...settings,
    // the grid of the shadow is so fast that it is late all the time
    loop: { ...settings.loop, ...EVER_LATE },
    robot: { ...settings.robot, transport: 'none' as const, key: tagged ? SHADOW_KEY : '' },
  };
  const ringLink = new RingLink(shared.fromRobot, shared.toRobot, shared.control);
  const tap = makeTap(shared, timing, period_s);
  const log = tap === null ? null : new LogRing(shared.log);
  const tagging = makeTaggingLink(ringLink, shadowSettings, '');
  const link = tap === null ? tagging : new RecordingLink(tagging, tap);
  const session = makeSession(shadowSettings, tap, '');
  tagging.session = session.tags;
  const tick = new Tick({
    system: makeSystem(model, contactKernels()),
    mode: LOOP_MODES.indexOf(data.mode),
    session,
    link,
    injector: null,
    clock,
    timing,
    settings: shadowSettings,
    shared,
    tap,
    onError: () => undefined,
  });
  const robot = new ShadowRobot(shared, shadowSettings, tick.measured);
  const { state } = robot;
  const away = [...state.position];
  const places = touchingPlaces(model);
  const loop = new Loop(clock, tick, timing, { period_s: PERIOD_S, stall_s: 1 });
  loop.start();
  const run = (i: number): void => {
    loop.step();
    ringLink.announce();
    if (i % STATE_TICKS === 0) Atomics.store(control, ControlWord.STATE_WANTED, 1);
    log?.discard();
  };
  for (let i = 0; i < TICKS; i++) {
    run(i);
    const depth = STROKE_M * (0.5 - Math.abs((i % STROKE_TICKS) / STROKE_TICKS - 0.5));
    const near = (i >> 13) % 2 === 1;
    if (places.length === 0) state.position[2] = near ? -depth : away[2];
    else {
      const stay = Math.floor(i / STAY_TICKS);
      const place = near && stay % 2 === 0 ? places[(stay >> 1) % places.length] : away;
      for (let a = 0; a < 3; a++) state.position[a] = place[a] + (near ? depth : 0);
    }
    robot.step();
  }
  const way = commandedWay(model);
  const touch = places.length === 0 ? [away[0], away[1], -STROKE_M] : nearest(places, away);
  const before = places.length === 0 ? 0 : CLEARANCE_M;
  for (let a = 0; a < 3; a++) state.position[a] = touch[a] - before * way[a];
  const operator = new ShadowOperator(shared, way);
  for (let i = 0; i < FLIGHT_TICKS; i++) {
    if (i === ALIGN_TICKS) robot.follows = true;
    if (i > ALIGN_TICKS) operator.step(i, clock.now_us(), tick.machine.state);
    run(i);
    robot.step();
  }
  doorbell?.close();
}
