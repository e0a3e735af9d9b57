/** Entry of a worker process of a study: runs what its parent sends, one after the other. */
import { type RunOutcome, runPoint, type StudyTask } from './run-point.ts';

/** From the parent: one run. */
export interface ToWorker {
  readonly task: StudyTask;
  readonly changes: readonly string[];
}

/** To the parent. */
export interface FromWorker {
  readonly outcome: RunOutcome;
}

process.on('message', ({ task, changes }: ToWorker) => {
  const answer: FromWorker = { outcome: runPoint(task, changes) };
  process.send?.(answer);
});
// a parent that has ended closes the channel
process.on('disconnect', () => process.exit(0));
