/** Steps with contacts of free form, followed and searched, allocate nothing (T25). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

test('steps of a ball and of a ring in a bowl grow the heap by 0 bytes', () => {
  const { perStep, force } = measureHeap<{
    perStep: number;
    force: number;
  }>(
    'freeform-models',
    `
const systems = [models.ringInBowl(), models.inBowl(), models.onPlate(false)].map((model) => makeSystem(model));
const row = new Float64Array(40);
function run(rounds) {
  for (let k = 0; k < rounds; k++) for (let s = 0; s < systems.length; s++) systems[s].step(1e-3);
}
const perStep = settled(run, { rounds: 300, windows: 10, least: 8 });
systems[0].readContact(0, row, 0);
console.log(JSON.stringify({ perStep, force: row[3] }));
`,
  );
  assert.ok(force > 1, `${force} N`);
  // one boxed double in a round of three steps is 16 B
  assert.ok(perStep < 8, `${perStep} bytes a step`);
});

test('steps of sliding rows grow the heap by 0 bytes', () => {
  const { perStep, moved } = measureHeap<{ perStep: number; moved: number }>(
    'freeform-scene',
    `
const system = makeSystem(models.mechanismsAndContacts(2, 0));
function run(steps) {
  for (let k = 0; k < steps; k++) system.step(1e-3);
}
const perStep = settled(run, { rounds: 1000, windows: 10, least: 8 });
const body = new Float64Array(13);
system.readBody(1, body, 0);
console.log(JSON.stringify({ perStep, moved: Math.abs(body[7]) + Math.abs(body[8]) }));
`,
  );
  assert.ok(moved > 0.1, `${moved} m/s`);
  assert.ok(perStep < 8, `${perStep} bytes a step`);
});
