/**
 * A loop on the virtual clock over the frame rings of a service, with the emulated robot at their far end: run by one tick, or by two
 * that share it as redundant workers do. Everything that comes out of it is kept, so that the two can be compared bit for bit.
 */
import { compileScenario } from '../../../config/compile.ts';
import { loadSettings } from '../../../config/load-settings.ts';
import { loadScenario } from '../../../config/scenario.ts';
import type { Settings } from '../../../config/settings.ts';
import { type DozingClock, VirtualClock } from '../../../hil/os/clock.ts';
import { ROW_WIDTH } from '../../../hil/contract/columns.ts';
import { COMMAND_ARGUMENT, COMMAND_WIDTH } from '../../../hil/contract/commands.ts';
import {
  NO_IMPAIRMENT,
  defaultEmulatorOptions,
  scaleNoise,
} from '../../../hil/emulator/options.ts';
import { EmulatedRobot } from '../../../hil/emulator/robot.ts';
import { EVENT_WIDTH, EventKind } from '../../../hil/contract/events.ts';
import { InjectingLink } from '../../../hil/faults/injecting-link.ts';
import type { Link } from '../../../hil/contract/link.ts';
import { RingLink } from '../../../hil/links/ring-link.ts';
import { Loop } from '../../../hil/loop/loop.ts';
import { makeSession, makeTaggingLink } from '../../../hil/loop/loop-session.ts';
import type { Endpoint } from '../../../hil/protocol/endpoint.ts';
import type { NonceSource } from '../../../hil/protocol/nonce.ts';
import { LogRing, type LogView } from '../../../hil/memory/log-ring.ts';
import { RecordingLink } from '../../../hil/recording/recording-link.ts';
import { makeTap, type RecordingTap } from '../../../hil/telemetry/tap.ts';
import { joinPair, allocatePair } from '../../../hil/redundant/pair.ts';
import type { PairMemory } from '../../../hil/loop/worker-data.ts';
import type { RedundantLoop } from '../../../hil/redundant/redundant-loop.ts';
import { Turn } from '../../../hil/redundant/turn.ts';
import { FrameRing, RecordRing, TelemetryRing } from '../../../hil/memory/ring.ts';
import { LOOP_MODES, type LoopModeName } from '../../../hil/contract/codes.ts';
import { SCENE_WIDTH } from '../../../hil/contract/scene-columns.ts';
import { ControlWord, allocateShared, type SharedBuffers } from '../../../hil/memory/shared.ts';
import { Tick } from '../../../hil/loop/tick.ts';
import { TickTiming } from '../../../hil/contract/timing.ts';
import type { SystemModel } from '../../../src/model/model.ts';
import { makeSystem } from '../../../src/system/system.ts';

const LOG_BYTES = 1 << 20;
/** Rows are read after every tick. */
const TELEMETRY_ROWS = 64;

/** Nonces that depend on nothing but the time: whichever worker draws one, it is the same. */
class TimedNonces implements NonceSource {
  readonly #timing: TickTiming;

  constructor(timing: TickTiming) {
    this.#timing = timing;
  }

  draw(out: Uint32Array): void {
    out[0] = 1000 + this.#timing.executed;
    out[1] = 77;
  }
}

/** The robot's end of the rings. */
class RobotEnd implements Link {
  readonly transport = 'rings';
  readonly connected = true;
  readonly bytesReceived = 0;
  readonly bytesSent = 0;
  readonly resyncs = 0;
  readonly oversized = 0;
  receivedAt_us = 0;
  readonly #frames: string[];
  readonly #in: FrameRing;
  readonly #out: FrameRing;
  readonly #clock: VirtualClock;

  constructor(shared: SharedBuffers, clock: VirtualClock, frames: string[]) {
    this.#frames = frames;
    this.#in = new FrameRing(shared.toRobot);
    this.#out = new FrameRing(shared.fromRobot);
    this.#clock = clock;
  }

  receive(frame: Uint8Array): number {
    this.receivedAt_us = this.#clock.now_us();
    const length = this.#in.pop(frame);
    if (length > 0) this.#frames.push(Buffer.from(frame.subarray(0, length)).toString('base64'));
    return length;
  }

  send(frame: Uint8Array, length: number): boolean {
    return this.#out.push(frame, length, this.#clock.now_us());
  }
}

/** The rig's clock as one worker reads it: a test may stop the worker there. */
class WorkerClock implements DozingClock {
  readonly time_us: Float64Array;
  readonly shift_us: Float64Array;
  /** Called before every reading. */
  hook: () => void = () => undefined;
  /** By how much a sleep ends late, µs. */
  lateDoze_us = 0;
  readonly #base: VirtualClock;

  constructor(base: VirtualClock) {
    this.#base = base;
    this.time_us = base.time_us;
    this.shift_us = base.shift_us;
  }

  get release_us(): number {
    return this.#base.release_us;
  }

  set release_us(time: number) {
    this.#base.release_us = time;
  }

  sample(): void {
    this.hook();
    this.#base.sample();
  }

  now_us(): number {
    return this.#base.now_us();
  }

  waitForRelease(): void {
    this.#base.waitForRelease();
  }

  doze(): void {
    this.#base.doze();
    this.#base.advance_us(this.lateDoze_us);
  }

  poll(): void {
    this.#base.poll();
  }
}

/** One tick with what it stands on. */
interface Seat {
  readonly tick: Tick;
  readonly timing: TickTiming;
  readonly tap: RecordingTap | null;
  readonly injector: InjectingLink;
  readonly clock: WorkerClock;
}

/** Options of a rig. */
export interface RedundantRigOptions {
  readonly redundant: boolean;
  readonly mode?: LoopModeName;
  readonly model?: SystemModel;
  readonly settings?: (settings: Settings) => void;
  readonly recorded?: boolean;
  readonly patience_s?: number;
}

/** Loop on the virtual clock with one worker or with two. */
export class RedundantRig {
  readonly clock = new VirtualClock();
  readonly shared: SharedBuffers;
  readonly settings: Settings;
  readonly seats: Seat[];
  readonly workers: RedundantLoop[] = [];
  /** The word as each worker reads it. */
  readonly turns: Turn[] = [];
  readonly memory: PairMemory | null;
  readonly loop: Loop | null;
  readonly robot: EmulatedRobot;
  /** Everything that came out, as bytes in words. */
  readonly events: string[] = [];
  readonly rows: Float64Array[] = [];
  readonly scenes: string[] = [];
  readonly frames: string[] = [];
  readonly records: string[] = [];
  readonly errors: unknown[] = [];
  readonly #mode: LoopModeName;
  readonly #model: SystemModel;
  readonly #patience_s: number;
  readonly #commands: RecordRing;
  readonly #events: RecordRing;
  readonly #telemetry: TelemetryRing;
  readonly #scene: TelemetryRing;
  readonly #log: LogRing | null;
  #rowAt = 0;
  #sceneAt = 0;
  #sequence = 0;

  constructor(options: RedundantRigOptions) {
    this.shared = allocateShared(options.recorded === true ? LOG_BYTES : 0, TELEMETRY_ROWS);
    const settings = structuredClone(loadSettings());
    settings.allow_fault_injection = true;
    settings.energy.permit = 'advisory'; // there is no operator to acknowledge
    options.settings?.(settings);
    this.settings = settings;
    const mode = options.mode ?? 'virtual';
    const model = options.model ?? compileScenario(loadScenario('half-sphere-on-plate'));
    Atomics.store(new Int32Array(this.shared.control), ControlWord.ROBOT_CONNECTED, 1);
    this.#mode = mode;
    this.#model = model;
    this.#patience_s = options.patience_s ?? 0;
    if (options.redundant) {
      const memory = allocatePair(this.shared, makeSystem(model).state.length);
      this.memory = memory;
      this.seats = [];
      memory.stages.forEach((_, worker) => this.join(worker));
      this.loop = null;
    } else {
      this.memory = null;
      const seat = this.#sit(this.shared);
      this.seats = [seat];
      this.loop = new Loop(seat.clock, seat.tick, seat.timing, {
        period_s: settings.loop.period_s,
        stall_s: settings.loop.overrun_single_s,
      });
      seat.tick.events.write(EventKind.REALTIME, 0, 0); // as a loop worker does
      this.loop.start();
    }
    const far = new RobotEnd(this.shared, this.clock, this.frames);
    const defaults = defaultEmulatorOptions(far);
    const body = model.bodies.find((b) => b.name === model.tool?.payload);
    this.robot = new EmulatedRobot({
      ...defaults,
      period_s: settings.loop.period_s,
      key: settings.robot.key,
      position: body?.position ?? [0, 0, 0],
      orientation: body?.orientation ?? [0, 0, 0, 1],
      noise: scaleNoise(defaults.noise, 0),
      impairIn: NO_IMPAIRMENT,
      impairOut: NO_IMPAIRMENT,
      wall: mode === 'hardware' ? { model, payload: model.tool?.payload ?? '' } : null,
    });
    // one and the same robot in every run: it draws its nonce, and from that its first number, at random
    const end = Reflect.get(this.robot.session, 'end') as Endpoint;
    end.nonces.robot.set([4711, 1]);
    end.seq = 1;
    this.#commands = new RecordRing(this.shared.commands, COMMAND_WIDTH);
    this.#events = new RecordRing(this.shared.events, EVENT_WIDTH);
    this.#telemetry = new TelemetryRing(this.shared.telemetry, ROW_WIDTH);
    this.#scene = new TelemetryRing(this.shared.scene, SCENE_WIDTH);
    this.#log = options.recorded === true ? new LogRing(this.shared.log) : null;
  }

  #sit(shared: SharedBuffers): Seat {
    const { settings } = this;
    const clock = new WorkerClock(this.clock);
    const timing = new TickTiming();
    const ring = new RingLink(shared.fromRobot, shared.toRobot, shared.control);
    const tagging = makeTaggingLink(ring, settings, '');
    const session = makeSession(settings, new TimedNonces(timing), '');
    tagging.session = session.tags;
    const injector = new InjectingLink(tagging);
    const tap = makeTap(shared, timing, settings.loop.period_s);
    const link = tap === null ? injector : new RecordingLink(injector, tap);
    const tick = new Tick({
      system: makeSystem(this.#model),
      mode: LOOP_MODES.indexOf(this.#mode),
      session,
      link,
      injector,
      clock,
      timing,
      settings,
      shared,
      tap,
      onError: (error) => this.errors.push(error),
    });
    return { tick, timing, tap, injector, clock };
  }

  /** A worker on a new seat, as a thread that begins makes it. */
  join(worker: number): void {
    const memory = this.memory!;
    this.seats[worker] = this.#sit(memory.stages[worker].buffers);
    const { loop, turn } = joinPair({
      ...this.seats[worker],
      memory,
      real: this.shared,
      worker,
      settings: this.settings,
      farewell: () => undefined,
      realtime: [0, 0],
      stall: () => undefined,
      headStart_s: 0,
      patience_s: this.#patience_s,
    });
    turn.setJoined(worker, true);
    this.turns[worker] = turn;
    this.workers[worker] = loop;
  }

  /** Post a command as the main thread does. */
  command(kind: number, ...args: number[]): void {
    const record = new Float64Array(COMMAND_WIDTH);
    record[0] = kind;
    record[1] = 1;
    record[2] = this.clock.now_us();
    args.forEach((value, i) => (record[COMMAND_ARGUMENT + i] = value));
    if (!this.#commands.push(record)) throw new Error('The command ring is full');
  }

  /** Hand-controller input on all axes, coarse gear, base frame. */
  input(axes: readonly number[], deadman: 0 | 1): void {
    this.command(1, ...axes, deadman, 1, 0, ++this.#sequence, 0);
  }

  /** Run one tick, by `step` or the single loop; then the robot's cycle, and everything that came out is taken. */
  tick(step: () => void = (): void => this.loop!.step()): void {
    step();
    this.robot.step(this.settings.loop.period_s, this.clock.now_us());
    const event = new Float64Array(EVENT_WIDTH);
    while (this.#events.pop(event)) this.events.push(event.join(' '));
    for (; this.#rowAt < this.#telemetry.written; this.#rowAt++) {
      const row = new Float64Array(ROW_WIDTH);
      if (!this.#telemetry.read(this.#rowAt, row)) throw new Error('a row is gone');
      this.rows.push(row);
    }
    for (; this.#sceneAt < this.#scene.written; this.#sceneAt++) {
      const row = new Float64Array(SCENE_WIDTH);
      if (!this.#scene.read(this.#sceneAt, row)) throw new Error('a scene is gone');
      this.scenes.push(row.join(' '));
    }
    const view: LogView = { kind: 0, time_us: 0, bytes: new Uint8Array(0) };
    while (this.#log?.read(view) === true) {
      this.records.push(
        `${view.kind} ${view.time_us} ${Buffer.from(view.bytes).toString('base64')}`,
      );
    }
  }

  /** Rows in the service's memory, taken or not. */
  get published(): number {
    return this.#telemetry.written;
  }

  /** Ticks that are done. */
  get done(): number {
    return this.rows.length;
  }

  /** The loop's counters in the service's memory. */
  get counters(): Float64Array {
    return new Float64Array(this.shared.loopCounters);
  }
}
