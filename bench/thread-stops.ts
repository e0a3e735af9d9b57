/**
 * Stops single threads of this process from outside, each at separate random times, as if cores
 * stopped one at a time.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { realtimePriority } from '../hil/os/os.ts';

const STOPPER = fileURLToPath(
  new URL(`./thread-stops-process${extname(import.meta.url)}`, import.meta.url),
);

/** Kernel ids of the threads of this process that have this real-time priority. */
function threadsOfPriority(priority: number): number[] {
  const threads = readdirSync('/proc/self/task').map(Number);
  return threads.filter((thread) => realtimePriority(thread) === priority);
}

/** While it is open, each of the threads stands still for `stop_ms` once a second on average. */
export class ThreadStops {
  readonly #processes: ChildProcess[];
  #stops = 0;

  /** @throws Error unless `count` threads of this real-time priority are there */
  constructor(priority: number, count: number, stop_ms: number, seed: number) {
    const threads = threadsOfPriority(priority);
    if (threads.length !== count) {
      throw new Error(`${threads.length} threads of real-time priority ${priority}, not ${count}`);
    }
    this.#processes = threads.map((thread, k) => {
      const args = [STOPPER, `${thread}`, `${stop_ms}`, `${2 * seed + k}`];
      const child = spawn(process.execPath, [...process.execArgv, ...args], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      child.stdout.on('data', (text) => (this.#stops += Number(text)));
      return child;
    });
  }

  /** Let all threads go. @returns how often one was stopped; 0 when one of them could not be */
  async close(): Promise<number> {
    for (const child of this.#processes) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'close');
      }
    }
    return this.#processes.every((child) => child.exitCode === 0) ? this.#stops : 0;
  }
}
