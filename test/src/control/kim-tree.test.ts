/** The controlled contact of Kim's arm with the general tree as plant and as model, from the robot file, beside the closed form. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadRobot } from '../../../config/robot.ts';
import { runKim } from '../../../server/validation/kim-run.ts';
import { ARM_SIZE, type PlanarDynamics } from '../../../server/validation/planar-arm.ts';
import type { Tree } from '../../../src/multibody/tree/tree.ts';
import { makeTree } from '../../fixtures/rigid-arms.ts';

/** The tree of the robot file as a planar arm: rates are three joints and two modes, in the order of the closed form. */
class TreePlanarArm implements PlanarDynamics {
  readonly mass = new Float64Array(25);
  readonly bias = new Float64Array(5);
  readonly tip = new Float64Array(2);
  readonly tipVelocity = new Float64Array(2);
  readonly jacobian = new Float64Array(10);
  readonly jacobianBias = new Float64Array(2);
  readonly tree: Tree;
  private readonly whole = new Float64Array(6 * ARM_SIZE);
  private readonly whole6 = new Float64Array(6);
  private readonly push = new Float64Array(6);
  private readonly torque = new Float64Array(5);

  constructor() {
    this.tree = makeTree(loadRobot('kim-planar').model);
    assert.equal(this.tree.n, ARM_SIZE);
  }

  evaluate(q: Float64Array, u: Float64Array): void {
    const { tree } = this;
    tree.q.set(q);
    tree.u.set(u);
    tree.refresh();
    tree.computeMassMatrix(this.mass);
    tree.computeBias(this.bias);
    tree.frameJacobian(0, this.whole);
    this.jacobian.set(this.whole.subarray(0, 10));
    tree.frameBias(0, this.whole6);
    this.jacobianBias.set(this.whole6.subarray(0, 2));
    const state = tree.frameState(0);
    for (let a = 0; a < 2; a++) {
      this.tip[a] = state[a];
      this.tipVelocity[a] = state[7 + a];
    }
  }

  accelerate(torque: Float64Array, force: Float64Array, rigid: boolean, out: Float64Array): void {
    assert.equal(rigid, false);
    const { tree } = this;
    this.torque.set(torque);
    this.push.set(force);
    tree.clearWrenches();
    tree.addFrameWrench(0, this.push);
    tree.forwardDynamics(this.torque, out);
  }
}

test('the general tree under composite control runs as the closed form does, through all bounces', () => {
  const options = { duration: 9 } as const;
  const closed = runKim(options);
  const tree = runKim({ ...options, makeArm: () => new TreePlanarArm() });
  assert.equal(tree.touches.length, closed.touches.length);
  for (const [i, t] of closed.touches.entries()) {
    // the same instant of the 0.25 ms grid of the plant, seen once a millisecond
    assert.ok(
      Math.abs(tree.touches[i] - t) < 1.5e-3,
      `touch ${i} at ${tree.touches[i]} s for ${t} s`,
    );
  }
  assert.ok(closed.touches.length >= 2, 'bounces');
  let force = 0;
  let tips = 0;
  for (const i of closed.time.keys()) {
    force = Math.max(force, Math.abs(tree.force[i] - closed.force[i]));
    for (const k of [0, 1]) tips = Math.max(tips, Math.abs(tree.tips[k][i] - closed.tips[k][i]));
  }
  // constants of the mode to eight digits in the closed form, and bounces that stretch differences by some orders
  assert.ok(force < 1e-3, `force differs by ${force} N`);
  assert.ok(tips < 1e-7, `deflection differs by ${tips} m`);
});
