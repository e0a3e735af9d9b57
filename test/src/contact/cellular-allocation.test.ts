/**
 * A settled step of a box on a tray of cells allocates nothing: broad phase, kernels, normals, pool and laws. Below one byte a step is
 * the measurement itself; one boxed double a step would be 16.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

interface Heap {
  perStep: number;
  pairs: number;
  onsets: number;
}

/** Steps `run` after `drive(k)`, counting pairs of cells at once and steps in which a pair began. */
const STEPS = `
const row = new Float64Array(40);
const energy = new Float64Array(8);
const phase = new Float64Array(1);
let pairs = 0;
let onsets = 0;
let last = 0;
function steps(n) {
  for (let k = 0; k < n; k++) {
    phase[0] += 0.01;
    drive();
    run.step(1e-3);
    run.readContact(0, row, 0);
    run.readEnergy(energy, 0);
    if (row[30] > pairs) pairs = row[30];
    if (row[30] > last) onsets++;
    last = row[30];
  }
}
`;
const PRINT = 'console.log(JSON.stringify({ perStep, pairs, onsets }));';

function check({ perStep, pairs, onsets }: Heap): void {
  assert.ok(pairs >= 12, `${pairs} pairs touched at once`);
  assert.ok(onsets > 100, `pairs began in ${onsets} steps`);
  assert.ok(perStep < 1, `${perStep} bytes a step`);
}

test('a prescribed box of 4 cells on a tray of 10: 0 bytes a step', () => {
  check(
    measureHeap<Heap>(
      'volumetric-models',
      `
const model = models.boxOnTray();
model.bodies[0] = { ...model.bodies[0], motion: 'prescribed' };
const run = makeSystem(model);
const pose = new Float64Array(13);
run.readBody(0, pose, 0);
function drive() {
  const u = phase[0]; // over the edges of the slabs and into the wall, down and up
  pose[0] = 0.145 + 0.01 * Math.sin(u);
  pose[1] = 0.02 * Math.cos(u);
  pose[2] = 0.0499 + 3e-4 * Math.sin(3 * u);
  pose[5] = Math.sin(0.01 * Math.sin(u));
  pose[6] = Math.cos(0.01 * Math.sin(u));
  run.setBodyMotion(0, pose, 0);
}
${STEPS}
const perStep = settled(steps, { rounds: 4000, windows: 30, least: 1 });
${PRINT}`,
    ),
  );
});

test('a free box of 4 cells pushed to and fro on the tray: 0 bytes a step', () => {
  check(
    measureHeap<Heap>(
      'volumetric-models',
      `
const run = makeSystem(models.boxOnTray());
const wrench = new Float64Array(6);
function drive() {
  const u = phase[0]; // 2 kg: friction holds 3 N; pushed into the wall and back, and lifted now and then
  wrench[0] = 4 + 8 * Math.sin(u);
  wrench[1] = 5 * Math.cos(0.7 * u);
  wrench[2] = 25 * Math.max(0, Math.sin(3 * u) - 0.2);
  run.setExternalWrench(0, wrench, 0);
}
${STEPS}
const perStep = settled(steps, { rounds: 3000, windows: 30, least: 1 });
${PRINT}`,
    ),
  );
});
