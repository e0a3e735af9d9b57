/** Steps of elastic parts that touch and are joined allocate nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

test('steps with contact, friction, a pin and damping grow the heap by 0 bytes', () => {
  const { perStep, counts } = measureHeap<{ perStep: number; counts: number[] }>(
    'fem-models',
    `
const run = models.bouncingBlock();
run.steps(6000);
const grown = settled(run.steps, { rounds: 4000, windows: 20, least: 16 });
console.log(JSON.stringify({ perStep: grown, counts: [...run.counts] }));
`,
  );
  assert.ok(counts[0] > 1000, `steps in contact: ${counts[0]}`);
  assert.equal(counts[1], 0, 'all steps settle');
  // the compiler leaves up to 200 kB at some moment of a run, later on a busy machine; one boxed double a round would be 32 B in every window
  assert.ok(perStep < 16, `${perStep} bytes a step`);
});
