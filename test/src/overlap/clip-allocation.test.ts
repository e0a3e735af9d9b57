/** Clipping allocates nothing: a process of its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

for (const [what, call] of [
  ['six kernels at nine poses', 'computeAll'],
  ['six kernels with tapes along a walk of nine poses', 'followAll'],
] as const) {
  test(`${what} grow the heap by 0 bytes`, () => {
    const { perRound, sum } = measureHeap<{ perRound: number; sum: number }>(
      'overlap/clip-models',
      `
const out = new Float64Array(1);
function rounds(n) {
  for (let k = 0; k < n; k++) models.${call}(out);
}
const perRound = settled(rounds, { rounds: 1000, windows: 30, least: 16 });
console.log(JSON.stringify({ perRound, sum: out[0] }));
`,
    );
    assert.ok(Number.isFinite(sum) && sum !== 0);
    // one boxed double a call would be 54 × 16 B
    assert.ok(perRound < 16, `${perRound} bytes a round`);
  });
}
