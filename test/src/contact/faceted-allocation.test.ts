/** Steps with a contact of facets allocate nothing, with every kind of friction. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

for (const [friction, duplicates] of [
  ['none', 'drop'],
  ['coulomb', 'area'],
  ['bristle', 'drop'],
]) {
  test(`steps of a ring on a cone grow the heap by 0 bytes: ${friction}, ${duplicates}`, () => {
    const { perStep, pairs } = measureHeap<{ perStep: number; pairs: number }>(
      'faceted-contact-models',
      `
const system = makeSystem(models.ringOnCone('${friction}', '${duplicates}'));
const row = new Float64Array(40);
function run(rounds) {
  for (let k = 0; k < rounds; k++) system.step(1e-3);
}
run(1500);
const perStep = settled(run, { rounds: 400, windows: 30, least: 16 });
system.readContact(0, row, 0);
console.log(JSON.stringify({ perStep, pairs: row[30] }));
`,
    );
    assert.ok(pairs > 40, `${pairs} pairs`);
    // a box for each pair would be 700 B a step and more for each call
    assert.ok(perStep < 16, `${perStep} bytes a step`);
  });
}
