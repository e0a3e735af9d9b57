/** Entry of a thread that identifies in step with the one that started it; what it finds is what that one finds. */
import { parentPort, workerData } from 'node:worker_threads';
import { Lockstep } from './lockstep.ts';
import { scrutinize, type Task } from './scrutinized.ts';

/** What it is given. */
export interface MemberData {
  readonly memory: SharedArrayBuffer;
  readonly member: number;
  readonly members: number;
  readonly task: Task;
}

const { memory, member, members, task } = workerData as MemberData;
const team = new Lockstep(memory, member, members);
parentPort?.postMessage('ready');
try {
  await scrutinize(task, team);
} catch {
  // the thread that asks has the same data, and says what is wrong with them
  team.fail();
}
