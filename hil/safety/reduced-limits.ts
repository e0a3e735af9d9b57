/**
 * A robot that reports `reduced` may go on, at `limits.reduced_ratio` of the speeds in force. They come down over RAMP_s, so that set-points brake
 * softly and no measured speed is found above a limit that has just fallen; when the robot reports normal they are as they were at once.
 * Force and acceleration stay: a lower force would stop a contact that is held, a lower deceleration would lengthen every stop.
 */
import { loadArray, type Stateful } from '../contract/stateful.ts';
import { LimitSlot } from './limits.ts';

/** Half of 0.1 m/s within this is 0.1 m/s²: an arm that lags 50 ms is 5 mm/s behind, within the margin of a measured speed. */
const RAMP_s = 0.5;
const SLOTS = [LimitSlot.SPEED, LimitSlot.ANGULAR_SPEED] as const;
const SHARE = SLOTS.length;

/** See above: `update` once per tick. */
export class ReducedLimits implements Stateful {
  readonly stateLength: number = SLOTS.length + 1;
  readonly #ratio: number;
  readonly #step: number;
  /** Speeds that both ends have agreed on, and the share of them that is in force. */
  readonly #cells = new Float64Array(SLOTS.length + 1);

  constructor(ratio: number, period_s: number) {
    this.#ratio = ratio;
    this.#step = (period_s / RAMP_s) * (1 - ratio);
    this.#cells[SHARE] = 1;
  }

  /** @param limits in force, by LimitSlot @returns whether they changed @alloc none */
  update(reduced: boolean, limits: Float64Array): boolean {
    const cells = this.#cells;
    const before = cells[SHARE];
    if (before === 1) for (let i = 0; i < SHARE; i++) cells[i] = limits[SLOTS[i]];
    const lower = before - this.#step;
    if (!reduced) cells[SHARE] = 1;
    else cells[SHARE] = lower > this.#ratio ? lower : this.#ratio;
    if (cells[SHARE] === before) return false;
    for (let i = 0; i < SHARE; i++) limits[SLOTS[i]] = cells[i] * cells[SHARE];
    return true;
  }

  saveState(into: Float64Array, at: number): void {
    into.set(this.#cells, at);
  }

  loadState(from: Float64Array, at: number): void {
    loadArray(this.#cells, from, at);
  }
}
