/**
 * Age of an input by its sender's clock. Client and server clocks share neither epoch nor accuracy, so the smallest
 * (receive − send) seen lately stands for "no delay"; what exceeds it is time the input spent on its way. A stall of the
 * network followed by a burst shows as age, however wrong the client's clock is (hil-anchors 9.4, 22 and 23).
 */

/** Half of the window in which the smallest difference counts, s. */
const HALF_WINDOW_S = 15;

export class InputAge {
  #previous = Infinity;
  #current = Infinity;
  #halfEnd_s = -Infinity;

  /** @returns age, s, of an input sent at `sent_s` (client clock) and received at `received_s` (ours). */
  update(sent_s: number, received_s: number): number {
    if (received_s >= this.#halfEnd_s) {
      this.#previous = this.#current;
      this.#current = Infinity;
      this.#halfEnd_s = received_s + HALF_WINDOW_S;
    }
    const difference = received_s - sent_s;
    this.#current = Math.min(this.#current, difference);
    return difference - Math.min(this.#current, this.#previous);
  }
}
