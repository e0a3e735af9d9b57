/** Steps, forward dynamics and mobility of an arm with flexible links and gears leave nothing on the heap. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

test('an arm of 22 coordinates steps and answers its controller without allocating', () => {
  const { perStep, moved } = measureHeap<{ perStep: number; moved: number }>(
    'tree-models',
    `
const run = models.makeTree(models.spaceArm(2));
const start = run.state.slice();
const { n } = run;
const [tau, out, torque, bias, jacobian] = [new Float64Array(n), new Float64Array(n), new Float64Array(n), new Float64Array(6), new Float64Array(6 * n)];
const [matrix, mobility, energy] = [new Float64Array(n * n), new Float64Array(36), new Float64Array(3)];
const timing = Float64Array.of(1e-3);
const push = Float64Array.of(1, 2, 3, 0.1, 0.2, 0.3);
function steps(count) {
  for (let k = 0; k < count; k++) {
    if (k % 2000 === 0) { run.state.set(start); run.refresh(); }
    run.addFrameWrench(0, push);
    run.step(tau, timing);
    run.clearWrenches();
    run.computeMassMatrix(matrix);
    run.computeBias(out);
    run.frameJacobian(0, jacobian);
    run.frameBias(0, bias);
    run.frameMobility(0, mobility);
    run.articulatedBody(tau, out);
    run.inverseDynamics(out, torque);
    run.computeEnergy(energy);
  }
}
steps(4000);
const perStep = settled(steps, { rounds: 4000, windows: 12, least: 1 });
console.log(JSON.stringify({ perStep, moved: energy[0] }));
`,
  );
  assert.ok(moved > 0, 'it did not move');
  // one boxed double a step is 16 B; what the compiler leaves it leaves once, in some window
  assert.ok(perStep < 1, `${perStep} bytes a step`);
});
