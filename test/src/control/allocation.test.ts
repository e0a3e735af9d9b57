/** A tick of every controller allocates nothing: a process of its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureHeap } from '../../fixtures/allocation-process.ts';

test('resolved rate, impedance, composite, computed torque and paths grow the heap by 0 bytes', () => {
  const { perTick, statuses, sum } = measureHeap<{
    perTick: number;
    statuses: number;
    sum: number;
  }>(
    'control-models',
    `
const arm = models.makeArm(models.SEVEN_JOINTS);
const tree = models.makeTree(models.SEVEN_JOINTS);
const rate = new models.ResolvedRate({
  ...models.DEFAULT_RESOLVED_RATE,
  lower: [...arm.lower], upper: [...arm.upper], rateLimit: [...arm.rateLimit], length: 15,
});
const rows = { mass: [50, 50, 50, 9, 9, 9], damping: [90, 90, 90, 9, 9, 9], stiffness: [90, 90, 90, 9, 9, 9] };
const impedance = new models.ImpedanceController(7, rows);
const composite = new models.CompositeController({
  rigid: 5, flexible: 2, stiffness: [2000, 2000],
  impedance: { mass: [80, 80], damping: [90, 90], stiffness: [80, 80] },
  fast: { gain: new Float64Array(20).fill(0.1), scale: 2000 },
});
const torque = new models.ComputedTorque(7, { frequency: 3, damping: 0.7 });
const path = new models.CycloidalPath([{ time: 0, position: [0, 0] }, { time: 9, position: [1, 2] }]);
const correction = new models.ForceCorrection([80, 80], 2);
const mass = new Float64Array(49), bias = new Float64Array(7), jacobian = new Float64Array(42), jacobianBias = new Float64Array(6);
const target = new Float64Array(7), flexure = new Float64Array(4), clock = new Float64Array(1), timing = Float64Array.of(1e-3);
const seen = new Set();
const sum = new Float64Array(1);
function ticks(n) {
  for (let k = 0; k < n; k++) {
    const phase = k % 3000;
    clock[0] = phase * 3e-3;
    for (let j = 0; j < 7; j++) {
      tree.q[j] = 1.2 * Math.sin(0.01 * phase + j);
      tree.u[j] = 0.1 * Math.cos(0.01 * phase + j);
      rate.position[j] = tree.q[j];
    }
    tree.refresh();
    tree.computeMassMatrix(mass);
    tree.computeBias(bias);
    tree.frameJacobian(0, jacobian);
    tree.frameBias(0, jacobianBias);
    arm.evaluate(rate.position);
    for (let i = 0; i < 42; i++) rate.jacobian[i] = arm.jacobian[i];
    for (let a = 0; a < 6; a++) rate.twist[a] = 0.4 * Math.sin(0.003 * phase + a);
    rate.compute();
    seen.add(rate.status);
    models.computePoseError(impedance.error, target, 0, arm.pose, 0);
    impedance.compute(mass, jacobian, jacobianBias, bias);
    path.evaluate(clock);
    for (let a = 0; a < 2; a++) composite.slow.error[a] = path.position[a];
    composite.compute(mass, jacobian, jacobianBias, bias, flexure);
    torque.compute(mass, bias, tree.q, tree.u);
    correction.integrate(path.position, path.velocity, timing);
    sum[0] += rate.rates[0] + impedance.torque[1] + composite.torque[0] + torque.torque[2] + correction.offset[0];
  }
}
ticks(5000);
const grown = settled(ticks, { rounds: 5000, windows: 20, least: 1 });
console.log(JSON.stringify({ perTick: grown, statuses: seen.size, sum: sum[0] }));
`,
  );
  assert.ok(Number.isFinite(sum) && sum !== 0, `sum ${sum}`);
  assert.ok(statuses >= 4, `${statuses} kinds of status were met`);
  // in the first quiet window; one boxed double would be 16 B a tick in all of them
  assert.ok(perTick < 1, `${perTick} bytes a tick`);
});
