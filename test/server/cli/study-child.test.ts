/** The process of a point: one that is killed, with a run or without one, is followed by another. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { StudyTask } from '../../../server/cli/study/run-point.ts';
import { ChildEnded, StudyChild } from '../../../server/cli/study/study-child.ts';

const task: StudyTask = {
  scenario: 'ball-on-table',
  until_s: 0.01,
  quantities: [{ name: 'time', of: 'end', column: 'time_s' }],
  end_when: [],
};

/** Processes that this one has started. */
const children = (): number[] =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter((word) => word !== '')
    .map(Number);

test('a process that is killed while it has no run, and one that has one', async () => {
  const before = new Set(children());
  const own = (): number | undefined => children().find((pid) => !before.has(pid));
  const child = new StudyChild();
  const { quantities } = await child.run(task, []);
  assert.ok(Math.abs(Number(quantities[0]) - 0.01) < 1e-9);
  const first = own();
  assert.ok(first !== undefined);
  process.kill(first, 'SIGKILL');
  while (own() === first) await delay(5);
  const again = await child.run(task, []);
  assert.deepEqual(again.quantities, quantities);
  const lost = child.run({ ...task, until_s: 1e6 }, []);
  process.kill(own() ?? 0, 'SIGKILL');
  await assert.rejects(lost, ChildEnded);
  child.stop();
});
