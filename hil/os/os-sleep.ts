/**
 * Sleep of one thread in the kernel. `Atomics.wait` is no such thing: V8 keeps all waiters of a process in one list behind one lock, and
 * takes that lock on any thread of normal priority that interrupts an isolate, after it has compiled something for instance. Where
 * such a thread loses its core meanwhile, every real-time thread that wants to sleep, or has slept, waits for it: milliseconds on
 * a busy machine. Needs the optional package koffi, because Node has no call for it (docs/real-time.md).
 */
import { systemLibrary } from './os-library.ts';

const CLOCK_MONOTONIC = 1;
const RELATIVE = 0;

/** A sleep of less than a second. Nothing allocates once it has run some thousand times. */
export class KernelSleep {
  /** How long, µs: a cell, because a double argument may be boxed. */
  readonly duration_us: Float64Array = new Float64Array(1);
  /** struct timespec of a 64-bit machine: seconds, nanoseconds. */
  readonly #timespec: Uint32Array = new Uint32Array(4);
  readonly #nanosleep: (...args: unknown[]) => unknown;

  private constructor(nanosleep: (...args: unknown[]) => unknown) {
    this.#nanosleep = nanosleep;
  }

  /** @returns null where the system or the missing package does not allow it */
  static open(): KernelSleep | null {
    if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) return null;
    const library = systemLibrary();
    if (library === null) return null;
    return new KernelSleep(
      library.func('int clock_nanosleep(int clock, int flags, const void *request, void *remain)'),
    );
  }

  /** Sleep for `duration_us`; a signal may end it early. @alloc none */
  sleep(): void {
    this.#timespec[2] = this.duration_us[0] * 1000;
    this.#nanosleep(CLOCK_MONOTONIC, RELATIVE, this.#timespec, null);
  }
}
