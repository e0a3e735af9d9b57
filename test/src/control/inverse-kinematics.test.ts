/** Inverse kinematics and pose errors: random poses are reached, poses out of reach are reported, limits hold. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InverseKinematics } from '../../../src/control/inverse-kinematics.ts';
import { computePoseError } from '../../../src/control/pose-error.ts';
import type { TreeArm } from '../../../src/control/tree-arm.ts';
import { Random } from '../../../src/math/random.ts';
import type { TreeModel } from '../../../src/model/tree-model.ts';
import { makeArm, SEVEN_JOINTS, SIX_JOINTS } from '../../fixtures/rigid-arms.ts';

const ARMS: [TreeModel, number][] = [
  [SEVEN_JOINTS, 15],
  [SIX_JOINTS, 2.5],
];

function within(arm: TreeArm, q: Float64Array): boolean {
  return q.every((x, j) => x >= arm.lower[j] && x <= arm.upper[j]);
}

test('the Jacobian moves the pose as differences of poses do', () => {
  const random = new Random(1);
  for (const [model] of ARMS) {
    const arm = makeArm(model);
    const n = arm.joints;
    const error = new Float64Array(6);
    for (let round = 0; round < 10; round++) {
      const q = Float64Array.from({ length: n }, () => random.gaussian());
      const u = Float64Array.from({ length: n }, () => random.gaussian());
      const h = 1e-5;
      arm.evaluate(q.map((x, j) => x - h * u[j]));
      const before = arm.pose.slice();
      arm.evaluate(q.map((x, j) => x + h * u[j]));
      computePoseError(error, arm.pose, 0, before, 0);
      arm.evaluate(q);
      for (let a = 0; a < 6; a++) {
        let rate = 0;
        for (let j = 0; j < n; j++) rate += arm.jacobian[a * n + j] * u[j];
        // h² times third derivatives of up to 15 m · (3 rad/s)³
        assert.ok(Math.abs(error[a] / (2 * h) - rate) < 1e-6, `row ${a}`);
      }
    }
  }
});

test('pose error: small, half and more than half a turn', () => {
  const from = Float64Array.of(1, 2, 3, 0, 0, 0, 1);
  const error = new Float64Array(6);
  for (const angle of [0, 1e-12, 1e-4, 1, 3, 3.5, 6]) {
    const to = Float64Array.of(1.5, 2, 2, 0, Math.sin(angle / 2), 0, Math.cos(angle / 2));
    computePoseError(error, to, 0, from, 0);
    const shorter = angle > Math.PI ? angle - 2 * Math.PI : angle;
    assert.ok(
      Math.abs(error[4] - shorter) < 1e-15 + 4e-16 * Math.abs(shorter) * 4,
      `${angle}: ${error[4]}`,
    );
    // adding zero turns −0 into 0
    assert.deepEqual(
      [...error.slice(0, 4)].map((x) => x + 0),
      [0.5, 0, -1, 0],
    );
  }
});

test('poses of random joint positions are reached from elsewhere, within the limits', () => {
  const random = new Random(8);
  for (const [model, length] of ARMS) {
    const arm = makeArm(model);
    const solver = new InverseKinematics(arm, length);
    for (let round = 0; round < 100; round++) {
      const q = arm.lower.map((low, j) => low + (arm.upper[j] - low) * random.uniform());
      const seed = arm.lower.map((low, j) => low + (arm.upper[j] - low) * random.uniform());
      arm.evaluate(q);
      const pose = arm.pose.slice();
      assert.ok(solver.solve(pose, seed), `${model.name}, pose ${round}: ${solver.explain()}`);
      assert.ok(within(arm, solver.position), `${model.name}, pose ${round}: limits`);
      arm.evaluate(solver.position);
      const error = new Float64Array(6);
      computePoseError(error, pose, 0, arm.pose, 0);
      assert.ok(Math.max(...error.map(Math.abs)) < 2e-9, `${model.name}: error ${error.join()}`);
    }
  }
});

test('a near seed stays near: the answer is the branch of the seed', () => {
  const random = new Random(4);
  for (const [model, length] of ARMS) {
    const arm = makeArm(model);
    const solver = new InverseKinematics(arm, length);
    const q = Float64Array.of(0.3, -0.4, 0.6, -1.1, 0.7, 0.5, 0.2).slice(0, arm.joints);
    arm.evaluate(q);
    const pose = arm.pose.slice();
    const seed = q.map((x) => x + 0.02 * random.gaussian());
    assert.ok(solver.solve(pose, seed));
    const moved = Math.max(...solver.position.map((x, j) => Math.abs(x - q[j])));
    assert.ok(moved < 0.2, `${model.name}: moved by ${moved} rad`);
    assert.ok(solver.steps < 20, `${solver.steps} steps`);
  }
});

test('what is out of reach is refused with the distance left', () => {
  const arm = makeArm(SIX_JOINTS);
  const solver = new InverseKinematics(arm, 2.5);
  const seed = new Float64Array(6);
  assert.equal(solver.solve(Float64Array.of(10, 0, 1, 0, 0, 0, 1), seed), false);
  // shoulder axis at (0.2, 0, 0.8): 1.2 + √(1.1² + 0.1²) + 0.45 m at the most, with the wrist free to point that way
  const reach = 0.2 + 1.2 + Math.sqrt(1.1 ** 2 + 0.1 ** 2) + 0.45;
  assert.ok(solver.distance > 10 - reach - 0.2 && solver.distance < 10, `${solver.distance} m`);
  assert.match(solver.explain(), /out of reach: the nearest one found .* m and .* rad away/);
  assert.ok(within(arm, solver.position));
});
