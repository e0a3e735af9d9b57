/**
 * Keeps the cycle of an ideal robot at a fixed phase of the loop, as a field bus with distributed
 * clocks does: the fastest of the newest set-points arrives a fixed time before the cycle. Without
 * it the phase of the two processes is random, and the loop delay varies by up to 1 ms.
 */

/** Cycles of one observation, the largest change of phase after it, and the tolerated error. */
const CYCLES = 32;
const MOST_US = 50;
const TOLERANCE_US = 20;
/**
 * Part of a period from the arrival of a set-point to the cycle. A frame takes 0.15 ms on a quiet
 * machine, so the cycle starts about when the loop wakes. A set-point may be late by this much, a
 * STATE by almost a period: it is used one release later. A set-point returns as a force after one
 * period, without the robot's own delay.
 */
const WAIT = 0.85;

/** Phase lock of a robot's cycle. Call `observe` once per cycle with a new set-point. */
export class PhaseLock {
  readonly #wait_us: number;
  readonly #longest_us = new Float64Array(1);
  #cycles = 0;

  constructor(period_s: number) {
    this.#wait_us = WAIT * period_s * 1e6;
  }

  /**
   * @param waited_us from the arrival of the newest set-point to the release of this cycle @returns
   *   delay of the next release, µs
   */
  observe(waited_us: number): number {
    if (waited_us > this.#longest_us[0]) this.#longest_us[0] = waited_us;
    if (++this.#cycles < CYCLES) return 0;
    const late = this.#wait_us - this.#longest_us[0];
    this.#longest_us[0] = 0;
    this.#cycles = 0;
    if (Math.abs(late) <= TOLERANCE_US) return 0;
    return Math.max(-MOST_US, Math.min(MOST_US, late));
  }
}
