/** `berth study worker`: takes runs from Redis, one for each core, each in a process of its own, so that the locks of its runs are renewed meanwhile. */
import { once } from 'node:events';
import { hostname } from 'node:os';
import { buildName } from './manifest.ts';
import { connectRedis, type JobAnswer, LOCK_MS, QUEUE, type StudyJob } from './redis-queue.ts';
import { StudyChild } from './study-child.ts';
import { MOST_DEATHS } from './worker-pool.ts';

export interface RedisWorkerOptions {
  readonly url: string;
  readonly workers: number;
  readonly signal: AbortSignal;
  readonly note: (words: string) => void;
}

/** Works until the signal, or until a job is of another build. @returns whether it ended by the signal */
export async function serveRedis({
  url,
  workers,
  signal,
  note,
}: RedisWorkerOptions): Promise<boolean> {
  const build = buildName();
  const machine = hostname();
  const link = await connectRedis(url, note);
  const idle = Array.from({ length: workers }, () => new StudyChild());
  const stranger = new AbortController();
  const answer = async ({ build: asked, task, changes }: StudyJob): Promise<JobAnswer> => {
    if (asked !== build) {
      note(
        `this is build ${build}; the study is planned for ${asked}: its runs are left to others`,
      );
      stranger.abort();
      return { build, machine, outcome: null };
    }
    const child = idle.pop() ?? new StudyChild();
    try {
      return { build, machine, outcome: await child.run(task, changes) };
    } finally {
      idle.push(child);
    }
  };
  const worker = new link.bullmq.Worker<StudyJob, JobAnswer>(QUEUE, ({ data }) => answer(data), {
    connection: link.redis,
    concurrency: workers,
    lockDuration: LOCK_MS,
    stalledInterval: LOCK_MS / 2,
    maxStalledCount: MOST_DEATHS - 1,
  });
  worker.on('error', () => undefined); // the connection says when Redis is away
  note(`${workers} workers of build ${build}`);
  const ended = AbortSignal.any([signal, stranger.signal]);
  if (!ended.aborted) await once(ended, 'abort');
  // what runs is finished and given back first
  await worker.close();
  for (const child of idle) child.stop();
  link.close();
  return !stranger.signal.aborted;
}
