/**
 * Runs of a study by workers on any machines that reach one Redis. Redis is a way for runs and results and keeps nothing that counts: results are taken out and
 * written here at once, and runs that it has lost are added again. A run may be done more than once; its name and its bits are the same.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Job } from 'bullmq';
import {
  connectRedis,
  type JobAnswer,
  QUEUE,
  type StudyJob,
  type StudyQueue,
} from './redis-queue.ts';
import type { RunOutcome } from './run-point.ts';
import { type ExecutorOptions, givenUp, MOST_DEATHS, type PoolRun } from './worker-pool.ts';

/** Time between two looks for results, ms. */
const POLL_MS = 200;
/** Jobs added, and results taken, at once. */
const BATCH = 1000;
/** One run in so many is done twice: a worker that computes otherwise is found. */
const AUDIT = 100;
/** Suffix of the name of the second time. */
const AGAIN = '-again';
/** Time without a result after which the runs are added again: Redis may have lost them. It doubles up to the most, ms. */
const LEAST_PATIENCE_MS = 5000;
const MOST_PATIENCE_MS = 60_000;
/** Results that no study takes stay so long, s. */
const KEPT = { age: 24 * 3600 };

export interface RedisOptions extends Omit<ExecutorOptions, 'onOutcome'> {
  readonly url: string;
  readonly build: string;
  readonly onOutcome: (run: number, outcome: RunOutcome, machine: string) => void;
  /** The same run a second time: not one more, but what it gave is to be compared. */
  readonly onSecond: (run: number, outcome: RunOutcome, machine: string) => void;
  readonly note: (words: string) => void;
}

/** Names of jobs are no numbers and have no colon. */
const jobName = (id: string): string => `run-${id}`;

/** Does all runs. Resolves when each has an outcome, or the signal came. */
export async function runOnRedis(runs: readonly PoolRun[], options: RedisOptions): Promise<void> {
  const { url, task, build, signal, note } = options;
  const link = await connectRedis(url, note);
  const queue: StudyQueue = new link.bullmq.Queue(QUEUE, { connection: link.redis });
  queue.on('error', () => undefined); // the connection says when Redis is away
  const open = new Map<string, PoolRun>();
  for (const each of runs) {
    open.set(jobName(each.id), each);
    if (each.run % AUDIT === 0) open.set(`${jobName(each.id)}${AGAIN}`, each);
  }
  const add = async (names: readonly string[]): Promise<void> => {
    for (let at = 0; at < names.length; at += BATCH) {
      await queue.addBulk(
        names.slice(at, at + BATCH).map((jobId) => ({
          name: 'run',
          data: { build, task, changes: open.get(jobId)?.changes ?? [] },
          opts: { jobId, attempts: MOST_DEATHS, removeOnComplete: KEPT, removeOnFail: KEPT },
        })),
      );
    }
  };
  const strangers = new Set<string>();
  /** @returns whether the run has to be done again */
  const take = (name: string, job: Job<StudyJob, JobAnswer>, hasFailed: boolean): boolean => {
    const run = open.get(name);
    if (run === undefined) return false;
    const answer = hasFailed
      ? { outcome: givenUp(task), machine: 'redis', build }
      : job.returnvalue;
    if (answer.outcome === null || answer.build !== build) {
      const words = `${answer.machine} runs build ${answer.build}; the study is planned for ${build}: its results are left out`;
      if (!strangers.has(words)) note(words);
      strangers.add(words);
      return true;
    }
    open.delete(name);
    const done = name.endsWith(AGAIN) ? options.onSecond : options.onOutcome;
    done(run.run, answer.outcome, answer.machine);
    return false;
  };
  /** Takes what is done out of the queue. @returns how many */
  const collect = async (): Promise<number> => {
    const again: string[] = [];
    let count = 0;
    for (const state of ['completed', 'failed'] as const) {
      for (const job of await queue.getJobs([state], 0, BATCH - 1)) {
        const name = job.id ?? '';
        if (!open.has(name)) continue; // another study’s
        if (take(name, job, state === 'failed')) again.push(name);
        await job.remove();
        count++;
      }
    }
    await add(again);
    return count;
  };
  try {
    await add([...open.keys()]);
    let heard = performance.now();
    let patience = LEAST_PATIENCE_MS;
    while (open.size > 0 && !signal.aborted) {
      if ((await collect()) > 0) {
        heard = performance.now();
        patience = LEAST_PATIENCE_MS;
        continue;
      }
      if (performance.now() - heard > patience) {
        // those that Redis still has are not added twice
        await add([...open.keys()]);
        if ((await queue.getWorkersCount()) === 0)
          note('no worker: berth study worker --redis URL');
        heard = performance.now();
        patience = Math.min(2 * patience, MOST_PATIENCE_MS);
      }
      await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
    }
    // what waits is left to no worker; a run that one has is left to it
    await Promise.allSettled([...open.keys()].map((name) => queue.remove(name)));
  } finally {
    await queue.close();
    link.close();
  }
}
