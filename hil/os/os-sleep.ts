/**
 * Sleep of one thread in the kernel. It replaces `Atomics.wait`, because V8 keeps all waiters of a
 * process in one list behind one lock. A thread of normal priority takes that lock when it
 * interrupts an isolate, for instance after a compilation. If it loses its core meanwhile, every
 * real-time thread that starts or ends a wait blocks for milliseconds. The module needs the
 * optional package koffi, because Node has no such call (docs/real-time.md).
 */
import { systemLibrary } from './os-library.ts';

const CLOCK_MONOTONIC = 1;
const RELATIVE = 0;

/** Sleep of less than a second. After some thousand calls nothing allocates. */
export class KernelSleep {
  /** Duration, µs, in an array because a double argument may be boxed. */
  readonly duration_us: Float64Array = new Float64Array(1);
  /** struct timespec of a 64-bit machine: seconds, nanoseconds. */
  readonly #timespec: Uint32Array = new Uint32Array(4);
  readonly #nanosleep: (...args: unknown[]) => unknown;

  private constructor(nanosleep: (...args: unknown[]) => unknown) {
    this.#nanosleep = nanosleep;
  }

  /** @returns null without koffi or on an unsupported system */
  static open(): KernelSleep | null {
    if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) return null;
    const library = systemLibrary();
    if (library === null) return null;
    return new KernelSleep(
      library.func('int clock_nanosleep(int clock, int flags, const void *request, void *remain)'),
    );
  }

  /** Sleeps for `duration_us`; a signal may end it early. @alloc none */
  sleep(): void {
    this.#timespec[2] = this.duration_us[0] * 1000;
    this.#nanosleep(CLOCK_MONOTONIC, RELATIVE, this.#timespec, null);
  }
}
