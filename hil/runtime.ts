/**
 * The running loop as the main thread sees it: shared memory, the loop worker, the link worker or the serial line, the event
 * stream, and requests with answers. The main thread never waits for the loop, and the loop never for the main thread.
 */
import { extname } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { compileScenario } from '../config/compile.ts';
import { loadScenario } from '../config/scenario.ts';
import type { Settings } from '../config/settings.ts';
import { isAdaptive } from '../src/check-model.ts';
import { BerthError, type BerthErrorCode } from '../src/errors.ts';
import type { SystemModel } from '../src/model.ts';
import { monotonic_us } from './clock.ts';
import { ROW_WIDTH, columnIndex } from './columns.ts';
import { COMMAND_ARGUMENT, COMMAND_RESULTS, COMMAND_WIDTH } from './commands.ts';
import { EVENT_WIDTH, EventKind } from './events.ts';
import { openSerial, type SerialLine } from './links/serial-open.ts';
import { checkSerialLoad } from './protocol/serial-load.ts';
import { RecordRing, TelemetryRing } from './ring.ts';
import type { LoopEvent, Runtime } from './runtime-types.ts';
import { LOOP_MODES, SAFETY_STATES, type LoopModeName } from './safety/codes.ts';
import { ControlWord, allocateShared } from './shared.ts';
import { startThread } from './start-thread.ts';
import type { LinkWorkerData, LoopWorkerData, WorkerMessage } from './worker-data.ts';

const EVENT_POLL_MS = 5;
const REQUEST_TIMEOUT_MS = 1000;
const START_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 2000;
/** States in which the model or the mode must not be changed. */
const BUSY = ['ARMING', 'ACTIVE_FREE', 'ACTIVE_CONTACT', 'STOPPING'];

/** Options of `startRuntime`. */
export interface RuntimeOptions {
  /** Called for things worth a log line: real-time class refused, a worker that died. */
  readonly onNote?: (message: string) => void;
}

/** Start a worker and wait for its first word. */
async function startWorker(
  name: string,
  data: LinkWorkerData | LoopWorkerData,
  onNote: (message: string) => void,
): Promise<{ worker: Worker; port: number }> {
  const file = new URL(`./${name}${extname(import.meta.url)}`, import.meta.url);
  const worker = startThread(file, { workerData: data, name });
  const port = await new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(
        new BerthError('BERTH_TIMEOUT', `${name} did not start in ${START_TIMEOUT_MS / 1000} s`),
      );
    }, START_TIMEOUT_MS);
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'note') {
        onNote(message.message);
        return;
      }
      clearTimeout(timer);
      if (message.kind === 'ready') resolve(message.port);
      else reject(new BerthError(message.code as BerthErrorCode, message.message));
    });
    worker.on('error', (error: unknown) => {
      clearTimeout(timer);
      const text = error instanceof Error ? error.message : String(error);
      onNote(`${name} ended with an error: ${text}`);
      reject(new BerthError('BERTH_WORKER', `${name} failed: ${text}`, { cause: error }));
    });
  }).catch(async (error: unknown) => {
    await worker.terminate();
    throw error;
  });
  return { worker, port };
}

/** Compile a scenario for a mode, or say why it does not fit. */
function prepareModel(scenario: string, mode: string): { model: SystemModel; mode: LoopModeName } {
  const name = LOOP_MODES.find((m) => m === mode);
  if (name === undefined) {
    throw new BerthError(
      'BERTH_UNKNOWN_NAME',
      `mode: "${mode}" is not one of ${LOOP_MODES.join(', ')}`,
      {
        field: 'mode',
      },
    );
  }
  const model = compileScenario(loadScenario(scenario));
  if (isAdaptive(model.integrator)) {
    throw new BerthError(
      'BERTH_UNSUPPORTED',
      `scenario: "${scenario}" integrates by ${model.integrator}, which takes as many steps as its tolerance needs and cannot keep the deadlines of the loop; allowed there: integration.kind implicit-contact, symplectic-euler, ode3, rk4 or ode5`,
      { field: 'integration.kind' },
    );
  }
  if (model.tool === null && name !== 'simulation') {
    throw new BerthError(
      'BERTH_MISMATCH',
      `scenario: "${scenario}" has no tool, so it can only run in mode simulation, not ${name}`,
      { field: 'scenario' },
    );
  }
  return { model, mode: name };
}

class LoopRuntime implements Runtime {
  readonly shared = allocateShared();
  scenario: string;
  mode: string;
  robotAddress = '';
  readonly #settings: Settings;
  readonly #onNote: (message: string) => void;
  readonly #control = new Int32Array(this.shared.control);
  readonly #commands = new RecordRing(this.shared.commands, COMMAND_WIDTH);
  readonly #events = new RecordRing(this.shared.events, EVENT_WIDTH);
  readonly #telemetry = new TelemetryRing(this.shared.telemetry, ROW_WIDTH);
  readonly #record = new Float64Array(COMMAND_WIDTH);
  readonly #event = new Float64Array(EVENT_WIDTH);
  readonly #row = new Float64Array(ROW_WIDTH);
  readonly #listeners = new Set<(event: LoopEvent) => void>();
  readonly #waiting = new Map<number, (answer: string) => void>();
  #nextRequest = 1;
  #loopWorker: Worker | null = null;
  #linkWorker: Worker | null = null;
  #serial: SerialLine | null = null;
  #poll: NodeJS.Timeout | null = null;

  constructor(settings: Settings, onNote: (message: string) => void) {
    this.#settings = settings;
    this.#onNote = onNote;
    this.scenario = settings.scenario;
    this.mode = settings.mode;
  }

  async start(): Promise<void> {
    const { robot, loop } = this.#settings;
    const prepared = prepareModel(this.scenario, this.mode);
    try {
      if (robot.transport === 'websocket') {
        const { worker, port } = await startWorker(
          'link-worker',
          {
            shared: this.shared,
            host: robot.host,
            port: robot.port,
            key: robot.key,
            priority: Math.max(0, loop.realtime_priority - 10),
          },
          this.#onNote,
        );
        this.#linkWorker = worker;
        const host = robot.host.includes(':') ? `[${robot.host}]` : robot.host;
        this.robotAddress = `ws://${host}:${port}/robot`;
      } else if (robot.transport === 'serial') {
        checkSerialLoad(robot.baud, 1 / loop.period_s);
        this.#serial = await openSerial(robot.serial_path, robot.baud);
        this.robotAddress = robot.serial_path;
      }
      await this.#startLoop(prepared);
    } catch (error) {
      await this.close();
      throw error;
    }
    this.#poll = setInterval(() => this.#drainEvents(), EVENT_POLL_MS);
  }

  async #startLoop(prepared: { model: SystemModel; mode: LoopModeName }): Promise<void> {
    Atomics.store(this.#control, ControlWord.SHUTDOWN, 0);
    const data: LoopWorkerData = {
      shared: this.shared,
      settings: this.#settings,
      model: prepared.model,
      mode: prepared.mode,
      serialFd: this.#serial?.fd ?? -1,
    };
    this.#loopWorker = (await startWorker('loop-worker', data, this.#onNote)).worker;
  }

  /** Ask the loop for a category-1 stop and wait until its worker has ended. */
  async #stopLoop(): Promise<void> {
    const worker = this.#loopWorker;
    this.#loopWorker = null;
    if (worker === null) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    Atomics.store(this.#control, ControlWord.SHUTDOWN, 1);
    const timer = setTimeout(() => {
      this.#onNote('The loop worker did not end in time and was terminated');
      void worker.terminate();
    }, STOP_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
    this.#drainEvents();
  }

  readNewest(row: Float64Array): boolean {
    return this.#telemetry.readNewest(row);
  }

  post(kind: number, ...args: number[]): boolean {
    return this.#push(kind, 0, args);
  }

  #push(kind: number, request: number, args: readonly number[]): boolean {
    const record = this.#record.fill(0);
    record[0] = kind;
    record[1] = request;
    record[2] = monotonic_us();
    for (let i = 0; i < args.length; i++) record[COMMAND_ARGUMENT + i] = args[i];
    return this.#commands.push(record);
  }

  request(kind: number, ...args: number[]): Promise<string> {
    const id = this.#nextRequest++;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        resolve('timeout');
      }, REQUEST_TIMEOUT_MS);
      this.#waiting.set(id, (answer) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(answer);
      });
      if (!this.#push(kind, id, args)) this.#waiting.get(id)?.('timeout');
    });
  }

  async load(scenario: string, mode: string): Promise<void> {
    const prepared = prepareModel(scenario, mode);
    if (this.readNewest(this.#row)) {
      const state = SAFETY_STATES[this.#row[columnIndex('safety_state')]] ?? 'OFFLINE';
      if (BUSY.includes(state)) {
        const text = `scenario: cannot be changed in state ${state}; stop or hold first`;
        throw new BerthError('BERTH_WRONG_STATE', text, { field: 'scenario' });
      }
    }
    await this.#stopLoop();
    this.scenario = scenario;
    this.mode = mode;
    await this.#startLoop(prepared);
  }

  onEvent(listener: (event: LoopEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
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
      if (kind === EventKind.ANSWER) this.#waiting.get(a)?.(COMMAND_RESULTS[b] ?? 'not_allowed');
      for (const listener of this.#listeners) listener({ kind, tick, time_s, a, b, c });
    }
  }

  async close(): Promise<void> {
    await this.#stopLoop();
    if (this.#poll !== null) clearInterval(this.#poll);
    this.#poll = null;
    for (const answer of [...this.#waiting.values()]) answer('timeout');
    const link = this.#linkWorker;
    this.#linkWorker = null;
    if (link !== null) {
      const ended = new Promise<void>((resolve) => link.once('exit', () => resolve()));
      link.postMessage('close');
      const timer = setTimeout(() => void link.terminate(), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(timer);
    }
    await this.#serial?.close();
    this.#serial = null;
  }
}

/** Start the loop with everything it needs. @throws BerthError naming the setting that does not work. */
export async function startRuntime(
  settings: Settings,
  options: RuntimeOptions = {},
): Promise<Runtime> {
  const runtime = new LoopRuntime(settings, options.onNote ?? ((): void => undefined));
  await runtime.start();
  return runtime;
}
