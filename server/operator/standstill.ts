/**
 * How long this thread has stood still in all: a stopped process, a machine that stalls, a callback that takes long. Known from
 * a beat that a timer of the same thread gives, so that it holds before the first late beat too. What waited at the sockets is
 * often read before the timers run.
 */
export class Standstill {
  readonly #interval_s: number;
  #beat_s: number;
  #total_s = 0;

  /** A beat is due every `interval_s`; the first was at `now_s`. */
  constructor(interval_s: number, now_s: number) {
    this.#interval_s = interval_s;
    this.#beat_s = now_s;
  }

  /** The timer ran. */
  beat(now_s: number): void {
    this.#total_s = this.total_s(now_s);
    this.#beat_s = now_s;
  }

  /** All time up to `now_s` by which beats were late, s; it never falls. */
  total_s(now_s: number): number {
    return this.#total_s + Math.max(0, now_s - this.#beat_s - this.#interval_s);
  }
}
