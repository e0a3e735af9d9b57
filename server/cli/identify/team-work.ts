/** Identification by several threads in step. */
import { once } from 'node:events';
import { extname } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { ONE_ALONE } from '../../../src/identify/team.ts';
import { startThread } from '../../../hil/os/start-thread.ts';
import type { MemberData } from './identify-worker.ts';
import { Lockstep, lockstepMemory } from './lockstep.ts';
import { scrutinize, type Scrutinized, type Task } from './scrutinized.ts';

const ENTRY = new URL(`./identify-worker${extname(import.meta.url)}`, import.meta.url);

/** Computes it with so many threads, this one among them: the same bits for every count. @throws BerthError for data that cannot be used */
export async function scrutinizeTogether(task: Task, members: number): Promise<Scrutinized> {
  if (members === 1) return scrutinize(task, ONE_ALONE);
  const memory = lockstepMemory();
  const others: Worker[] = [];
  try {
    for (let member = 1; member < members; member++) {
      const workerData: MemberData = { memory, member, members, task };
      others.push(startThread(ENTRY, { workerData }));
    }
    // one that cannot start would be waited for in vain
    await Promise.all(others.map((other) => once(other, 'message')));
    return await scrutinize(task, new Lockstep(memory, 0, members));
  } finally {
    await Promise.all(others.map((other) => other.terminate()));
  }
}
