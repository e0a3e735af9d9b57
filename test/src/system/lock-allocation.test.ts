/** Closed loops of bodies and of a chain step without allocating. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CONSTRAINT_READOUT } from '../../../src/system/system.ts';
import { measureHeap } from '../../fixtures/allocation-process.ts';

test('steps of a slider-crank of locks, and of a chain that a lock closes, grow the heap by 0 bytes', () => {
  const { perStep, turned } = measureHeap<{ perStep: number; turned: number }>(
    '../../server/validation/constraint-models',
    `
const runs = ['implicit-contact', 'rk4'].flatMap((integrator) => [
  makeSystem(models.crankOfLocks(0.4, 20, true, { integrator })),
  makeSystem(models.crankOfChain(0.4, 20, { integrator })),
]);
const body = new Float64Array(13);
const row = new Float64Array(${CONSTRAINT_READOUT.length});
const turned = new Float64Array(1);
function steps(n) {
  for (let k = 0; k < n; k++) {
    for (let r = 0; r < runs.length; r++) {
      const run = runs[r];
      run.step(1e-3);
      run.readConstraint(0, row, 0);
      run.readBody(0, body, 0);
      turned[0] += row[0] * row[0];
    }
  }
}
const grown = settled(steps, { rounds: 4000, windows: 40, least: 8 });
console.log(JSON.stringify({ perStep: grown, turned: turned[0] }));
`,
  );
  assert.ok(turned > 0);
  // one boxed double in one of the four is 16 B a round
  assert.ok(perStep < 8, `${perStep} bytes a round of four steps`);
});
