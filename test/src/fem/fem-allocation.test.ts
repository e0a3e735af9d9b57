/** Steps of elastic parts that touch and are joined allocate nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

test('steps with contact, friction, a pin and damping grow the heap by 0 bytes', () => {
  const { perStep, counts } = measureHeap<{ perStep: number; counts: number[] }>(
    'fem-models',
    `
const run = models.bouncingBlock();
const grown = growth(run.steps, { warmUp: 6000, rounds: 4000, blocks: 4 });
console.log(JSON.stringify({ perStep: grown, counts: [...run.counts] }));
`,
  );
  assert.ok(counts[0] > 1000, `steps in contact: ${counts[0]}`);
  assert.equal(counts[1], 0, 'all steps settle');
  // the compiler leaves up to 200 kB at some moment of a run; one boxed double a round would be 32 B a step and more
  assert.ok(perStep < 16, `${perStep} bytes a step`);
});
