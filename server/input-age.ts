/**
 * Age of an input by its sender's clock, the larger of two readings. Client and server clocks share neither epoch nor accuracy,
 * so the smallest (receive − send) seen lately stands for "no delay"; what exceeds it is time the input spent on its way. A
 * stall of the network followed by a burst shows as age, however wrong the client's clock is. A delay that is always the same
 * does not show there; where the client has told the offset of its clock (`sync`), it does. A wrong offset can only make an
 * input older than it is, never younger than the first reading says (hil-anchors 4, 9.4: 22 and 23).
 */

/** Half of the window in which the smallest difference counts, s. */
const HALF_WINDOW_S = 15;

export class InputAge {
  /** Server clock minus client clock as the client has measured it, s; null before it has. */
  offset_s: number | null = null;
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
    const excess = difference - Math.min(this.#current, this.#previous);
    return this.offset_s === null ? excess : Math.max(excess, difference - this.offset_s);
  }
}
