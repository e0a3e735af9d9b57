/** Starts the workers of a running service. */
import { extname } from 'node:path';
import type { ResourceLimits, Worker } from 'node:worker_threads';
import { BerthError } from '../../src/base/errors.ts';
import { startThread } from '../os/start-thread.ts';
import type {
  LinkWorkerData,
  LoopWorkerData,
  RecorderWorkerData,
  WorkerMessage,
} from '../loop/worker-data.ts';

/** Time limit of a start, ms. An idle machine takes less than a second; an overloaded one took more than 30 s. */
const START_TIMEOUT_MS = 120_000;

/** A worker that serves. */
export interface Started {
  readonly worker: Worker;
  /** Port on which it listens, 0 for none. */
  readonly port: number;
  /** Resolves when the worker has ended, also when it ended earlier. */
  readonly ended: Promise<void>;
}

/**
 * Starts the worker of an entry module in this folder and waits until it serves.
 * @param onNote receives lines for the service log
 * @throws BerthError of the worker, or when it does not start in time
 */
export async function startWorker(
  name: string,
  data: LinkWorkerData | LoopWorkerData | RecorderWorkerData,
  onNote: (message: string) => void,
  resourceLimits: ResourceLimits = {},
): Promise<Started> {
  const file = new URL(`./${name}${extname(import.meta.url)}`, import.meta.url);
  const worker = startThread(file, { workerData: data, name, resourceLimits });
  // registered first: a worker may serve and end while this thread is blocked
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  let started = false;
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
      if (message.kind !== 'ready' && message.kind !== 'error') return; // other listeners handle the rest
      clearTimeout(timer);
      if (message.kind === 'ready') {
        started = true;
        resolve(message.port);
      } else if (started) onNote(`${name} ended with an error: ${message.message}`);
      else reject(new BerthError(message.code, message.message));
    });
    worker.once('exit', () => {
      clearTimeout(timer);
      reject(new BerthError('BERTH_WORKER', `${name} ended before it served`));
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
  return { worker, port, ended };
}
