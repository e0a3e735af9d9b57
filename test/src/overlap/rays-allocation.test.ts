/** Rays and voxels allocate nothing: a process of its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

test('an overlap by rays or voxels of any primitives grows the heap by 0 bytes', () => {
  const grown = measureHeap<number>(
    'overlap/rays-models',
    `
const run = (n) => { for (let k = 0; k < n; k++) models.computeAll(); };
run(1500);
console.log(JSON.stringify(settled(run, { rounds: 600, windows: 30, least: 16 })));
`,
  );
  // seven columns a round with hundreds of lines each: one boxed double a column would be 112 B, one a line 10 kB
  assert.ok(grown < 16, `${grown} bytes a round`);
});
