/** Finish: audit and passivity guard, then the set-point of this tick within its limits. */
import { Stage } from '../contract/counters.ts';
import type { TickContext, TickStage } from './tick-context.ts';

/** The stage after the model step. */
export class FinishStage implements TickStage {
  readonly timed: number = Stage.guard;
  readonly #tick: TickContext;

  constructor(tick: TickContext) {
    this.#tick = tick;
  }

  run(): void {
    const { setpoint, outputs, inputs, tool, energy, bounds, progress } = this.#tick;
    const frozen = outputs.freezeModel === 1;
    if (!frozen && !this.#tick.hasTool) return;
    const stepped = !frozen && !progress.failed;
    if (stepped) energy.afterStep(inputs);
    bounds.finish(setpoint, outputs, stepped);
    energy.remember(tool.setpoint);
    progress.bounded = true;
    inputs.setpointLimited = bounds.lasts ? 1 : 0;
  }
}
