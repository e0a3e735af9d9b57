/** Runs of a study on the cores of this machine, each worker a process of its own: one that dies loses the run it had, which is given out again. */
import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunOutcome, StudyTask } from './run-point.ts';
import type { ToWorker } from './study-worker.ts';

const ENTRY = fileURLToPath(new URL(`./study-worker${extname(import.meta.url)}`, import.meta.url));
/** Deaths of workers after which a run is given up. */
const MOST_DEATHS = 3;

/** A run to do. */
export interface PoolRun {
  readonly run: number;
  readonly changes: readonly string[];
}

export interface PoolOptions {
  readonly workers: number;
  readonly task: StudyTask;
  readonly onOutcome: (run: number, outcome: RunOutcome) => void;
  /** Ends the pool early; what is running is given up. */
  readonly signal: AbortSignal;
}

/** Does all runs. Resolves when each has an outcome, or the signal came. */
export async function runPool(runs: readonly PoolRun[], options: PoolOptions): Promise<void> {
  const { workers, task, onOutcome, signal } = options;
  const waiting = [...runs].reverse();
  const deaths = new Map<number, number>();
  const giveUp = (run: number): RunOutcome => ({
    reason: `its worker ended ${deaths.get(run) ?? 0} times while it ran`,
    hash: '',
    quantities: task.quantities.map(() => null),
  });

  /** One worker until it dies or nothing waits. @returns whether it died */
  const serve = (): Promise<boolean> =>
    new Promise((resolve) => {
      const child: ChildProcess = fork(ENTRY, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      const send = (message: ToWorker): void => {
        child.send(message, () => undefined); // a child that has died says so by its end
      };
      let present: PoolRun | undefined;
      const stop = (): void => void child.kill('SIGTERM');
      const next = (): void => {
        present = signal.aborted ? undefined : waiting.pop();
        if (present === undefined) child.disconnect();
        else send(present);
      };
      signal.addEventListener('abort', stop, { once: true });
      child.on('message', ({ run, outcome }: { run: number; outcome: RunOutcome }) => {
        onOutcome(run, outcome);
        next();
      });
      child.once('exit', () => {
        signal.removeEventListener('abort', stop);
        const lost = present;
        if (lost === undefined || signal.aborted) {
          resolve(false);
          return;
        }
        deaths.set(lost.run, (deaths.get(lost.run) ?? 0) + 1);
        // last of all: a run that ends its worker must not keep the others waiting
        if ((deaths.get(lost.run) ?? 0) < MOST_DEATHS) waiting.unshift(lost);
        else onOutcome(lost.run, giveUp(lost.run));
        resolve(true);
      });
      send({ task });
      next();
    });

  const lane = async (): Promise<void> => {
    while (waiting.length > 0 && !signal.aborted) await serve();
  };
  await Promise.all(Array.from({ length: Math.min(workers, runs.length) }, lane));
}
