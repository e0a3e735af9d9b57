/** A query of any two convex shapes, apart, touching or deep, allocates nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

test('queries of every pair of shapes grow the heap by 0 bytes', () => {
  const { perQuery, deep } = measureHeap<{ perQuery: number; deep: number }>(
    'convex-models',
    `
const sweeps = [1e-2, -1e-4, -2e-2].flatMap((gap) => models.everySweep(gap, 5));
const deep = sweeps.reduce((sum, sweep) => sum + sweep.count().deep, 0);
function run(rounds) {
  for (let k = 0; k < rounds; k++) for (let s = 0; s < sweeps.length; s++) sweeps[s].run();
}
const grown = settled(run, { rounds: 30, windows: 30, least: 8 * sweeps.length * 5 });
console.log(JSON.stringify({ perQuery: grown / sweeps.length / 5, deep }));
`,
  );
  assert.ok(deep > 100, `${deep} queries went through the expansion`);
  // one boxed double would be 16 B a query
  assert.ok(perQuery < 8, `${perQuery} bytes a query`);
});
