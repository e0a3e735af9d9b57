/** Entry of a worker process of a study: runs what its parent sends, one after the other. */
import { runPoint, type StudyTask } from './run-point.ts';

/** From the parent: the task once, then runs by their number. */
export type ToWorker =
  | { readonly task: StudyTask }
  | { readonly run: number; readonly changes: readonly string[] };

let task: StudyTask | null = null;
process.on('message', (message: ToWorker) => {
  if ('task' in message) task = message.task;
  else if (task !== null)
    process.send?.({ run: message.run, outcome: runPoint(task, message.changes) });
});
// a parent that has ended closes the channel
process.on('disconnect', () => process.exit(0));
