/** The recorder worker, owned by the main thread. */
import type { Worker } from 'node:worker_threads';
import { RECORDER_FAMILIES, slotsOf } from '../contract/counters.ts';
import type { InjectionName } from '../contract/injections.ts';
import type { Freeze } from '../recording/freezer.ts';
import type { RecordingStatus } from './runtime-types.ts';
import { type Started, startWorker } from './start-worker.ts';
import type { RecorderRequest, RecorderWorkerData, WorkerMessage } from '../loop/worker-data.ts';

/** Time limit for closing, ms; a shutdown has 2 s in all. The rest stays unclosed and can be recovered. */
const CLOSE_TIMEOUT_MS = 1000;

const RecorderSlot = slotsOf(RECORDER_FAMILIES);

/** Number of freeze files in the status. */
const FREEZES_REPORTED = 10;

/** The recorder worker, owned by the main thread. */
export class RecorderThread {
  readonly #worker: Worker;
  readonly #counters: Float64Array;
  readonly #ended: Promise<void>;
  #freezes: readonly Freeze[] = [];
  #state: string;
  #file = '';

  private constructor(
    { worker, ended }: Started,
    { shared, settings }: RecorderWorkerData,
    onNote: (message: string) => void,
  ) {
    this.#worker = worker;
    this.#state = settings.recording.mode === 'off' ? 'off' : 'armed';
    this.#counters = new Float64Array(shared.recorderCounters);
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'freeze') {
        const { codes, tick, file } = message;
        this.#freezes = [...this.#freezes.slice(1 - FREEZES_REPORTED), { codes, tick, file }];
        onNote(`The ticks before ${codes.join(', ')} are in ${file}`);
        return;
      }
      if (message.kind !== 'recording') return;
      this.#state = message.state;
      this.#file = message.file;
    });
    this.#ended = ended.then(() => {
      this.#state = 'failed';
      this.#file = '';
      this.#counters[RecorderSlot.recorder_up] = 0;
    });
  }

  /** Starts the worker. @param onNote receives lines for the service log */
  static async start(
    data: RecorderWorkerData,
    onNote: (message: string) => void,
  ): Promise<RecorderThread> {
    return new RecorderThread(await startWorker('recorder-worker', data, onNote), data, onNote);
  }

  status(): RecordingStatus {
    return {
      state: this.#state,
      file: this.#file,
      bytes: this.#counters[RecorderSlot.recorder_bytes_total],
      dropped: this.#counters[RecorderSlot.recorder_dropped_records_total],
      keeps_s: this.#counters[RecorderSlot.recorder_keeps_seconds],
      freezes: this.#freezes,
    };
  }

  /** Adds a line to the log of the recording; `level` as in rcl_interfaces/Log. */
  note(text: string, level: number): void {
    this.#send({ kind: 'note', text, level });
  }

  /** Passes on an injected fault. */
  inject(fault: InjectionName, amount: number): void {
    this.#send({ kind: 'inject', fault, amount });
  }

  /** Writes the rest, closes the file and ends the worker. */
  async close(): Promise<void> {
    this.#send({ kind: 'close' });
    const timer = setTimeout(() => void this.#worker.terminate(), CLOSE_TIMEOUT_MS);
    await this.#ended;
    clearTimeout(timer);
  }

  #send(request: RecorderRequest): void {
    this.#worker.postMessage(request);
  }
}
