/**
 * The running loop in the main thread: shared memory, the loop worker, the link worker or the
 * serial line, the event stream, and requests with answers. Neither the main thread nor the loop
 * ever waits for the other.
 */
import type { Settings } from '../../config/settings.ts';
import { BerthError } from '../../src/base/errors.ts';
import { monotonic_us } from '../os/clock.ts';
import { Column, ROW_WIDTH } from '../contract/columns.ts';
import { checkSettings } from './check-settings.ts';
import { compensateVirtual } from './compensate-virtual.ts';
import { collectAlone } from '../os/collector.ts';
import {
  COMMAND_ARGUMENT,
  COMMAND_RESULTS,
  COMMAND_WIDTH,
  CommandColumn,
} from '../contract/commands.ts';
import { EVENT_WIDTH, EventKind } from '../contract/events.ts';
import type { Prepared } from '../loop/prepare-model.ts';
import { SerialKeeper } from '../links/serial-keeper.ts';
import { withoutSecrets } from '../recording/facts.ts';
import { type InjectionName, LINK_WORKER_FAULTS, RECORDER_FAULTS } from '../contract/injections.ts';
import { LOG_RING_BYTES } from '../memory/log-ring.ts';
import { LoopCounters, LoopSlot } from '../memory/loop-counters.ts';
import { RecordRing, TelemetryRing } from '../memory/ring.ts';
import type { LoopEvent, RecordingStatus, Runtime } from './runtime-types.ts';
import { SAFETY_STATES, SafetyState } from '../contract/codes.ts';
import { type ModelNames, modelNames, NO_NAMES, SCENE_WIDTH } from '../contract/scene-columns.ts';
import { ControlWord, LoopState, type SharedBuffers, allocateShared } from '../memory/shared.ts';
import type { TlsMaterial } from '../access/tls.ts';
import { LinkThread } from './link-thread.ts';
import { LoadGate } from '../operator/load-gate.ts';
import { RobotBook, type RobotRefusal } from './robot-book.ts';
import { RecorderThread } from './recorder-thread.ts';
import { LoopWorkers } from './loop-workers.ts';
import type { LoopWorkerData } from '../loop/worker-data.ts';

const EVENT_POLL_MS = 5;
/** Polls before a request times out, at least a second in all. A blocked main thread does not count as waiting. */
const REQUEST_POLLS = 200;
/** States in which model and mode must not change. */
const BUSY = ['ARMING', 'ACTIVE_FREE', 'ACTIVE_CONTACT', 'STOPPING'];
/** States in which a motion starts: the first, and the others at the end of a HOLD. */
const MOTIONS = [SafetyState.ARMING, SafetyState.ACTIVE_FREE, SafetyState.ACTIVE_CONTACT];

/** Options of `startRuntime`. */
export interface RuntimeOptions {
  /** Receives lines for the log: real-time class refused, a worker that ended. */
  readonly onNote?: (message: string) => void;
  /** Key of the run, with which the service's own emulated robot authenticates itself. */
  readonly runKey?: string;
  /** False starts the loop seconds sooner with late first ticks, for runs without wall-clock requirements. */
  readonly warmUp?: boolean;
  /** Where the settings choose no compensation, that of `compensateVirtual`, for each scenario that is loaded. */
  readonly compensateVirtual?: boolean;
}

/** Whether the loop writes to a recorder: for a recording, or for the time before a fault. */
function isRecorded({ recording }: Settings): boolean {
  return recording.mode !== 'off' || recording.freezes > 0;
}

/** @throws BerthError with the reason why no scenario can be loaded now */
function refuseLoad(why: string): never {
  const text = `scenario: cannot be changed ${why}`;
  throw new BerthError('BERTH_WRONG_STATE', text, { field: 'scenario' });
}

class LoopRuntime implements Runtime {
  readonly shared: SharedBuffers;
  scenario: string;
  mode: string;
  names: ModelNames = NO_NAMES;
  robotAddress = '';
  #settings: Settings;
  readonly #onNote: (message: string) => void;
  readonly #runKey: string;
  readonly #warmUp: boolean;
  readonly #compensateVirtual: boolean;
  readonly #control: Int32Array;
  readonly #commands: RecordRing;
  readonly #events: RecordRing;
  readonly #telemetry: TelemetryRing;
  readonly #scene: TelemetryRing;
  readonly #record = new Float64Array(COMMAND_WIDTH);
  readonly #event = new Float64Array(EVENT_WIDTH);
  readonly #row = new Float64Array(ROW_WIDTH);
  readonly #listeners = new Set<(event: LoopEvent) => void>();
  readonly #waiting = new Map<number, { readonly end: (answer: string) => void; polls: number }>();
  #nextRequest = 1;
  #loop: LoopWorkers | null = null;
  #recorder: RecorderThread | null = null;
  #link: LinkThread | null = null;
  #serial: SerialKeeper | null = null;
  readonly #robot: RobotBook;
  #poll: NodeJS.Timeout | null = null;
  /** Present load of a scenario; two at once would run two loops on one memory. */
  #loading: Promise<void> | null = null;
  readonly #gate: LoadGate;
  /** Number of entries into each state. */
  readonly #entered: Float64Array;
  #closing = false;

  constructor(settings: Settings, options: RuntimeOptions) {
    const { onNote, runKey, warmUp } = options;
    this.shared = allocateShared(isRecorded(settings) ? LOG_RING_BYTES : 0);
    this.#control = new Int32Array(this.shared.control);
    this.#commands = new RecordRing(this.shared.commands, COMMAND_WIDTH);
    this.#events = new RecordRing(this.shared.events, EVENT_WIDTH);
    this.#telemetry = new TelemetryRing(this.shared.telemetry, ROW_WIDTH);
    this.#scene = new TelemetryRing(this.shared.scene, SCENE_WIDTH);
    this.#settings = settings;
    this.#onNote = onNote ?? ((): void => undefined);
    this.#entered = new LoopCounters(this.shared.loopCounters).slots.subarray(
      LoopSlot.safety_transitions_total,
    );
    this.#gate = new LoadGate({
      ticks: () => (this.#loop?.alive === true ? this.#telemetry.written : Infinity),
      whyBusy: () => this.#whyBusy(),
      begun: () => MOTIONS.reduce((sum, state) => sum + this.#entered[state], 0),
      now_ms: () => performance.now(),
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
    this.#robot = new RobotBook(this.shared, settings.robot.serial_path);
    this.#runKey = runKey ?? '';
    this.#warmUp = warmUp ?? true;
    this.#compensateVirtual = options.compensateVirtual ?? false;
    this.scenario = settings.scenario;
    this.mode = settings.mode;
  }

  async start(): Promise<void> {
    const { robot } = this.#settings;
    const prepared = checkSettings(this.#settings);
    try {
      if (robot.transport === 'websocket') {
        this.#link = await LinkThread.start(this.#settings, this.shared, this.#onNote);
        this.#link.onTurn = (peer) => this.#robot.turn(peer);
        this.#link.onRefused = (refusal) => this.#robot.refused(refusal);
        const host = robot.host.includes(':') ? `[${robot.host}]` : robot.host;
        const scheme = this.#link.isSecure ? 'wss' : 'ws';
        this.robotAddress = `${scheme}://${host}:${this.#link.port}/robot`;
      } else if (robot.transport === 'serial') {
        const seat = this.#control.subarray(ControlWord.SERIAL, ControlWord.SERIAL + 1);
        this.#serial = new SerialKeeper(robot.serial_path, robot.baud, seat, this.#onNote);
        await this.#serial.open();
        this.robotAddress = robot.serial_path;
      }
      await this.#startLoop(prepared);
    } catch (error) {
      await this.close();
      throw error;
    }
    this.#poll = setInterval(() => {
      this.#drainEvents();
      // after what the port has said by now: whose turn it is comes before what that robot sent
      setImmediate(() => this.#robot.drain());
      this.#expire();
    }, EVENT_POLL_MS);
  }

  async #startLoop(prepared: Prepared): Promise<void> {
    Atomics.store(this.#control, ControlWord.SHUTDOWN, 0);
    Atomics.store(this.#control, ControlWord.LOOP_STATE, LoopState.NOT_STARTED);
    while (this.#commands.pop(this.#record)); // commands for the ended loop are not for the next
    // nor are its last rows the state of the next
    this.#telemetry.begin();
    this.#scene.begin();
    this.names = modelNames(prepared.model);
    try {
      await this.#startWorkers(prepared);
    } catch (error) {
      await this.#stopLoop(); // a recorder without a loop
      Atomics.store(this.#control, ControlWord.LOOP_STATE, LoopState.FAILED);
      throw error;
    }
  }

  async #startWorkers(prepared: Prepared): Promise<void> {
    const settings = this.#compensateVirtual
      ? compensateVirtual(this.#settings, prepared)
      : this.#settings;
    if (isRecorded(settings)) {
      const { shared, scenario } = this;
      const facts = { ...prepared, shared, scenario, settings: withoutSecrets(settings) };
      this.#recorder = await RecorderThread.start(facts, this.#onNote);
    }
    const data: LoopWorkerData = {
      shared: this.shared,
      settings,
      model: prepared.model,
      mode: prepared.mode,
      warmUp: this.#warmUp,
      ...(this.#runKey === '' ? {} : { runKey: this.#runKey }),
    };
    if (this.#closing) throw new BerthError('BERTH_WRONG_STATE', 'the service ends');
    this.#loop = await LoopWorkers.start(data, this.#onNote);
  }

  /** Requests a category-1 stop and waits until the workers have ended and the recording is closed. */
  async #stopLoop(): Promise<void> {
    const loop = this.#loop;
    this.#loop = null;
    await loop?.end();
    this.#drainEvents();
    const recorder = this.#recorder;
    this.#recorder = null;
    await recorder?.close();
  }

  readNewest(row: Float64Array): boolean {
    return this.#telemetry.readNewest(row);
  }

  post(kind: number, ...args: number[]): boolean {
    return this.#gate.passes(kind) && this.#push(kind, 0, args);
  }

  #push(kind: number, request: number, args: readonly number[]): boolean {
    const record = this.#record.fill(0);
    record[CommandColumn.kind] = kind;
    record[CommandColumn.request] = request;
    record[CommandColumn.received_us] = monotonic_us();
    for (let i = 0; i < args.length; i++) record[COMMAND_ARGUMENT + i] = args[i];
    return this.#commands.push(record);
  }

  request(kind: number, ...args: number[]): Promise<string> {
    if (!this.#gate.passes(kind)) return Promise.resolve('loading');
    const id = this.#nextRequest++;
    return new Promise((resolve) => {
      const end = (answer: string): void => {
        this.#waiting.delete(id);
        resolve(answer);
      };
      this.#waiting.set(id, { end, polls: REQUEST_POLLS });
      if (!this.#push(kind, id, args)) end('timeout');
    });
  }

  async load(scenario: string, mode: string): Promise<void> {
    if (this.#closing) refuseLoad('while the service ends');
    if (this.#loading !== null) refuseLoad('while another is being loaded');
    this.#loading = this.#loadAlone(scenario, mode);
    try {
      await this.#loading;
    } finally {
      this.#loading = null;
      this.#gate.open();
    }
  }

  async #loadAlone(scenario: string, mode: string): Promise<void> {
    const busy = await this.#gate.close(); // before the compilation, because its load would disturb a flight
    if (busy !== '') refuseLoad(busy);
    await this.#reload(scenario, checkSettings(this.#settings, scenario, mode));
  }

  async #reload(scenario: string, prepared: Prepared): Promise<void> {
    await this.#stopLoop();
    this.scenario = scenario;
    this.mode = prepared.mode;
    await this.#startLoop(prepared);
  }

  /** Reason why no scenario can be loaded now; '' when one can. The last row of an ended loop does not count. */
  #whyBusy(): string {
    if (this.#loop?.alive !== true || !this.readNewest(this.#row)) return '';
    const state = SAFETY_STATES[this.#row[Column.safety_state]] ?? 'OFFLINE';
    return BUSY.includes(state) ? `in state ${state}; stop or hold first` : '';
  }

  recording(): RecordingStatus {
    return (
      this.#recorder?.status() ?? {
        state: 'off',
        file: '',
        bytes: 0,
        dropped: 0,
        keeps_s: 0,
        freezes: [],
      }
    );
  }

  note(text: string, level: number): void {
    this.#recorder?.note(text, level);
  }

  inject(fault: InjectionName, amount: number): void {
    if (LINK_WORKER_FAULTS.includes(fault)) this.#link?.inject(fault, amount);
    else if (RECORDER_FAULTS.includes(fault)) this.#recorder?.inject(fault, amount);
  }

  async exchangeRobotKey(key: string): Promise<void> {
    const busy = this.#whyBusy();
    if (busy !== '') {
      const text = `robot.key: cannot be changed ${busy}`;
      throw new BerthError('BERTH_WRONG_STATE', text, { field: 'robot.key' });
    }
    this.#settings = { ...this.#settings, robot: { ...this.#settings.robot, key } };
    this.#link?.dropRobot();
    await this.load(this.scenario, this.mode);
  }

  onWrongKey(listener: (peer: string) => void): void {
    if (this.#link !== null) this.#link.onWrongKey = listener;
  }

  robot(): RobotBook {
    return this.#robot;
  }

  onRefused(listener: (refusal: RobotRefusal, more: number) => void): void {
    this.#robot.onRefused = listener;
  }

  exchangeTls(material: TlsMaterial): void {
    this.#link?.exchangeTls(material);
  }

  onEvent(listener: (event: LoopEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #expire(): void {
    for (const waiting of this.#waiting.values()) {
      if (--waiting.polls === 0) waiting.end('timeout');
    }
  }

  #drainEvents(): void {
    const record = this.#event;
    while (this.#events.pop(record)) {
      const [kind, tick, time_s, a, b, c] = record as unknown as [
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      if (kind === EventKind.ANSWER) {
        this.#waiting.get(a)?.end(COMMAND_RESULTS[b] ?? 'not_allowed');
      }
      for (const listener of this.#listeners) listener({ kind, tick, time_s, a, b, c });
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#loading?.catch(() => undefined); // the caller of load() already received this error
    await this.#stopLoop();
    if (this.#poll !== null) clearInterval(this.#poll);
    this.#poll = null;
    for (const { end } of [...this.#waiting.values()]) end('timeout');
    await this.#link?.close();
    this.#link = null;
    await this.#serial?.close();
    this.#serial = null;
  }
}

/** Starts the loop with all its parts. @throws BerthError naming the setting that is wrong */
export async function startRuntime(
  settings: Settings,
  options: RuntimeOptions = {},
): Promise<Runtime> {
  collectAlone();
  const runtime = new LoopRuntime(settings, options);
  await runtime.start();
  return runtime;
}
