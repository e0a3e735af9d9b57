/** Queries on facets allocate nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

test('pairs, nearest pair and class of a ring on a cone grow the heap by 0 bytes', () => {
  const { perQuery, found } = measureHeap<{ perQuery: number; found: number }>(
    'facet-models',
    `
const swing = new models.RingSwing(96, 24);
let n = 0;
function run(rounds) {
  for (let k = 0; k < rounds; k++) {
    swing.collect(n);
    swing.classify(n++);
  }
}
const perQuery = growth(run, { warmUp: 300, rounds: 300, blocks: 3 });
console.log(JSON.stringify({ perQuery, found: swing.found / n }));
`,
  );
  assert.ok(found > 200, `${found} pairs a query`);
  // the compiler leaves up to 200 kB at some moment of a run; a box in each pair of facets would be 3 kB a query and more
  assert.ok(perQuery < 700, `${perQuery} bytes a query`);
});

test('first touch and swept distance of the ring grow the heap by 0 bytes', () => {
  const { perSweep, found } = measureHeap<{ perSweep: number; found: number }>(
    'facet-models',
    `
const swing = new models.RingSwing(24, 8);
let n = 0;
function run(rounds) {
  for (let k = 0; k < rounds; k++) swing.sweep(n++);
}
const perSweep = growth(run, { warmUp: 300, rounds: 300, blocks: 3 });
console.log(JSON.stringify({ perSweep, found: swing.found / n }));
`,
  );
  assert.ok(found > 0.2, `${found} touches a sweep`);
  // as above; a box in each pair of facets would be 1 kB a sweep and more
  assert.ok(perSweep < 700, `${perSweep} bytes a sweep`);
});
