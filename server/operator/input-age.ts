/**
 * Age of an input by its sender's clock. Client and server clocks share neither epoch nor accuracy, so the smallest (receive −
 * send) seen lately stands for "no delay". What exceeds it is time since the reading was made: a network that stalls and then
 * delivers a burst, or a client that keeps readings back. A delay that is always the same does not show, and a clock that runs
 * too fast hides all of it. The bound that holds against both is that of the challenges (challenges.ts). The larger of the two
 * counts, so a client's clock can make an input older, never younger (hil-anchors 4, 9.4: 22 and 23).
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
