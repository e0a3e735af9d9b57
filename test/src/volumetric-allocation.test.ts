/** The volumetric laws and the search for the normal allocate nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from './allocation-process.ts';

test('normals, normal laws, bristles and rolling of a volumetric contact grow the heap by 0 bytes', () => {
  const { perRound, sum } = measureHeap<{ perRound: number; sum: number }>(
    'volumetric-allocation-models',
    `
const exercise = new models.Exercise();
const ROUNDS = 25000;
for (let k = 0; k < 30000; k++) exercise.step();
let grown = Infinity;
for (let block = 0; block < 3; block++) {
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  for (let k = 0; k < ROUNDS; k++) exercise.step();
  grown = Math.min(grown, process.memoryUsage().heapUsed - before);
}
console.log(JSON.stringify({ perRound: grown / ROUNDS, sum: exercise.sum[0] }));
`,
  );
  assert.ok(Number.isFinite(sum), `the laws gave numbers: ${sum}`);
  // the compiler leaves up to 200 kB at some moment, 8 B a round; one boxed double a round is 16 B
  assert.ok(perRound < 12, `${perRound} bytes a round`);
});
