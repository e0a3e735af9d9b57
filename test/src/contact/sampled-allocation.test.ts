/** Steps with a contact of samples and a field allocate nothing, with every kind of friction. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

for (const friction of ['coulomb', 'bristle']) {
  test(`steps of a cube on a slab grow the heap by 0 bytes: ${friction}`, () => {
    const { perStep, pairs } = measureHeap<{ perStep: number; pairs: number }>(
      'sampled-contact-models',
      `
const system = makeSystem(models.cubeOnSlab('${friction}', { angularVelocity: [0, 0, 3] }));
const row = new Float64Array(40);
function run(rounds) {
  for (let k = 0; k < rounds; k++) system.step(1e-3);
}
const perStep = settled(run, { rounds: 400, windows: 40, least: 100 });
system.readContact(0, row, 0);
console.log(JSON.stringify({ perStep, pairs: row[30] }));
`,
    );
    assert.ok(pairs > 8, `${pairs} patches`);
    // a window without the compiler, whose 200 kB come late on a busy machine; a box for each sample would be 4 kB a step
    assert.ok(perStep < 100, `${perStep} bytes a step`);
  });
}
