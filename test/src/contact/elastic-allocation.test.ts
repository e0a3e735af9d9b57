/** A block on an elastic face, free and moved, with friction and without, allocates nothing in a step. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

interface Grown {
  readonly perStep: number;
  readonly loads: Readonly<Record<string, number>>;
}

for (const [scenes, what, count] of [
  ['pressedFaces', 'a plane', 4],
  ['facesOnTargets', 'every convex shape, cells, a hollow mesh and a face', 11],
] as const) {
  test(`a step with an elastic face on ${what} grows the heap by 0 bytes`, () => {
    const { perStep, loads } = measureHeap<Grown>(
      'elastic-allocation-models',
      `
const runs = models.${scenes}().map((model) => makeSystem(model));
const row = new Float64Array(64);
const loads = {};
function steps(n) {
  for (let k = 0; k < n; k++) for (const run of runs) {
    run.step(1e-3);
    run.readContact(0, row, 0);
  }
}
steps(2000);
const perStep = settled(steps, { rounds: 1000, windows: 60, least: 0.9 * runs.length }) / runs.length;
for (const run of runs) {
  run.readContact(0, row, 0);
  loads[run.model.name] = row[3];
}
console.log(JSON.stringify({ perStep, loads }));
`,
    );
    assert.equal(Object.keys(loads).length, count);
    // a block on its face swings for ever: at most twice its weight, and never off
    for (const [name, load] of Object.entries(loads)) assert.ok(load > 0, `${name}: ${load} N`);
    // one boxed double in one of the systems is 16 B over their number
    assert.ok(perStep < 0.9, `${perStep} bytes a step`);
  });
}

test('a step with a face that bounces in parts, at a body, a link and a grapple, grows the heap by 0 bytes', () => {
  const { perStep, loads } = measureHeap<Grown>(
    'elastic-allocation-models',
    `
const runs = models.bouncingFaces().map((model) => makeSystem(model));
const loads = {};
for (const run of runs) loads[run.model.name] = 0;
function steps(n) {
  for (let k = 0; k < n; k++) for (const run of runs) {
    run.step(1e-3);
    if (run.substeps > 1) loads[run.model.name]++;
  }
}
steps(2000);
const perStep = settled(steps, { rounds: 1000, windows: 60, least: 0.9 * runs.length }) / runs.length;
console.log(JSON.stringify({ perStep, loads }));
`,
  );
  assert.equal(Object.keys(loads).length, 3);
  for (const [name, steps] of Object.entries(loads)) assert.ok(steps > 100, `${name}: ${steps}`);
  assert.ok(perStep < 0.9, `${perStep} bytes a step`);
});
