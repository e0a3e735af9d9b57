/** Steps that jump through a plate allocate nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

test('first touch, sub-steps and crossings of every kind of pair grow the heap by 0 bytes a step', () => {
  const grown = measureHeap<Record<string, number>>(
    'crossing-models',
    `
const grown = {};
for (const kind of models.KINDS) {
  const run = makeSystem(models.shot(kind, 1e4));
  const kept = run.state.slice();
  let crossed = 0;
  let steps = 0;
  grown[kind] = settled(
    (rounds) => {
      for (let k = 0; k < rounds; k++) {
        run.restore(kept);
        run.step(1e-3);
        crossed += run.crossedCount;
        steps++;
      }
    },
    { rounds: 1500, windows: 30, least: 64 },
  );
  if (crossed < steps) throw new Error(kind + ': ' + crossed + ' in ' + steps + ' steps');
}
console.log(JSON.stringify(grown));
`,
  );
  // 64 sub-steps with a box each would be 1 kB
  for (const [kind, bytes] of Object.entries(grown)) assert.ok(bytes < 64, `${kind}: ${bytes}`);
});
