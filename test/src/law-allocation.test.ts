/** One contact of each friction law with each rolling law, and of each normal law, stepped in turn, allocates nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from './allocation-process.ts';

for (const integrator of ['implicit-contact', 'symplectic-euler'] as const) {
  test(`a step of ${integrator} with any law grows the heap by 0 bytes`, () => {
    const { perStep, forces } = measureHeap<{ perStep: number; forces: Record<string, number> }>(
      'law-allocation-models',
      `
const runs = models.balls().map((model) => makeSystem({ ...model, integrator: '${integrator}' }));
const contact = new Float64Array(32);
const ROUNDS = 25000;
function steps(n) {
  for (let k = 0; k < n; k++) {
    for (let r = 0; r < runs.length; r++) {
      runs[r].step(2e-4);
      runs[r].readContact(0, contact, 0);
    }
  }
}
steps(30000);
let grown = Infinity;
for (let block = 0; block < 3; block++) {
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
    assert.ok(Object.keys(forces).length >= 13);
    for (const [name, force] of Object.entries(forces)) {
      assert.ok(force > 5, `${name} was in contact while it was measured: ${force} N`);
    }
    // the compiler leaves up to 200 kB at some moment, 0.5 B a step; one boxed double in one of the fifteen systems is 1.07 B
    assert.ok(perStep < 1, `${perStep} bytes a step`);
  });
}
