/** Whether the loop takes a new setting of the force and moment accommodation. Arguments: `CommandKind.FMA` in commands.ts. */
import type { ToolModel } from '../../src/model/model.ts';
import { CommandResult } from '../contract/commands.ts';
import { SafetyState } from '../contract/codes.ts';
import { LimitField } from '../contract/limit-fields.ts';
import { FmaArgument } from '../../src/control/fma.ts';

const { OK, WRONG_STATE, NOT_ALLOWED } = CommandResult;
const ALL_AXES = 0b111111;

/**
 * Settings that are refused: axes that are no bits of six; a set-point or a dead-band beyond the force and moment limits; a gain
 * below the scenario's. The loop was laid out with that gain, and contact gets unstable with less. A set-point needs motion,
 * because every motion begins without one.
 */
export class FmaRequest {
  /** Limits in force, by LimitField. */
  readonly #limits: Float64Array;
  /** Least gains of force and moment. */
  readonly #least: Float64Array;

  constructor(tool: ToolModel, limits: Float64Array) {
    this.#limits = limits;
    this.#least = Float64Array.of(tool.forceGain, tool.momentGain);
  }

  /** Arguments at `at`; NaN stands for what is set. @returns index in COMMAND_RESULTS @alloc none */
  judge(values: Float64Array, at: number, state: number): number {
    const axes = values[at + FmaArgument.axes];
    if (axes === axes && !(axes >= 0 && axes <= ALL_AXES && Math.floor(axes) === axes)) {
      return NOT_ALLOWED;
    }
    let pushes = false;
    for (let half = 0; half < 2; half++) {
      const most = this.#limits[half === 0 ? LimitField.force_N : LimitField.moment_Nm];
      let sum = 0;
      for (let a = 0; a < 3; a++) {
        const wanted = values[at + FmaArgument.force_x + 3 * half + a];
        if (wanted === wanted) sum += wanted * wanted;
      }
      if (!(sum <= most * most)) return NOT_ALLOWED;
      if (sum > 0) pushes = true;
      const deadband = values[at + FmaArgument.force_deadband + half];
      if (deadband < 0 || deadband > most) return NOT_ALLOWED;
      const gain = values[at + FmaArgument.force_gain + half];
      if (gain < this.#least[half] || gain === Infinity) return NOT_ALLOWED;
    }
    const moves = state === SafetyState.ACTIVE_FREE || state === SafetyState.ACTIVE_CONTACT;
    return pushes && !moves ? WRONG_STATE : OK;
  }
}
