/** Step: the model advances by one period, unless the machine has frozen it. */
import { NewtonCount } from '../../src/integrate/contact-newton.ts';
import { SafetyState } from '../contract/codes.ts';
import { Stage } from '../contract/counters.ts';
import { EventKind } from '../contract/events.ts';
import { LoopSlot } from '../memory/loop-counters.ts';
import type { TickContext, TickStage } from './tick-context.ts';

const { ARMING, HOLD } = SafetyState; // and the states of motion between them

/** The stage of the model. */
export class StepStage implements TickStage {
  readonly timed: number = Stage.step;
  readonly #tick: TickContext;

  /** Which constraints were open after the last step. */
  readonly #open: Uint8Array;

  constructor(tick: TickContext) {
    this.#tick = tick;
    const { system } = tick;
    this.#open = Uint8Array.from({ length: system.constraintCount }, (_, k) =>
      system.isOpen(k) ? 1 : 0,
    );
  }

  run(): void {
    const { system, inputs, outputs, counters, period_s, progress, events, machine } = this.#tick;
    const { slots } = counters;
    if (outputs.freezeModel === 1) {
      slots[LoopSlot.sim_frozen_seconds_total] += period_s;
      return;
    }
    const { solverCounts } = system;
    const swept = solverCounts === null ? 0 : solverCounts[NewtonCount.swept];
    progress.failed = system.step(period_s) !== 0;
    if (solverCounts !== null)
      slots[LoopSlot.loop_islands_swept_total] += solverCounts[NewtonCount.swept] - swept;
    if (progress.failed) {
      inputs.modelNotFinite = 1;
      events.detail[0] = 0;
      if (system.lostConstraint >= 0)
        events.write(EventKind.CONSTRAINT_LOST, system.lostConstraint, 0);
    }
    slots[LoopSlot.loop_redundant_rows_total] += system.redundantRows;
    slots[LoopSlot.loop_constraint_releases_total] = system.constraintReleases;
    slots[LoopSlot.loop_constraint_landings_total] = system.constraintLandings;
    this.#noteSwitches();
    // before an ARM the pose of a robot that connects is not that of the scenario
    if (system.crossedCount > 0 && machine.state >= ARMING && machine.state <= HOLD) {
      inputs.contactCrossed = 1;
      events.detail[0] = 0;
      events.write(EventKind.CONTACT_CROSSED, system.firstCrossed, system.crossedCount);
    } else if (machine.state >= ARMING && machine.state < HOLD && system.penetratedCount > 0) {
      // bodies of facets stay inside of each other: told once, as the machine then holds, and again after a RESUME
      inputs.contactCrossed = 1;
      events.detail[0] = 0;
      events.write(EventKind.CONTACT_CROSSED, system.firstPenetrated, system.penetratedCount);
    }
    slots[LoopSlot.sim_time_seconds_total] += period_s;
    if (system.substepBoundHit) slots[LoopSlot.loop_substep_bound_total]++;
    slots[LoopSlot.loop_cell_pairs_refused_total] = system.exhaustedPairs;
    slots[LoopSlot.loop_contact_stand_ins_total] = system.standInPoses;
    progress.stepped = true;
  }

  #noteSwitches(): void {
    const { system, events } = this.#tick;
    const open = this.#open;
    for (let k = 0; k < open.length; k++) {
      const now = system.isOpen(k) ? 1 : 0;
      if (now === open[k]) continue;
      open[k] = now;
      events.detail[0] = 0;
      events.write(EventKind.CONSTRAINT_SWITCHED, k, 1 - now);
    }
  }
}
