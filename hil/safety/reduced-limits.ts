/**
 * A robot that reports `reduced` may go on, at `limits.reduced_ratio` of the speeds in force. They come down over RAMP_s, so that set-points brake
 * softly and no measured speed is found above a limit that has just fallen. Once down they are given back, at once, after as long of normal without
 * a break: a report that flickers binds as one that stays. Force and acceleration stay: a lower force would stop a contact that is held, a lower
 * deceleration would lengthen every stop.
 *
 * One number has it all. It goes from 1 down to the ratio, which is the share in force. While the robot is normal it goes further
 * down by as much again, where the ratio stays in force; at the end it is 1.
 */
import { StateArena } from '../../src/math/state-arena.ts';
import { LimitField } from '../contract/limit-fields.ts';

/** Half of 0.1 m/s within this is 0.1 m/s²: an arm that lags 50 ms is 5 mm/s behind, within the margin of a measured speed. */
const RAMP_s = 0.5;
const SLOTS = [LimitField.speed_mps, LimitField.angular_speed_radps] as const;
const PLACE = SLOTS.length;

/** Speed limits of a robot in reduced mode. Call `update` once per tick. */
export class ReducedLimits {
  readonly #ratio: number;
  readonly #step: number;
  /** Speeds that both ends have agreed on, and the number above. */
  readonly #cells: Float64Array;

  constructor(ratio: number, period_s: number, arena: StateArena = new StateArena()) {
    this.#cells = arena.add('reduced', SLOTS.length + 1);
    this.#ratio = ratio;
    this.#step = (period_s / RAMP_s) * (1 - ratio);
    this.#cells[PLACE] = 1;
  }

  /**
   * @param synced a session is there: its end restores the limits @param limits in force, by LimitField @returns whether they
   * changed @alloc none
   */
  update(synced: boolean, reduced: boolean, limits: Float64Array): boolean {
    const cells = this.#cells;
    const ratio = this.#ratio;
    const before = cells[PLACE];
    if (before === 1) {
      if (!synced || !reduced) return false;
      for (let i = 0; i < PLACE; i++) cells[i] = limits[SLOTS[i]];
    }
    let place = before - this.#step;
    if (reduced && place < ratio) place = ratio;
    // half a step for the rounding of many
    if (!synced || place <= 2 * ratio - 1 + 0.5 * this.#step) place = 1;
    cells[PLACE] = place;
    const share = place > ratio ? place : ratio;
    if (share === (before > ratio ? before : ratio)) return false;
    for (let i = 0; i < PLACE; i++) limits[SLOTS[i]] = cells[i] * share;
    return true;
  }
}
