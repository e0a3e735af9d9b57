/**
 * The loop workers, owned by the main thread: one, or two that share the loop (pair.ts). Of two,
 * one that ends is started again and takes over the newest committed tick.
 */
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { Settings } from '../../config/settings.ts';
import { BerthError } from '../../src/base/errors.ts';
import { makeSystem } from '../../src/system/system.ts';
import { allowedCores } from '../os/os.ts';
import { ControlWord } from '../memory/shared.ts';
import { startWorker } from './start-worker.ts';
import type { LoopWorkerData, PairMemory } from '../loop/worker-data.ts';
import { WORKERS, allocatePair } from '../redundant/pair.ts';
import { Turn } from '../redundant/turn.ts';

const STOP_TIMEOUT_MS = 2000;
/** Restarts after which a repeatedly ending worker is not started again. */
const MOST_RESTARTS = 5;

/** Refuses settings that do not allow two loop workers. @throws BerthError */
export function checkRedundant(settings: Settings): void {
  if (!settings.loop.redundant) return;
  const field = { field: 'loop.redundant' };
  if (settings.robot.transport === 'serial') {
    throw new BerthError(
      'BERTH_MISMATCH',
      'loop.redundant: true does not go with robot.transport serial, as bytes read from a line cannot be given back when a tick is taken over; allowed: robot.transport websocket or none, or loop.redundant false',
      field,
    );
  }
  const cores = availableParallelism();
  if (cores < WORKERS) {
    throw new BerthError(
      'BERTH_UNSUPPORTED',
      `loop.redundant: true needs two cores, and there is ${cores}; allowed: false`,
      field,
    );
  }
}

/** The loop workers, owned by the main thread. */
export class LoopWorkers {
  readonly #data: LoopWorkerData;
  readonly #onNote: (message: string) => void;
  readonly #memory: PairMemory | null;
  readonly #turn: Turn | null;
  readonly #cores: readonly number[];
  /** Threads by worker number; null for one that has ended. */
  readonly threads: (Worker | null)[] = [];
  #ended: Promise<void>[] = [];
  /** Resolves when a replacement serves or has failed. */
  #replacing: Promise<void> = Promise.resolve();
  #ending = false;
  #restarts = 0;

  private constructor(data: LoopWorkerData, onNote: (message: string) => void) {
    this.#data = data;
    this.#onNote = onNote;
    const redundant = data.settings.loop.redundant;
    this.#memory = redundant
      ? allocatePair(data.shared, makeSystem(data.model).state.length)
      : null;
    this.#turn = this.#memory === null ? null : new Turn(this.#memory.turn);
    this.#cores = redundant ? allowedCores() : [];
  }

  /**
   * Starts the workers of the settings. It resolves when all of them serve. @param onNote receives
   * lines for the service log
   */
  static async start(
    data: LoopWorkerData,
    onNote: (message: string) => void,
  ): Promise<LoopWorkers> {
    const workers = new LoopWorkers(data, onNote);
    const numbers = workers.#memory === null ? [0] : [0, 1];
    const started = await Promise.allSettled(numbers.map((number) => workers.#start(number)));
    const failed = started.find((each) => each.status === 'rejected');
    if (failed === undefined) return workers;
    await workers.end();
    throw failed.reason;
  }

  /** Whether any worker runs. */
  get alive(): boolean {
    return this.threads.some((thread) => thread !== null);
  }

  /** Memory that the workers share beside the service's; null for one worker. */
  get memory(): PairMemory | null {
    return this.#memory;
  }

  async #start(number: number): Promise<void> {
    const memory = this.#memory;
    // the last cores, because the first one serves most interrupts
    const core = this.#cores.at(-1 - number) ?? -1;
    const pair = memory === null ? {} : { pair: { memory, worker: number, core } };
    const data = { ...this.#data, ...pair };
    const { worker, ended } = await startWorker('loop-worker', data, this.#onNote);
    this.threads[number] = worker;
    this.#ended[number] = ended.then(() => {
      this.threads[number] = null;
      this.#turn?.setJoined(number, false);
      if (!this.#ending) this.#replace(number);
    });
  }

  /** Replaces a worker that ended unexpectedly. */
  #replace(number: number): void {
    if (this.#turn === null) {
      this.#onNote('The loop worker has ended; none is started in its place');
      return;
    }
    const other = this.threads[1 - number] !== null;
    const again = other && this.#restarts++ < MOST_RESTARTS;
    const then = again ? 'another is started' : 'none is started in its place';
    this.#onNote(
      `Loop worker ${number + 1} has ended, ${other ? 'the other goes on' : 'and so has the other'}; ${then}`,
    );
    if (!again) return;
    this.#replacing = this.#start(number).then(
      () => this.#onNote(`Loop worker ${number + 1} serves again`),
      (error: unknown) => {
        const text = error instanceof Error ? error.message : String(error);
        this.#onNote(`Loop worker ${number + 1} cannot be started: ${text}`);
      },
    );
  }

  /** Requests a category-1 stop and waits until every worker has ended. */
  async end(): Promise<void> {
    this.#ending = true;
    Atomics.store(new Int32Array(this.#data.shared.control), ControlWord.SHUTDOWN, 1);
    // repeated for a replacement that starts to serve later
    const timer = setInterval(() => {
      for (const thread of this.threads) {
        if (thread === null) continue;
        this.#onNote('The loop worker did not end in time and was terminated');
        void thread.terminate();
      }
    }, STOP_TIMEOUT_MS);
    // a later replacement would use the memory of the next loop
    await this.#replacing;
    await Promise.all(this.#ended);
    clearInterval(timer);
  }
}
