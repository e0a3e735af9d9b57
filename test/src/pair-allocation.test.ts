/** One contact of each sphere pair, stepped in turn, allocates nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from './allocation-process.ts';

test('a step with a contact of any sphere pair grows the heap by 0 bytes', () => {
  const { perStep, forces } = measureHeap<{ perStep: number; forces: Record<string, number> }>(
    'sphere-pair-models',
    `
const runs = models.pressedBalls().map((model) => makeSystem(model));
const contact = new Float64Array(32);
const ROUNDS = 60000;
function steps(n) {
  for (let k = 0; k < n; k++) {
    for (let r = 0; r < runs.length; r++) {
      runs[r].step(1e-3);
      runs[r].readContact(0, contact, 0);
    }
  }
}
steps(30000);
let grown = Infinity;
for (let block = 0; block < 2; block++) {
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  steps(ROUNDS);
  grown = Math.min(grown, process.memoryUsage().heapUsed - before);
}
const forces = {};
for (const run of runs) {
  run.readContact(0, contact, 0);
  forces[run.model.name] = contact[3];
}
console.log(JSON.stringify({ perStep: grown / ROUNDS / runs.length, forces }));
`,
  );
  assert.equal(Object.keys(forces).length, 6);
  for (const [name, force] of Object.entries(forces)) {
    assert.ok(force > 20, `${name} was in contact while it was measured: ${force} N`);
  }
  // the compiler leaves up to 200 kB at some moment of a run, 0.6 B a step; one double boxed in one of the six pairs is 2.7 B
  assert.ok(perStep < 1, `${perStep} bytes a step`);
});
