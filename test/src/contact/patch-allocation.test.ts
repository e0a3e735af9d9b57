/** Steps of elastic faces allocate nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

test('steps of a face of 16 points with and without friction, modes and a body that yields grow the heap by 0 bytes', () => {
  const { perStep, counts } = measureHeap<{ perStep: number[]; counts: number[][] }>(
    'patch-models',
    `
const out = { perStep: [], counts: [] };
for (const friction of [0.3, 0]) {
  const run = models.slidingPatch(4, friction);
  run.steps(6000);
  out.perStep.push(settled(run.steps, { rounds: 4000, windows: 20, least: 16 }));
  out.counts.push([...run.counts]);
}
console.log(JSON.stringify(out));
`,
  );
  for (const [most] of counts) assert.ok(most >= 12, `points that touch: ${most}`);
  for (const bytes of perStep) assert.ok(bytes < 16, `${bytes} bytes a step`);
});
