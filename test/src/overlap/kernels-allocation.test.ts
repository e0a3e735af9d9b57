/** Computing an overlap in closed form allocates nothing: a process of its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

test('a column of every kernel in closed form grows the heap by 0 bytes', () => {
  const { perRound, sum } = measureHeap<{ perRound: number; sum: number }>(
    'overlap/kernels-models',
    `
const out = new Float64Array(1);
function rounds(n) {
  for (let k = 0; k < n; k++) models.computeAll(out);
}
const perRound = settled(rounds, { rounds: 1000, windows: 30, least: 16 });
console.log(JSON.stringify({ perRound, sum: out[0] }));
`,
  );
  assert.ok(Number.isFinite(sum) && sum !== 0);
  // one boxed double in one kernel would be 32 B in every window
  assert.ok(perRound < 16, `${perRound} bytes a round of fifty columns`);
});
