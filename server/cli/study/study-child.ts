/** A process that runs points of studies, one after the other: a run that ends its process ends nothing else, and the caller stays free for other things. */
import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunOutcome, StudyTask } from './run-point.ts';
import type { FromWorker, ToWorker } from './study-worker.ts';

const ENTRY = fileURLToPath(new URL(`./study-worker${extname(import.meta.url)}`, import.meta.url));

/** Why a run has no outcome: its process ended. */
export class ChildEnded extends Error {}

/** One process, started at its first run. */
export class StudyChild {
  #child: ChildProcess | null = null;
  /** The run that it has. */
  #present: { resolve(outcome: RunOutcome): void; reject(error: Error): void } | null = null;

  /** Runs one point. @throws ChildEnded when the process ends before; the next run starts another one */
  run(task: StudyTask, changes: readonly string[]): Promise<RunOutcome> {
    const child = (this.#child ??= this.#start());
    return new Promise((resolve, reject) => {
      this.#present = { resolve, reject };
      const message: ToWorker = { task, changes };
      child.send(message, () => undefined); // a child that has died says so by its end
    });
  }

  /** Ends the process; a run that it has is lost. */
  stop(): void {
    this.#child?.kill('SIGTERM');
  }

  #start(): ChildProcess {
    const child = fork(ENTRY, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // one process a core: helpers of the engine would take turns with the runs of the others
      execArgv: [...process.execArgv, '--single-threaded'],
    });
    child.on('message', ({ outcome }: FromWorker) => {
      const present = this.#present;
      this.#present = null;
      present?.resolve(outcome);
    });
    // also while it has no run: the next one must not wait for a process that is gone
    child.once('exit', () => {
      const present = this.#present;
      this.#child = null;
      this.#present = null;
      present?.reject(new ChildEnded('the process of the run ended'));
    });
    return child;
  }
}
