/** The step allocates nothing: 600,000 steps of the half-sphere loop in a process of its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

test('600,000 steps of the half-sphere loop grow the heap by 0 bytes a step', () => {
  const { perStep, force } = measureHeap<{ perStep: number; force: number }>(
    'models',
    `
const run = makeSystem(models.halfSphere(0.02, { command: [{ time: 0, twist: [1e-3, 0, -2e-3, 0, 0, 0] }] }));
const contact = new Float64Array(40);
const energy = new Float64Array(8);
function steps(n) {
  for (let k = 0; k < n; k++) {
    run.step(1e-3);
    run.readContact(0, contact, 0);
    run.readEnergy(energy, 0);
  }
}
const grown = settled(steps, { rounds: 600000, windows: 10, least: 0.5 });
console.log(JSON.stringify({ perStep: grown, force: contact[3] }));
`,
  );
  assert.ok(force > 20, 'the loop was in contact while it was measured');
  // one boxed double would be 16 B a step
  assert.ok(perStep < 0.5, `${perStep} bytes a step`);
});
