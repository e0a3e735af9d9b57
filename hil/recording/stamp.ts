/**
 * Time of messages: the wall clock, taken once, plus the time that the loop clock has counted since. It therefore runs evenly
 * and never jumps, but follows no correction of the wall clock during a run.
 */

const BILLION = 1_000_000_000;

/** Seconds and nanoseconds of one moment at a time. */
export class Stamp {
  sec = 0;
  nanosec = 0;
  readonly #startSecond: number;
  readonly #start_ns: number;
  readonly #loopStart_us: number;

  /** The wall clock, ns since 1970, and the loop clock, µs, of the same moment. */
  constructor(wallStart_ns: bigint, loopStart_us: number) {
    this.#startSecond = Number(wallStart_ns / BigInt(BILLION));
    this.#start_ns = Number(wallStart_ns % BigInt(BILLION));
    this.#loopStart_us = loopStart_us;
  }

  /** Go to a moment of the loop clock, µs. */
  set(time_us: number): this {
    const elapsed_ns = Math.round((time_us - this.#loopStart_us) * 1000) + this.#start_ns;
    const seconds = Math.floor(elapsed_ns / BILLION);
    this.sec = this.#startSecond + seconds;
    this.nanosec = elapsed_ns - seconds * BILLION;
    return this;
  }

  /** ns since 1970. */
  get nanoseconds(): bigint {
    return BigInt(this.sec) * 1_000_000_000n + BigInt(this.nanosec);
  }
}
