/**
 * Message rate of one client: `rate` per second sustained, `burst` at once. What piled up while the receiver itself stood still
 * does not count against the client. Such a time lifts what may come at once by `rate` times its length, of `STANDSTILL_S` at
 * most, and the lift fades as fast as it came. It never lifts the sustained rate: no more is ever granted than burst +
 * rate·time.
 */

/** Standstill that counts at the most, s: after a longer one a client that never paused may be closed. */
export const STANDSTILL_S = 10;

export class TokenBucket {
  readonly #rate: number;
  readonly #burst: number;
  #room: number;
  #tokens: number;
  #time_s: number;
  #stood_s: number;

  /** `stood_s` is the receiver's standstill so far in all, as in `take`. */
  constructor(rate: number, burst: number, now_s: number, stood_s = 0) {
    this.#rate = rate;
    this.#burst = burst;
    this.#room = burst;
    this.#tokens = burst;
    this.#time_s = now_s;
    this.#stood_s = stood_s;
  }

  /** Take one message in. @returns false when the client is over its rate. */
  take(now_s: number, stood_s = 0): boolean {
    const passed = now_s - this.#time_s;
    const stood = stood_s - this.#stood_s;
    this.#time_s = now_s;
    this.#stood_s = stood_s;
    const faded = Math.max(this.#burst, this.#room - (passed - stood) * this.#rate);
    this.#room = Math.min(faded + stood * this.#rate, this.#burst + STANDSTILL_S * this.#rate);
    this.#tokens = Math.min(this.#room, this.#tokens + passed * this.#rate);
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
