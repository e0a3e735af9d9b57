/** One run of a study: the scenario with its changes, step by step, to the numbers that were asked for. */
import { contactKernels } from '../../../config/contact-kernels.ts';
import { loadSystem } from '../../../config/scenario.ts';
import type { StudyQuantity, StudyTurn } from '../../../config/study-schema.ts';
import { BerthError } from '../../../src/base/errors.ts';
import type { System } from '../../../src/system/system.ts';
import { QuantityReader, systemRows } from './quantities.ts';

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

/** A run in steps. */
export class PointRun {
  readonly system: System;
  /** What came out; null before its end. */
  outcome: RunOutcome | null = null;
  /** Steps until its end at the latest. */
  readonly steps: number;
  readonly #task: StudyTask;
  readonly #reader: QuantityReader;
  #done = 0;

  /** @throws BerthError for a scenario that is refused */
  constructor(task: StudyTask, changes: readonly string[]) {
    this.system = loadSystem(task.scenario, changes, contactKernels()).system;
    const { model } = this.system;
    this.steps = Math.round((task.until_s ?? model.duration) / model.step);
    this.#task = task;
    this.#reader = new QuantityReader(systemRows(this.system), task.quantities, task.end_when);
    this.#reader.take();
    if (this.steps === 0) this.#end(null);
  }

  /** One step. @returns whether there are more */
  step(): boolean {
    const { system } = this;
    if (system.step(system.model.step) !== 0)
      return this.#end(`the step failed at ${system.time} s`);
    const { penetrations, crossings } = system;
    if (penetrations.length + crossings.length > 0) {
      const through = [...penetrations, ...crossings].join(', ');
      return this.#end(`bodies went through each other at ${system.time} s, in contact ${through}`);
    }
    this.#done++;
    return this.#reader.take() || this.#done === this.steps ? this.#end(null) : true;
  }

  #end(reason: string | null): false {
    const hash = this.system.hash();
    this.outcome =
      reason === null
        ? { reason, hash, quantities: this.#reader.values() }
        : failedOutcome(this.#task, reason, hash);
    return false;
  }
}

/** Runs it. A run that cannot be used says why, and is a result like any other. */
export function runPoint(task: StudyTask, changes: readonly string[]): RunOutcome {
  let run;
  try {
    run = new PointRun(task, changes);
  } catch (error) {
    if (error instanceof BerthError) return failedOutcome(task, error.message);
    throw error;
  }
  while (run.outcome === null) run.step();
  return run.outcome;
}
