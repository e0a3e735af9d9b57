/** The thread that reads recordings: started when it is asked for the first time. */
import { extname } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../hil/os/start-thread.ts';
import { BerthError } from '../../src/base/errors.ts';
import type { RecordedFrame } from './read-frames.ts';
import type { ReaderAnswer, ReaderRequest, RecordedScene, Summarized } from './reader-messages.ts';

/** Requests that may wait: a page has one or two. */
const MOST_WAITING = 16;

type Wish = ReaderRequest extends infer R
  ? R extends { id: number }
    ? Omit<R, 'id'>
    : never
  : never;

/** Reads recordings in a thread of its own. */
export class RecordingReader {
  readonly #waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (error: Error) => void }
  >();
  #worker: Worker | null = null;
  #next = 1;

  summaries(paths: readonly string[]): Promise<Summarized[]> {
    return this.#ask({ kind: 'summaries', paths }) as Promise<Summarized[]>;
  }

  scene(path: string): Promise<RecordedScene> {
    return this.#ask({ kind: 'scene', path }) as Promise<RecordedScene>;
  }

  frames(path: string, from_s: number, to_s: number, hz: number): Promise<RecordedFrame[]> {
    return this.#ask({ kind: 'frames', path, from_s, to_s, hz }) as Promise<RecordedFrame[]>;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  /** @throws BerthError with what the thread said, or when it has too much to do */
  #ask(wish: Wish): Promise<unknown> {
    if (this.#waiting.size >= MOST_WAITING) {
      const text = 'Recordings are being read for others; ask again.';
      return Promise.reject(new BerthError('BERTH_RATE', text));
    }
    const worker = (this.#worker ??= this.#start());
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ ...wish, id });
    });
  }

  #start(): Worker {
    const file = new URL(`./reader-worker${extname(import.meta.url)}`, import.meta.url);
    const worker = startThread(file, { name: 'recordings' });
    worker.on('message', (answer: ReaderAnswer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if (answer.ok) waiting?.resolve(answer.value);
      else waiting?.reject(new BerthError('BERTH_MISMATCH', answer.message));
    });
    const failed = (text: string): void => {
      this.#worker = null;
      for (const { reject } of this.#waiting.values()) reject(new BerthError('BERTH_WORKER', text));
      this.#waiting.clear();
    };
    worker.on('error', (error: unknown) => failed((error as Error).message));
    worker.on('exit', () => failed('The thread that reads recordings has ended.'));
    worker.unref();
    return worker;
  }
}
