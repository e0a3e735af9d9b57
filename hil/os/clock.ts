/**
 * Clock of the loop: monotonic microseconds and the wait for a release.
 *
 * `RealClock` sleeps in the kernel until a spin ahead of the release and polls the clock for the
 * rest. A wake-up by the kernel alone is 50–100 µs late; a spin alone burns a core and is
 * throttled. The sleep is a system call (os-sleep.ts), or `Atomics.wait` where there is none.
 *
 * No call allocates. A double argument or a BigInt result would be boxed on the heap. The release
 * is therefore passed in a field, and the clock is read as two words of a `BigInt64Array`. Waits of
 * `Atomics.wait` are taken from a table of existing numbers.
 *
 * `VirtualClock` has the same interface and no time of its own: tests inject late wake-ups and long
 * stages.
 */

import { KernelSleep } from './os-sleep.ts';

/** Clock of the loop. */
export interface Clock {
  /** Time at which `waitForRelease` returns, µs. */
  release_us: number;
  /** Time of the last `sample`, µs. */
  readonly time_us: Float64Array;
  /** Offset of `sample` from the machine's clock, µs (fault injection). */
  readonly shift_us: Float64Array;
  /** Reads the monotonic clock into `time_us`. A returned double may be boxed on the heap; an array element is not. */
  sample(): void;
  /** Monotonic time, µs, for callers that may allocate. */
  now_us(): number;
  /** Returns at `release_us`, or at once when it has passed. */
  waitForRelease(): void;
}

/** What is done in place of polling where there is time. It may be left out. */
export interface SpareWork {
  /** @alloc none */
  run(): void;
}

/** Clock that can also wait without polling, where punctuality does not matter. */
export interface DozingClock extends Clock {
  /** Sleeps in the kernel and returns some time after `release_us`. */
  doze(): void;
  /** Polls until `release_us`. */
  poll(): void;
}

/** Kept: `process` is a getter of the global object, which costs more than the clock itself. */
const { hrtime } = process;
const WORD = 4294967296; // 2³²
const WAIT_GRAIN_US = 10;
/** Spare work is begun where this many times its last duration, and a bit more, µs, are left; one that never finds room is tried again. */
const SPARE_ROOM = 1.5;
const SPARE_MARGIN_US = 20;
const SPARE_FADE = 0.98;
const WAIT_LONGEST_US = 20_000;

/**
 * Table of wait times in ms by multiples of the grain. The leading text keeps the elements tagged,
 * so that a read boxes nothing.
 */
function makeWaitTable(): readonly unknown[] {
  const table: unknown[] = ['never'];
  for (let i = 1; i <= WAIT_LONGEST_US / WAIT_GRAIN_US; i++) {
    table.push((i * WAIT_GRAIN_US) / 1000 + 1e-9);
  }
  return table;
}

/** Monotonic clock of the machine (CLOCK_MONOTONIC: the same base in every thread and process). */
export class RealClock implements DozingClock {
  release_us = 0.5;
  readonly time_us: Float64Array = new Float64Array(1);
  readonly shift_us: Float64Array = new Float64Array(1);
  /** Time that was skipped, and counts as passed, µs: a warm-up does not wait for the end of a period. */
  readonly skipped_us: Float64Array = new Float64Array(1);
  /** Longest time spent polling before a release, µs. */
  readonly #spinMost_us: number;
  readonly #spinLeast_us: number;
  /** Present spin, µs. It follows the observed wake error within its bounds. */
  readonly #spin: Float64Array = new Float64Array(1);
  readonly #wait_us: Float64Array = new Float64Array(1);
  readonly #sleepWord: Int32Array;
  readonly #sleep: KernelSleep | null = KernelSleep.open();
  readonly #nanoseconds: BigInt64Array;
  readonly #words: Uint32Array;
  readonly #waits: readonly unknown[] = makeWaitTable();
  /** Done once before each release that leaves room for it. */
  spare: SpareWork | null = null;
  /** Duration of the spare work, as far as known, µs. */
  readonly #spare_us: Float64Array = new Float64Array(1);

  /** @param sleepWord word to wait on where the system has no sleep. It must stay 0, because nothing notifies it. */
  constructor(sleepWord: Int32Array, spin_s: number) {
    this.#sleepWord = sleepWord;
    this.#spinMost_us = 1.5e6 * spin_s;
    this.#spinLeast_us = 0.75e6 * spin_s;
    this.#spin[0] = 1e6 * spin_s;
    this.#nanoseconds = new BigInt64Array(1);
    this.#words = new Uint32Array(this.#nanoseconds.buffer);
  }

  sample(): void {
    this.#nanoseconds[0] = hrtime.bigint();
    const machine_us = (this.#words[1] * WORD + this.#words[0]) * 1e-3;
    this.time_us[0] = machine_us + this.shift_us[0] + this.skipped_us[0];
  }

  now_us(): number {
    this.sample();
    return this.time_us[0];
  }

  waitForRelease(): void {
    const wake = this.release_us - this.#spin[0];
    this.#wait_us[0] = wake;
    this.#waitInKernel();
    const left = wake - this.time_us[0];
    if (left < 0) {
      // one late wake-up widens the spin at once; punctual ones narrow it slowly
      const wanted = 20 - 1.5 * left;
      let spin = wanted > this.#spin[0] ? wanted : this.#spin[0] + 0.002 * (wanted - this.#spin[0]);
      if (spin > this.#spinMost_us) spin = this.#spinMost_us;
      if (spin < this.#spinLeast_us) spin = this.#spinLeast_us;
      this.#spin[0] = spin;
    }
    if (this.spare !== null) this.#useSpareTime(this.spare);
    this.poll();
  }

  #useSpareTime(work: SpareWork): void {
    const began_us = this.time_us[0];
    const room_us = SPARE_ROOM * this.#spare_us[0] + SPARE_MARGIN_US;
    if (this.release_us - began_us < room_us) {
      this.#spare_us[0] *= SPARE_FADE;
      return;
    }
    work.run();
    this.sample();
    this.#spare_us[0] = this.time_us[0] - began_us;
  }

  poll(): void {
    do this.sample();
    while (this.time_us[0] < this.release_us);
  }

  doze(): void {
    this.#wait_us[0] = this.release_us;
    this.#waitInKernel();
  }

  /** Sleeps for `#wait_us` less a grain. */
  #waitInKernel(): void {
    this.sample();
    let left = this.#wait_us[0] - this.time_us[0];
    while (left >= WAIT_GRAIN_US) {
      if (left > WAIT_LONGEST_US) left = WAIT_LONGEST_US;
      const sleep = this.#sleep;
      if (sleep === null) {
        const grains = left / WAIT_GRAIN_US;
        Atomics.wait(this.#sleepWord, 0, 0, this.#waits[grains | 0] as number);
      } else {
        sleep.duration_us[0] = left;
        sleep.sleep();
      }
      this.sample();
      left = this.#wait_us[0] - this.time_us[0];
    }
  }
}

/** Microseconds of the machine's monotonic clock, for threads that may allocate. */
export function monotonic_us(): number {
  return Number(hrtime.bigint()) / 1000;
}

/** Clock that moves only by calls. */
export class VirtualClock implements DozingClock {
  release_us = 0.5;
  readonly time_us: Float64Array = new Float64Array(1);
  readonly shift_us: Float64Array = new Float64Array(1);
  #now_us = 0.5;
  /** Lateness of the next wake-ups, µs, first one first. */
  readonly lateWakes_us: number[] = [];

  constructor(start_us = 1_000_000) {
    this.#now_us = start_us;
  }

  sample(): void {
    this.time_us[0] = this.#now_us + this.shift_us[0];
  }

  now_us(): number {
    return this.#now_us;
  }

  waitForRelease(): void {
    const release = this.release_us - this.shift_us[0];
    if (this.#now_us < release) this.#now_us = release;
    if (this.lateWakes_us.length > 0) this.#now_us += this.lateWakes_us.shift()!;
  }

  doze(): void {
    const release = this.release_us - this.shift_us[0];
    if (this.#now_us < release) this.#now_us = release;
  }

  poll(): void {
    this.doze();
  }

  /** Advances the time by a long stage, µs. */
  advance_us(duration: number): void {
    this.#now_us += duration;
  }
}
