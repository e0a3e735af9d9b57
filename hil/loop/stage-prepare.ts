/** Prepare: what the model steps with, and what makes good for the delay of the force. */
import { Stage } from '../contract/counters.ts';
import { LimitField } from '../contract/limit-fields.ts';
import type { TickContext, TickStage } from './tick-context.ts';

/** The stage before the model step. */
export class PrepareStage implements TickStage {
  readonly timed: number = Stage.compensate;
  readonly #tick: TickContext;
  /** With which the simulated arm follows its command, s. */
  readonly #lag_s: number;

  constructor(tick: TickContext) {
    this.#tick = tick;
    this.#lag_s = tick.system.model.tool?.lag ?? 0;
  }

  run(): void {
    const { outputs, tool, limits, operator, inputs, measured, measuredWrench } = this.#tick;
    const { accommodation, arm, model } = this.#tick.system;
    if (accommodation !== null && model.tool !== null)
      limits.boundSpeeds(accommodation.speeds, model.tool);
    operator.mode.drive(operator.hand, outputs.commandScale);
    limits.slowAtWalls(tool.command, arm === null ? tool.setpoint : arm.ledTip, this.#lag_s);
    for (let i = 0; i < 6; i++) tool.measuredWrench[i] = measuredWrench[i];
    for (let i = 0; i < 13; i++) tool.measuredMotion[i] = measured[i];
    tool.motion = outputs.toolMotion;
    tool.deceleration = limits.inForce[LimitField.acceleration_mps2];
    if (outputs.freezeModel === 0) this.#tick.energy.beforeStep(inputs.stateFresh);
  }
}
