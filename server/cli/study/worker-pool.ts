/** Runs of a study on the cores of this machine, each worker a process of its own: one that dies loses the run it had, which is given out again. */
import { failedOutcome, type RunOutcome, type StudyTask } from './run-point.ts';
import { ChildEnded } from './study-child.ts';

/** Deaths of workers after which a run is given up. */
export const MOST_DEATHS = 3;

/** A run to do. */
export interface PoolRun {
  readonly run: number;
  readonly id: string;
  readonly changes: readonly string[];
}

/** Does one run after the other: a process that computes them, or a service that flies them. */
export interface PoolWorker {
  run(task: StudyTask, changes: readonly string[]): Promise<RunOutcome>;
  /** Ends what it does; a run that it has is lost. */
  stop(): void;
}

/** What every executor of a study takes. */
export interface ExecutorOptions {
  readonly task: StudyTask;
  readonly onOutcome: (run: number, outcome: RunOutcome) => void;
  /** Ends it early; what is running is given up. */
  readonly signal: AbortSignal;
}

/** The outcome of a run whose workers ended again and again. */
export const givenUp = (task: StudyTask): RunOutcome =>
  failedOutcome(task, `its worker ended ${MOST_DEATHS} times while it ran`);

/** Does all runs, one at a time in each child, which stays for the next runs. Resolves when each has an outcome, or the signal came. */
export async function runPool(
  runs: readonly PoolRun[],
  children: readonly PoolWorker[],
  { task, onOutcome, signal }: ExecutorOptions,
): Promise<void> {
  const waiting = [...runs].reverse();
  const deaths = new Map<number, number>();

  const lane = async (child: PoolWorker): Promise<void> => {
    const stop = (): void => child.stop();
    signal.addEventListener('abort', stop, { once: true });
    for (let next = waiting.pop(); next !== undefined && !signal.aborted; next = waiting.pop()) {
      try {
        onOutcome(next.run, await child.run(task, next.changes));
      } catch (error) {
        if (!(error instanceof ChildEnded)) throw error;
        if (signal.aborted) break;
        const count = (deaths.get(next.run) ?? 0) + 1;
        deaths.set(next.run, count);
        // last of all: a run that ends its worker must not keep the others waiting
        if (count < MOST_DEATHS) waiting.unshift(next);
        else onOutcome(next.run, givenUp(task));
      }
    }
    signal.removeEventListener('abort', stop);
  };
  await Promise.all(children.slice(0, runs.length).map(lane));
}
