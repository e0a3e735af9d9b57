/** Message rate of one client: `rate` per second sustained, `burst` at once. */
export class TokenBucket {
  readonly #rate: number;
  readonly #burst: number;
  #tokens: number;
  #time_s: number;

  constructor(rate: number, burst: number, now_s: number) {
    this.#rate = rate;
    this.#burst = burst;
    this.#tokens = burst;
    this.#time_s = now_s;
  }

  /** @returns false when the client is over its rate. */
  take(now_s: number): boolean {
    this.#tokens = Math.min(this.#burst, this.#tokens + (now_s - this.#time_s) * this.#rate);
    this.#time_s = now_s;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
