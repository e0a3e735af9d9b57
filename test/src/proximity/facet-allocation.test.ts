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
run(300);
const perQuery = settled(run, { rounds: 300, windows: 40, least: 16 });
console.log(JSON.stringify({ perQuery, found: swing.found / n }));
`,
  );
  assert.ok(found > 200, `${found} pairs a query`);
  // a box in each pair of facets would be 3 kB a query and more
  assert.ok(perQuery < 16, `${perQuery} bytes a query`);
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
run(300);
const perSweep = settled(run, { rounds: 300, windows: 40, least: 16 });
console.log(JSON.stringify({ perSweep, found: swing.found / n }));
`,
  );
  assert.ok(found > 0.2, `${found} touches a sweep`);
  // a box in each pair of facets would be 1 kB a sweep and more
  assert.ok(perSweep < 16, `${perSweep} bytes a sweep`);
});
