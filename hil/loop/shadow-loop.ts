/**
 * A loop beside the real one: the same code on a system, memory, robot and clock of its own. Its clock skips what is left of each
 * period, so that a period takes as long as its tick, while all that depends on time sees periods of the settings.
 */
import { contactKernels } from '../../config/contact-kernels.ts';
import { makeSystem } from '../../src/system/system.ts';
import { LOOP_MODES } from '../contract/codes.ts';
import { TickTiming } from '../contract/timing.ts';
import { RingLink } from '../links/ring-link.ts';
import { LogRing } from '../memory/log-ring.ts';
import { DoorbellPair } from '../memory/os-doorbell.ts';
import { allocateShared, ControlWord, type SharedBuffers } from '../memory/shared.ts';
import { RealClock } from '../os/clock.ts';
import { RecordingLink } from '../recording/recording-link.ts';
import { makeTap } from '../telemetry/tap.ts';
import { Loop } from './loop.ts';
import { makeSession, makeTaggingLink } from './loop-session.ts';
import { ShadowRobot } from './shadow-robot.ts';
import { Tick } from './tick.ts';
import type { LoopWorkerData } from './worker-data.ts';

/** Ring of the shadow's records, emptied every tick, rows of its telemetry, and how often it writes its whole state. */
const LOG_BYTES = 1 << 20;
const ROWS = 64;
const STATE_TICKS = 16;
/** The clock stands this far ahead of each release, µs; once in so many ticks it is late, and more seldom by periods. */
const AHEAD_us = 2;
const LATE_TICKS = 61;
const LATE_us = 300;
const SLIP_TICKS = 499;
const SLIP_PERIODS = 2.3;
/** No lateness ends a flight of the shadow. */
const EVER_LATE = { overrun_consecutive: 1e9, overrun_bucket: 1e9, overrun_single_s: 1e9 };
/** Of the shadow robot, which is in this thread. */
const SHADOW_KEY = 'shadow';

/** A shadow of the loop that these data make. Its robot is not connected. */
export class ShadowLoop {
  readonly shared: SharedBuffers;
  readonly clock: RealClock;
  readonly tick: Tick;
  readonly robot: ShadowRobot;
  readonly #timing = new TickTiming();
  readonly #loop: Loop;
  readonly #link: RingLink;
  readonly #log: LogRing | null;
  readonly #doorbell: DoorbellPair | null;
  readonly #control: Int32Array;
  readonly #period_us: number;
  #ticks = 0;

  constructor(data: LoopWorkerData) {
    const { settings } = data;
    const { period_s } = settings.loop;
    const shared = allocateShared(data.shared.log.byteLength > 0 ? LOG_BYTES : 0, ROWS);
    this.shared = shared;
    this.#control = new Int32Array(shared.control);
    this.#doorbell = DoorbellPair.open(this.#control);
    this.clock = new RealClock(
      this.#control.subarray(ControlWord.LOOP_SLEEP),
      settings.loop.spin_s,
    );
    this.#period_us = 1e6 * period_s;
    // with a key every frame has a tag, and that code is to be warm, too
    const tagged = settings.robot.key !== '' || data.runKey !== undefined;
    const shadowSettings = {
      ...settings,
      loop: { ...settings.loop, ...EVER_LATE },
      robot: { ...settings.robot, transport: 'none' as const, key: tagged ? SHADOW_KEY : '' },
    };
    this.#link = new RingLink(shared.fromRobot, shared.toRobot, shared.control);
    const timing = this.#timing;
    const tap = makeTap(shared, timing, period_s);
    this.#log = tap === null ? null : new LogRing(shared.log);
    const tagging = makeTaggingLink(this.#link, shadowSettings, '');
    const session = makeSession(shadowSettings, tap, '');
    tagging.session = session.tags;
    this.tick = new Tick({
      system: makeSystem(data.model, contactKernels()),
      mode: LOOP_MODES.indexOf(data.mode),
      session,
      link: tap === null ? tagging : new RecordingLink(tagging, tap),
      injector: null,
      clock: this.clock,
      timing,
      settings: shadowSettings,
      shared,
      tap,
      onError: () => undefined,
    });
    this.robot = new ShadowRobot(shared, shadowSettings, this.tick.measured);
    this.#loop = new Loop(this.clock, this.tick, timing, { period_s, stall_s: 1 });
    this.#loop.start();
  }

  /** The rest of the period, seen from the loop, is over. */
  #skip(): void {
    const { clock } = this;
    const timing = this.#timing;
    const n = this.#ticks++;
    let late_us = n % LATE_TICKS === LATE_TICKS - 1 ? LATE_us : -AHEAD_us;
    if (n % SLIP_TICKS === SLIP_TICKS - 1) late_us = SLIP_PERIODS * this.#period_us;
    clock.sample();
    const release = timing.origin_us + (timing.period + 1) * this.#period_us;
    const left = release + late_us - clock.time_us[0];
    if (left > 0) clock.skipped_us[0] += left;
    this.robot.clock.skipped_us[0] = clock.skipped_us[0];
  }

  /** One tick. The robot is stepped by the caller. */
  step(): void {
    if (this.#ticks % STATE_TICKS === 0) Atomics.store(this.#control, ControlWord.STATE_WANTED, 1);
    this.#skip();
    this.#loop.step();
    this.#link.announce();
    this.#log?.discard();
    // a run predicts every tenth tick
    this.tick.energy.prediction.refresh();
  }

  /** The robot comes anew, or goes without a word. */
  connect(connected: boolean): void {
    if (connected) this.robot.begin();
    Atomics.store(this.#control, ControlWord.ROBOT_CONNECTED, connected ? 1 : 0);
  }

  close(): void {
    this.#doorbell?.close();
  }
}
