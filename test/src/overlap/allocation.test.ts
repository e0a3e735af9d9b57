/** Writing overlap metrics allocates nothing: a process of its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

test('a column of every form grows the heap by 0 bytes', () => {
  const { perRound, sum } = measureHeap<{ perRound: number; sum: number }>(
    'overlap-models',
    `
const columns = new Float64Array(10 * 11);
const out = new Float64Array(10);
function rounds(n) {
  for (let k = 0; k < n; k++) models.writeAll(out, columns);
}
const grown = settled(rounds, { rounds: 20000, windows: 30, least: 8 });
console.log(JSON.stringify({ perRound: grown, sum: out[0] }));
`,
  );
  assert.ok(Number.isFinite(sum) && sum !== 0);
  // one boxed double in any form would be 16 B
  assert.ok(perRound < 8, `${perRound} bytes a round of ten columns`);
});
