/**
 * The queue that a study and its workers on other machines share: jobs of BullMQ in Redis or Valkey. The packages are peers that are asked for only where
 * studies use them. A job is one run, and is named by the run: to add it twice is to add it once.
 */
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { BerthError } from '../../../src/base/errors.ts';
import type { RunOutcome, StudyTask } from './run-point.ts';

export const QUEUE = 'berth-study';

/** What a worker is given. */
export interface StudyJob {
  readonly build: string;
  readonly task: StudyTask;
  readonly changes: readonly string[];
}

/** What it gives back; no outcome when it has another build than the job. */
export interface JobAnswer {
  readonly build: string;
  readonly machine: string;
  readonly outcome: RunOutcome | null;
}

/** Queue of a study. */
export type StudyQueue = Queue<StudyJob, JobAnswer>;

/** A run without a worker that lives is given to another after this, ms: the lock of a job, which its worker renews. */
export const LOCK_MS = 10_000;
/** Time between two tries of a connection that is lost, ms. */
const RETRY_MS = 500;
/** Oldest version that the queue works with: streams came with it. */
const LEAST_VERSION = 5;
/** Longest wait for the first answer, ms. */
const FIRST_MS = 5000;

/** The packages. @throws BerthError when they are not installed */
async function loadPackages(): Promise<{
  bullmq: typeof import('bullmq');
  Redis: typeof Redis;
}> {
  try {
    return { bullmq: await import('bullmq'), Redis: (await import('ioredis')).Redis };
  } catch (error) {
    throw new BerthError(
      'BERTH_USAGE',
      '--redis takes two packages that are not installed: npm install bullmq ioredis',
      { field: '--redis', cause: error },
    );
  }
}

/** A connection that has answered once, and comes back by itself when Redis does. */
export interface RedisLink {
  readonly bullmq: typeof import('bullmq');
  readonly redis: Redis;
  /** Ends the connection. */
  close(): void;
}

/** @throws BerthError for an address that nothing answers at */
export async function connectRedis(
  url: string,
  onState: (words: string) => void,
): Promise<RedisLink> {
  const refused = (why: string, cause?: unknown): BerthError =>
    new BerthError('BERTH_USAGE', `--redis is "${shown(url)}": ${why}`, {
      field: '--redis',
      cause,
    });
  if (!/^rediss?:\/\/./.test(url))
    throw refused('allowed: redis://HOST:PORT or rediss://HOST:PORT');
  const packages = await loadPackages();
  const redis = new packages.Redis(url, {
    maxRetriesPerRequest: null, // BullMQ asks for it: commands wait until Redis is back
    retryStrategy: () => RETRY_MS,
    lazyConnect: true,
  });
  let last = '';
  let isAway = true;
  redis.on('error', (error: Error) => (last = error.message));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(last === '' ? 'no answer' : last)), FIRST_MS);
  });
  try {
    await Promise.race([redis.connect().then(() => redis.ping()), late]);
  } catch (error) {
    redis.disconnect();
    throw refused(last === '' ? (error as Error).message : last, error);
  } finally {
    clearTimeout(timer);
  }
  // Valkey says a version of Redis as well
  const version = /^redis_version:(\S+)/m.exec(await redis.info('server'))?.[1] ?? 'unknown';
  if (!(Number.parseInt(version, 10) >= LEAST_VERSION)) {
    redis.disconnect();
    throw refused(`it is Redis ${version}; allowed: ${LEAST_VERSION} or later, or Valkey`);
  }
  isAway = false;
  redis.on('close', () => {
    if (!isAway) onState('Redis is away; waiting for it');
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) onState('Redis is back');
    isAway = false;
  });
  return {
    bullmq: packages.bullmq,
    redis,
    close: () => {
      redis.removeAllListeners('close');
      redis.disconnect();
    },
  };
}

/** An address without its password. */
const shown = (url: string): string => url.replace(/\/\/[^@/]*@/, '//');
