/** The stalls of the machine as a process sees them: gaps between the pulses of a timer. What is judged by the wall clock is judged beside them. */

/** Period of the pulses, ms. */
const PULSE_MS = 5;

/** Counts from its making until it is closed. */
export class StallMeter {
  #last_ms = performance.now();
  #longest_ms = 0;
  readonly #timer = setInterval(() => this.#pulse(), PULSE_MS);

  constructor() {
    this.#timer.unref();
  }

  #pulse(): void {
    const now_ms = performance.now();
    this.#longest_ms = Math.max(this.#longest_ms, now_ms - this.#last_ms - PULSE_MS);
    this.#last_ms = now_ms;
  }

  /** The longest stall since the last call, s. */
  take_s(): number {
    this.#pulse();
    const longest_s = this.#longest_ms / 1000;
    this.#longest_ms = 0;
    return longest_s;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
