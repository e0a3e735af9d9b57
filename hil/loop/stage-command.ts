/** Command: all waiting commands of the operator, and the faults injected on purpose that concern the tick itself. */
import { Stage } from '../contract/counters.ts';
import { InjectionKind } from '../contract/injections.ts';
import { Seen, type TickContext, type TickStage } from './tick-context.ts';

/** The stage after the newest STATE. */
export class CommandStage implements TickStage {
  readonly timed: number = Stage.operator;
  readonly #tick: TickContext;

  constructor(tick: TickContext) {
    this.#tick = tick;
  }

  run(): void {
    const { operator, machine, inputs, measured, period_s } = this.#tick;
    operator.take(machine, inputs, measured, period_s);
    this.#inject();
  }

  #inject(): void {
    const { operator, timing, clock, seen } = this.#tick;
    if (seen[Seen.THROW_NEXT] === 1) {
      seen[Seen.THROW_NEXT] = 0;
      throw new Error('Injected fault: loop_error');
    }
    const { amounts } = operator.faults;
    if (amounts[InjectionKind.loop_error] > 0) seen[Seen.THROW_NEXT] = 1;
    const late_s = amounts[InjectionKind.late_wake_s];
    if (late_s > 0) timing.injectedLateness_us = late_s * 1e6;
    const stall_s = amounts[InjectionKind.worker_stall_s];
    if (stall_s > 0) timing.injectedStall_s = stall_s;
    clock.shift_us[0] = amounts[InjectionKind.clock_jump_s] * 1e6;
  }
}
