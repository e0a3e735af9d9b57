/** Joint friction and the orbiting world allocate nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

test('steps of joints that slip and stick in the orbiting world grow the heap by 0 bytes', () => {
  const { perStep, sum } = measureHeap<{ perStep: number; sum: number }>(
    'joint-friction-models',
    `
const run = models.rubbingArm();
const grown = settled(run.steps, { rounds: 20000, windows: 30, least: 8 });
console.log(JSON.stringify({ perStep: grown, sum: run.sum[0] }));
`,
  );
  assert.ok(Number.isFinite(sum) && sum !== 0, `bristles were bent: ${sum}`);
  // one boxed double would be 16 B a step
  assert.ok(perStep < 8, `${perStep} bytes a step`);
});
