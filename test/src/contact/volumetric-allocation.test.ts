/** The volumetric laws and the search for the normal allocate nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

test('normals, normal laws, bristles and rolling of a volumetric contact grow the heap by 0 bytes', () => {
  const { perRound, sum } = measureHeap<{ perRound: number; sum: number }>(
    'volumetric-allocation-models',
    `
const exercise = new models.Exercise();
function rounds(n) {
  for (let k = 0; k < n; k++) exercise.step();
}
const perRound = growth(rounds, { warmUp: 30000, rounds: 25000, blocks: 3 });
console.log(JSON.stringify({ perRound, sum: exercise.sum[0] }));
`,
  );
  assert.ok(Number.isFinite(sum), `the laws gave numbers: ${sum}`);
  // the compiler leaves up to 200 kB at some moment, 8 B a round; one boxed double a round is 16 B
  assert.ok(perRound < 12, `${perRound} bytes a round`);
});
