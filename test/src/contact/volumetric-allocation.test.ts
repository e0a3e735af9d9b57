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
const perRound = settled(rounds, { rounds: 25000, windows: 30, least: 8 });
console.log(JSON.stringify({ perRound, sum: exercise.sum[0] }));
`,
  );
  assert.ok(Number.isFinite(sum), `the laws gave numbers: ${sum}`);
  // one boxed double a round is 16 B
  assert.ok(perRound < 8, `${perRound} bytes a round`);
});
