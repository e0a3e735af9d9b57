/** A chain on a floor whose links also touch each other steps without allocating. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

test('steps of a chain with contacts on the floor and between its links grow the heap by 0 bytes', () => {
  const { perStep, floor, stop } = measureHeap<{ perStep: number; floor: number; stop: number }>(
    'chain-models',
    `
const runs = ['implicit-contact', 'rk4'].map((kind) => makeSystem(models.leaning(kind)));
const starts = runs.map((run) => run.state.slice());
const contact = new Float64Array(64);
const body = new Float64Array(13);
const touched = new Float64Array(2);
function steps(n) {
  for (let k = 0; k < n; k++) {
    for (let r = 0; r < 2; r++) {
      const run = runs[r];
      if (k % (r === 0 ? 600 : 30000) === 0) run.restore(starts[r]);
      // literals: a number out of an array would be boxed on its way into the call
      if (r === 0) run.step(1e-3);
      else run.step(2e-5);
      run.readContact(0, contact, 0);
      run.readContact(1, contact, 32);
      run.readBody(2, body, 0);
      touched[0] += contact[0];
      touched[1] += contact[32];
    }
  }
}
const grown = settled(steps, { rounds: 30000, windows: 30, least: 8 });
console.log(JSON.stringify({ perStep: grown, floor: touched[0], stop: touched[1] }));
`,
  );
  assert.ok(floor > 1e4 && stop > 1e4, `${floor}, ${stop} steps in contact`);
  // one boxed double in one of the two is 16 B a step
  assert.ok(perStep < 8, `${perStep} bytes a step`);
});
