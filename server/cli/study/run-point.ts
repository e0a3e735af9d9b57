/** One run of a study: the scenario with its changes, step by step, to the numbers that were asked for. */
import { contactKernels } from '../../../config/contact-kernels.ts';
import { loadSystem } from '../../../config/scenario.ts';
import type { StudyQuantity, StudyTurn } from '../../../config/study-schema.ts';
import { BerthError } from '../../../src/base/errors.ts';
import { QuantityReader } from './quantities.ts';

/** What all runs of a study share. */
export interface StudyTask {
  readonly scenario: string;
  readonly until_s: number | null;
  readonly quantities: readonly StudyQuantity[];
  readonly end_when: readonly StudyTurn[];
}

/** What came out of one run; the same bits wherever it ran. */
export interface RunOutcome {
  /** Why the run has no quantities; null when it has. */
  readonly reason: string | null;
  /** Hash of the final state; '' when there is none. */
  readonly hash: string;
  readonly quantities: readonly (number | null)[];
}

/** A result without values, and why. */
export const failedOutcome = (task: StudyTask, reason: string, hash = ''): RunOutcome => ({
  reason,
  hash,
  quantities: task.quantities.map(() => null),
});

/** Runs it. A run that cannot be used says why, and is a result like any other. */
export function runPoint(task: StudyTask, changes: readonly string[]): RunOutcome {
  let system;
  try {
    system = loadSystem(task.scenario, changes, contactKernels()).system;
  } catch (error) {
    if (error instanceof BerthError) return failedOutcome(task, error.message);
    throw error;
  }
  const reader = new QuantityReader(system, task.quantities, task.end_when);
  const dt = system.model.step;
  const steps = Math.round((task.until_s ?? system.model.duration) / dt);
  reader.take();
  for (let n = 0; n < steps; n++) {
    if (system.step(dt) !== 0)
      return failedOutcome(task, `the step failed at ${system.time} s`, system.hash());
    const through = [...system.penetrations, ...system.crossings];
    if (through.length > 0) {
      return failedOutcome(
        task,
        `bodies went through each other at ${system.time} s, in contact ${through.join(', ')}`,
        system.hash(),
      );
    }
    if (reader.take()) break;
  }
  return { reason: null, hash: system.hash(), quantities: reader.values() };
}
