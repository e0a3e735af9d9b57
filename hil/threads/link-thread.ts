/**
 * The link worker, owned by the main thread. A worker that ends by an error takes the robot's
 * connection with it. The loop is informed at once, loses the link and stops. A new worker listens
 * on the same port, where the robot finds it. Nothing moves before a new ARM.
 */
import type { Worker } from 'node:worker_threads';
import type { Settings } from '../../config/settings.ts';
import { SHORT_COLLECTIONS } from '../os/collector.ts';
import { LINK_FAMILIES, slotsOf } from '../contract/counters.ts';
import type { InjectionName } from '../contract/injections.ts';
import { DoorbellPair } from '../memory/os-doorbell.ts';
import { ControlWord, type SharedBuffers } from '../memory/shared.ts';
import { type Started, startWorker } from './start-worker.ts';
import { readTls, type TlsMaterial } from '../access/tls.ts';
import type {
  LinkRequest,
  LinkWorkerData,
  PortRefusal,
  WorkerMessage,
} from '../loop/worker-data.ts';

const CLOSE_TIMEOUT_MS = 2000;
/** Pause before a restart, ms, so that a worker that fails at once does not take a core. */
const RESTART_MS = 500;
const SESSIONS = slotsOf(LINK_FAMILIES).robot_sessions;

type LinkThreadData = Omit<LinkWorkerData, 'doorbellFd'>;

function startWith(
  data: LinkThreadData,
  doorbell: DoorbellPair | null,
  onNote: (message: string) => void,
): Promise<Started> {
  const all = { ...data, doorbellFd: doorbell?.listener() ?? -1 };
  return startWorker('link-worker', all, onNote, SHORT_COLLECTIONS);
}

/** The link worker, owned by the main thread. */
export class LinkThread {
  /** Port that robots connect to. */
  readonly port: number;
  #data: LinkThreadData;
  readonly #doorbell: DoorbellPair | null;
  readonly #onNote: (message: string) => void;
  #worker: Worker | null = null;
  /** Called with each address that used a wrong key. */
  onWrongKey: (peer: string) => void = () => undefined;
  /** Called with the address of each robot that the loop reads from then on, and with each refusal of the port. */
  onTurn: (peer: string) => void = () => undefined;
  onRefused: (refusal: PortRefusal) => void = () => undefined;
  #ended: Promise<void> = Promise.resolve();
  #restart: NodeJS.Timeout | undefined;
  #closing = false;
  /** Reason of the last failed start. */
  #lastNote = '';

  private constructor(
    started: Started,
    data: LinkThreadData,
    doorbell: DoorbellPair | null,
    onNote: (message: string) => void,
  ) {
    this.port = data.port;
    this.#data = data;
    this.#doorbell = doorbell;
    this.#onNote = onNote;
    this.#watch(started);
  }

  /** Starts the worker. @param onNote receives lines for the service log */
  static async start(
    { robot, loop }: Settings,
    shared: SharedBuffers,
    onNote: (message: string) => void,
  ): Promise<LinkThread> {
    const data = {
      shared,
      host: robot.host,
      port: robot.port,
      tls: readTls('robot.tls', robot.tls),
      priority: Math.max(0, loop.realtime_priority - 10),
    };
    const doorbell = DoorbellPair.open(new Int32Array(shared.control));
    try {
      const started = await startWith(data, doorbell, onNote);
      return new LinkThread(started, { ...data, port: started.port }, doorbell, onNote);
    } catch (error) {
      doorbell?.close();
      throw error;
    }
  }

  /** Passes on an injected fault. */
  inject(fault: InjectionName, amount: number): void {
    this.#send({ kind: 'inject', fault, amount });
  }

  /** Whether robots connect by `wss`. */
  get isSecure(): boolean {
    return this.#data.tls !== null;
  }

  /** Replaces the certificate for new connections; the connected robot stays. */
  exchangeTls(tls: TlsMaterial): void {
    this.#data = { ...this.#data, tls };
    this.#send({ kind: 'tls', tls });
  }

  /** Disconnects the robot after a change of the key. */
  dropRobot(): void {
    this.#send({ kind: 'drop' });
  }

  /** Closes the robot's connection and ends the worker. */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#restart);
    const worker = this.#worker;
    if (worker !== null) await this.#end(worker);
    this.#doorbell?.close();
  }

  async #end(worker: Worker): Promise<void> {
    this.#send('close');
    const timer = setTimeout(() => void worker.terminate(), CLOSE_TIMEOUT_MS);
    await this.#ended;
    clearTimeout(timer);
  }

  #send(request: LinkRequest): void {
    this.#worker?.postMessage(request);
  }

  #watch({ worker, ended }: Started): void {
    this.#worker = worker;
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'wrong-key') this.onWrongKey(message.peer);
      else if (message.kind === 'turn') this.onTurn(message.peer);
      else if (message.kind === 'refused') this.onRefused(message);
    });
    this.#ended = ended.then(() => {
      this.#worker = null;
      const { shared } = this.#data;
      Atomics.store(new Int32Array(shared.control), ControlWord.ROBOT_CONNECTED, 0);
      new Float64Array(shared.linkCounters)[SESSIONS] = 0;
      if (!this.#closing) this.#startLater();
    });
  }

  #startLater(): void {
    this.#restart = setTimeout(() => void this.#startAgain(), RESTART_MS);
  }

  async #startAgain(): Promise<void> {
    try {
      this.#watch(await startWith(this.#data, this.#doorbell, this.#onNote));
      if (this.#closing) await this.close();
      else this.#onNote(`link-worker started again on port ${this.port}`);
      this.#lastNote = '';
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (text !== this.#lastNote) this.#onNote(`link-worker does not start again: ${text}`);
      this.#lastNote = text;
      if (!this.#closing) this.#startLater();
    }
  }
}
