/** A step of a box on a tray of cells allocates nothing: broad phase, kernels, normals, pool and laws. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from './allocation-process.ts';

test('a box of 4 cells on a tray of 10 grows the heap by 0 bytes a step', () => {
  const { perStep, pairs } = measureHeap<{ perStep: number; pairs: number }>(
    'volumetric-models',
    `
const run = makeSystem(models.boxOnTray());
const start = run.state.slice();
const contact = new Float64Array(40);
const energy = new Float64Array(8);
let pairs = 0;
function steps(n) {
  for (let k = 0; k < n; k++) {
    if (k % 100 === 0) run.restore(start); // it slides, turns and hits the wall again and again
    run.step(1e-3);
    run.readContact(0, contact, 0);
    run.readEnergy(energy, 0);
    if (contact[30] > pairs) pairs = contact[30];
  }
}
const grown = growth(steps, { warmUp: 18000, rounds: 3000, blocks: 2 });
console.log(JSON.stringify({ perStep: grown, pairs }));
`,
  );
  assert.ok(pairs >= 7, `${pairs} pairs touched at once`);
  // the compiler leaves up to 200 kB at some moment of a run, 67 B a step; one boxed double in each of the 4 × 8 × 9 solutions of a step
  // would be 4.6 kB
  assert.ok(perStep < 100, `${perStep} bytes a step`);
});
