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

  /** Runs one point. @throws ChildEnded when the process ends before; the next run starts another one */
  run(task: StudyTask, changes: readonly string[]): Promise<RunOutcome> {
    const child = (this.#child ??= fork(ENTRY, {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    }));
    return new Promise((resolve, reject) => {
      const onMessage = ({ outcome }: FromWorker): void => {
        child.off('exit', onExit);
        resolve(outcome);
      };
      const onExit = (): void => {
        child.off('message', onMessage);
        this.#child = null;
        reject(new ChildEnded('the process of the run ended'));
      };
      child.once('message', onMessage).once('exit', onExit);
      const message: ToWorker = { task, changes };
      child.send(message, () => undefined); // a child that has died says so by its end
    });
  }

  /** Ends the process; a run that it has is lost. */
  stop(): void {
    this.#child?.kill('SIGTERM');
  }
}
