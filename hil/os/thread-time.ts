/**
 * Processor time of the calling thread: what a computation takes, without the time in which other work has the core. It needs the optional
 * package koffi, because Node has that of the whole process only; elsewhere it is the time that passes.
 */
import { systemLibrary } from './os-library.ts';

const CLOCK_THREAD_CPUTIME_ID = 3;

/** @returns a reader of the processor time, ms from any origin, for the thread that made it */
export function openThreadTime(): () => number {
  const library = process.platform === 'linux' ? systemLibrary() : null;
  if (library === null) return () => performance.now();
  const read = library.func('int clock_gettime(int clock, void *time)');
  // struct timespec of a 64-bit machine: seconds, nanoseconds
  const timespec = new BigInt64Array(2);
  return () => {
    read(CLOCK_THREAD_CPUTIME_ID, timespec);
    return Number(timespec[0]) * 1e3 + Number(timespec[1]) * 1e-6;
  };
}
