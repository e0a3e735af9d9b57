/** Force sensor with a delay: the wrench of a fixed time ago, interpolated between two samples. */

const SLOTS = 128;
/** Longest delay, s, at the shortest period of half a millisecond. */
export const FORCE_DELAY_MOST_S = 0.05;

/** Delay line of the wrench. Call `put` once per cycle. */
export class ForceDelay {
  /** Reported wrench of the sensor. */
  readonly wrench = new Float64Array(6);
  readonly #samples = new Float64Array(6 * SLOTS);
  readonly #whole: number;
  readonly #part = new Float64Array(1);
  #next = 0;

  constructor(delay_s: number, period_s: number) {
    const periods = delay_s / period_s;
    this.#whole = Math.floor(periods + 1e-9);
    this.#part[0] = Math.max(0, periods - this.#whole);
  }

  /** Adds the true wrench of this cycle. */
  put(wrench: Float64Array): void {
    const samples = this.#samples;
    const now = 6 * this.#next;
    for (let i = 0; i < 6; i++) samples[now + i] = wrench[i];
    const newer = 6 * ((this.#next - this.#whole + SLOTS) % SLOTS);
    const older = 6 * ((this.#next - this.#whole - 1 + SLOTS) % SLOTS);
    const part = this.#part[0];
    for (let i = 0; i < 6; i++) {
      this.wrench[i] = (1 - part) * samples[newer + i] + part * samples[older + i];
    }
    this.#next = (this.#next + 1) % SLOTS;
  }
}
