/** Computed torque on rigid trees: exact tracking, and errors that decay by the two chosen poles. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ComputedTorque } from '../../../src/control/computed-torque.ts';
import type { Tree } from '../../../src/multibody/tree/tree.ts';
import type { TreeModel } from '../../../src/model/tree-model.ts';
import { makeTree, SEVEN_JOINTS, SIX_JOINTS } from '../../fixtures/rigid-arms.ts';

const H = 2e-3;
const FREQUENCY = 3;
const DAMPING = 0.7;

/** q_d of joint j: one slow sine a joint. */
function reference(control: ComputedTorque, t: number): void {
  for (let j = 0; j < control.position.length; j++) {
    const w = 0.5 + 0.1 * j;
    control.position[j] = 0.6 * Math.sin(w * t + j);
    control.rate[j] = 0.6 * w * Math.cos(w * t + j);
    control.acceleration[j] = -0.6 * w * w * Math.sin(w * t + j);
  }
}

/** Rates of change of (q, u) under the controller, which is evaluated at every stage: the continuous closed loop. */
class ClosedLoop {
  readonly tree: Tree;
  readonly control: ComputedTorque;
  private readonly mass: Float64Array;
  private readonly bias: Float64Array;

  constructor(model: TreeModel) {
    this.tree = makeTree(model);
    this.tree.gravity[2] = -9.81;
    this.control = new ComputedTorque(this.tree.n, { frequency: FREQUENCY, damping: DAMPING });
    this.mass = new Float64Array(this.tree.n ** 2);
    this.bias = new Float64Array(this.tree.n);
  }

  rates(state: Float64Array, t: number): Float64Array {
    const { tree, control, mass, bias } = this;
    tree.state.set(state);
    tree.refresh();
    reference(control, t);
    tree.computeMassMatrix(mass);
    tree.computeBias(bias);
    control.compute(mass, bias, tree.q, tree.u);
    const out = new Float64Array(state.length);
    tree.computeDerivative(control.torque, out);
    return out;
  }

  /** One step of Runge–Kutta 4. */
  step(y: Float64Array, t: number): void {
    const at = (k: Float64Array, c: number): Float64Array => y.map((x, i) => x + c * H * k[i]);
    const k1 = this.rates(y, t);
    const k2 = this.rates(at(k1, 0.5), t + H / 2);
    const k3 = this.rates(at(k2, 0.5), t + H / 2);
    const k4 = this.rates(at(k3, 1), t + H);
    for (let i = 0; i < y.length; i++) y[i] += (H / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
}

for (const model of [SIX_JOINTS, SEVEN_JOINTS]) {
  test(`${model.name} joints under gravity follow sines exactly from the right start`, () => {
    const loop = new ClosedLoop(model);
    const n = loop.tree.n;
    reference(loop.control, 0);
    const y = Float64Array.from([...loop.control.position, ...loop.control.rate]);
    let worst = 0;
    for (let k = 0; k < 1000; k++) {
      loop.step(y, k * H);
      reference(loop.control, (k + 1) * H);
      for (let j = 0; j < n; j++)
        worst = Math.max(worst, Math.abs(y[j] - loop.control.position[j]));
    }
    // Runge–Kutta 4: (1.1 rad/s · 2 ms)⁴ and the 3 rad/s of the loop, times roundings of torques of kN m
    assert.ok(worst < 1e-10, `largest error ${worst} rad`);
  });

  test(`${model.name} joints: an error decays as e^(−ζωt) cos, in each joint alone`, () => {
    const loop = new ClosedLoop(model);
    const n = loop.tree.n;
    reference(loop.control, 0);
    const y = Float64Array.from([...loop.control.position, ...loop.control.rate]);
    const start = Float64Array.from({ length: n }, (_, j) => (j % 2 === 0 ? 0.1 : 0));
    for (let j = 0; j < n; j++) y[j] += start[j];
    const damped = FREQUENCY * Math.sqrt(1 - DAMPING ** 2);
    for (let k = 0; k < 500; k++) {
      loop.step(y, k * H);
      const t = (k + 1) * H;
      reference(loop.control, t);
      const decay = Math.exp(-DAMPING * FREQUENCY * t);
      const shape = Math.cos(damped * t) + ((DAMPING * FREQUENCY) / damped) * Math.sin(damped * t);
      for (let j = 0; j < n; j++) {
        const error = y[j] - loop.control.position[j];
        assert.ok(
          Math.abs(error - start[j] * decay * shape) < 1e-10,
          `joint ${j} at ${t} s: ${error}`,
        );
      }
    }
  });
}
