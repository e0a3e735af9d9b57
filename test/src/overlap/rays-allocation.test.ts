/** Rays and voxels allocate nothing: a process of its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../allocation-process.ts';

test('an overlap by rays or voxels of any primitives grows the heap by 0 bytes', () => {
  const grown = measureHeap<number>(
    'overlap/ray-cases',
    `
const run = (n) => { for (let k = 0; k < n; k++) models.computeAll(); };
console.log(JSON.stringify(growth(run, { warmUp: 250, rounds: 150, blocks: 4 })));
`,
  );
  // 25 columns a round with thousands of lines each: one boxed double a column would be 400 B, one a line 1 MB; the compiler itself
  // leaves some 10 kB in a block
  assert.ok(grown < 200, `${grown} bytes a round`);
});
