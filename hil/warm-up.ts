/**
 * Runs the whole tick on a shadow before the first real one: same code, but its own system, memory and robot session, on the
 * real clock and a grid so fast that late wakes and dropped periods come by themselves. Without it V8 compiles during the
 * first seconds of the run, and code that is not compiled yet boxes its doubles (docs/real-time.md).
 */
import type { SystemModel } from '../src/model.ts';
import { CONTACT_READOUT, makeSystem } from '../src/system.ts';
import { RealClock } from './clock.ts';
import type { Link } from './links/link.ts';
import { Loop } from './loop.ts';
import { ClockSync } from './protocol/clock-sync.ts';
import { StateFrame } from './protocol/frames.ts';
import { RobotSession } from './protocol/robot-session.ts';
import { ServerSession } from './protocol/server-session.ts';
import { RingLink } from './links/ring-link.ts';
import { FrameRing } from './ring.ts';
import { LOOP_MODES } from './safety/codes.ts';
import { ControlWord, allocateShared } from './shared.ts';
import { Tick } from './tick.ts';
import { TickTiming } from './timing.ts';
import type { LoopWorkerData } from './worker-data.ts';

const TICKS = 30_000;
/** Period of the shadow grid, s. */
const PERIOD_S = 25e-6;
/** Exchanges of the clock filter, which a run sees once a second only. */
const EXCHANGES = 20_000;
/** The shadow robot moves this far into the work-site and out again, m, once in so many ticks. */
const STROKE_M = 30e-6;
const STROKE_TICKS = 1000;

/** Places looked at along the commanded way; at one that touches in pieces the shadow robot stays so many ticks. */
const PLACES = 100;
const STAY_TICKS = 64;
/** A step there may need so many sub-steps: no place so deep that the warm-up would take long. */
const MOST_SUBSTEPS = 4;
const PAIRS = CONTACT_READOUT.indexOf('pairs');

/** The far end of the shadow's rings. */
class ShadowLink implements Link {
  readonly transport = 'shadow';
  readonly connected = true;
  readonly bytesReceived = 0;
  readonly bytesSent = 0;
  readonly resyncs = 0;
  readonly oversized = 0;
  receivedAt_us = 0.5;
  readonly #in: FrameRing;
  readonly #out: FrameRing;
  readonly #clock: RealClock;

  constructor(incoming: SharedArrayBuffer, outgoing: SharedArrayBuffer, clock: RealClock) {
    this.#in = new FrameRing(incoming);
    this.#out = new FrameRing(outgoing);
    this.#clock = clock;
  }

  receive(frame: Uint8Array): number {
    this.receivedAt_us = this.#clock.time_us[0];
    return this.#in.pop(frame);
  }

  send(frame: Uint8Array, length: number): boolean {
    return this.#out.push(frame, length, this.#clock.time_us[0]);
  }
}

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

/**
 * Positions along the commanded way where bodies of cells touch, those of most pairs first; none for a model without cells. What
 * cells run when they touch is most of what a tick runs, and the shadow has to have run it.
 */
function touchingPlaces(model: SystemModel): (readonly number[])[] {
  const { tool, contacts } = model;
  if (tool === null || !contacts.some(({ pair }) => pair.kind === 'volumetric')) return [];
  const system = makeSystem(model);
  const start = system.state.slice();
  const port = system.tool!;
  port.mode = LOOP_MODES.indexOf('virtual');
  system.useSchedule = false;
  const motion = port.measuredMotion;
  system.readBody(system.bodyIndex(tool.payload), motion, 0);
  const span_s = model.duration / PLACES;
  const row = new Float64Array(CONTACT_READOUT.length);
  const places: { readonly at: readonly number[]; readonly pairs: number }[] = [];
  for (let n = 0; n < PLACES; n++) {
    const piece = model.command.findLast(({ time }) => time <= n * span_s);
    for (let a = 0; a < 3; a++) motion[a] += span_s * (piece?.twist[a] ?? 0);
    system.restore(start);
    let failed = 0;
    for (let k = 0; k < 2; k++) failed += system.step(model.step);
    let pairs = 0;
    for (let k = 0; k < system.contactCount; k++) {
      system.readContact(k, row, 0);
      pairs += row[PAIRS];
    }
    if (failed > 0 || pairs === 0 || system.substeps > MOST_SUBSTEPS) continue;
    places.push({ at: [motion[0], motion[1], motion[2]], pairs });
  }
  return places.sort((a, b) => b.pairs - a.pairs).map(({ at }) => at);
}

/** Compile what the loop worker will run. Takes a second or two. */
export function warmUp(data: LoopWorkerData): void {
  warmClockFilter();
  const { settings, model } = data;
  const period_s = settings.loop.period_s;
  const shared = allocateShared();
  const control = new Int32Array(shared.control);
  Atomics.store(control, ControlWord.ROBOT_CONNECTED, 1);
  const timing = new TickTiming();
  const clock = new RealClock(control.subarray(ControlWord.LOOP_SLEEP), settings.loop.spin_s);
  const limits = settings.limits;
  const link = new RingLink(shared.fromRobot, shared.toRobot, shared.control);
  const tick = new Tick({
    system: makeSystem(model),
    mode: LOOP_MODES.indexOf(data.mode),
    session: new ServerSession({ period_s, key: '', limits }),
    link,
    injector: null,
    clock,
    timing,
    settings,
    shared,
    onError: () => undefined,
  });
  const robotLink = new ShadowLink(shared.toRobot, shared.fromRobot, clock);
  const robot = new RobotSession({ period_s, key: '', device: 'shadow', firmware: '1', limits });
  const state = new StateFrame();
  for (let i = 0; i < 3; i++) state.position[i] = tick.measured[i];
  for (let i = 0; i < 4; i++) state.orientation[i] = tick.measured[3 + i];
  const top = state.position[2];
  const away = [...state.position];
  const places = touchingPlaces(model);
  const loop = new Loop(clock, tick, timing, { period_s: PERIOD_S, stall_s: 1 });
  loop.start();
  for (let i = 0; i < TICKS; i++) {
    loop.step();
    link.announce();
    const depth = STROKE_M * (0.5 - Math.abs((i % STROKE_TICKS) / STROKE_TICKS - 0.5));
    const near = (i >> 13) % 2 === 1;
    if (places.length === 0) state.position[2] = near ? -depth : top;
    else {
      const stay = Math.floor(i / STAY_TICKS);
      const place = near && stay % 2 === 0 ? places[(stay >> 1) % places.length] : away;
      for (let a = 0; a < 3; a++) state.position[a] = place[a] + (near ? depth : 0);
    }
    state.tMeas_us = clock.time_us[0];
    robot.now_us[0] = clock.time_us[0];
    robot.poll(robotLink);
    robot.sendState(robotLink, state);
  }
}
