/**
 * Impedance control on trees: the end has the demanded acceleration with the least kinetic energy,
 * and stays bounded near singularities.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BerthError } from '../../../src/base/errors.ts';
import { CycloidalPath } from '../../../src/control/cycloidal-path.ts';
import { ForceCorrection } from '../../../src/control/force-correction.ts';
import { ImpedanceController } from '../../../src/control/impedance.ts';
import type { ImpedanceModel } from '../../../src/model/control-spec.ts';
import { computePoseError } from '../../../src/control/pose-error.ts';
import { Random } from '../../../src/math/random.ts';
import type { Tree } from '../../../src/multibody/tree/tree.ts';
import { makeTree, SEVEN_JOINTS, SIX_JOINTS } from '../../fixtures/rigid-arms.ts';

const SIX_ROWS: ImpedanceModel = {
  mass: [50, 60, 70, 8, 9, 10],
  damping: [200, 220, 240, 60, 60, 60],
  stiffness: [400, 400, 500, 100, 120, 140],
};

/** Inputs of a controller from a tree at its present state. */
class Seen {
  readonly tree: Tree;
  readonly mass: Float64Array;
  readonly bias: Float64Array;
  readonly jacobian: Float64Array;
  readonly jacobianBias = new Float64Array(6);

  constructor(tree: Tree) {
    this.tree = tree;
    this.mass = new Float64Array(tree.n ** 2);
    this.bias = new Float64Array(tree.n);
    this.jacobian = new Float64Array(6 * tree.n);
  }

  refresh(): void {
    const { tree } = this;
    tree.refresh();
    tree.computeMassMatrix(this.mass);
    tree.computeBias(this.bias);
    tree.frameJacobian(0, this.jacobian);
    tree.frameBias(0, this.jacobianBias);
  }
}

function shaken(seen: Seen, random: Random): void {
  const { tree } = seen;
  for (let j = 0; j < tree.n; j++) {
    tree.q[j] = [0.3, 0.2, 0.7, 0.9, 0.8, 0.5, 0.4][j] + 0.1 * random.gaussian();
    tree.u[j] = 0.3 * random.gaussian();
  }
  seen.refresh();
}

for (const model of [SIX_JOINTS, SEVEN_JOINTS]) {
  for (const rows of [2, 3, 6]) {
    test(`${model.name} joints, ${rows} rows: under the torques and the wrench the end accelerates as asked`, () => {
      const random = new Random(31);
      const seen = new Seen(makeTree(model));
      const { tree } = seen;
      tree.gravity[2] = -9.81;
      const n = tree.n;
      const control = new ImpedanceController(n, {
        mass: SIX_ROWS.mass.slice(0, rows),
        damping: SIX_ROWS.damping.slice(0, rows),
        stiffness: SIX_ROWS.stiffness.slice(0, rows),
      });
      for (let round = 0; round < 20; round++) {
        shaken(seen, random);
        const wrench = new Float64Array(6);
        for (let a = 0; a < rows; a++) {
          control.error[a] = random.gaussian();
          control.errorRate[a] = random.gaussian();
          control.referenceAcceleration[a] = random.gaussian();
          wrench[a] = 20 * random.gaussian();
          control.wrench[a] = wrench[a];
        }
        assert.equal(control.compute(seen.mass, seen.jacobian, seen.jacobianBias, seen.bias), 1);
        assert.equal(control.damped, 0);
        tree.clearWrenches();
        tree.addFrameWrench(0, wrench);
        const acceleration = new Float64Array(n);
        tree.forwardDynamics(control.torque, acceleration);
        for (let a = 0; a < rows; a++) {
          let made = seen.jacobianBias[a];
          for (let j = 0; j < n; j++) made += seen.jacobian[a * n + j] * acceleration[j];
          const asked =
            control.referenceAcceleration[a] +
            (SIX_ROWS.damping[a] * control.errorRate[a] +
              SIX_ROWS.stiffness[a] * control.error[a] +
              wrench[a]) /
              SIX_ROWS.mass[a];
          // masses from 1e4 down to 10 kg, accelerations of 10 m/s²
          assert.ok(Math.abs(made - asked) < 1e-9, `row ${a}: ${made} for ${asked}`);
        }
        // least kinetic energy: no part of M u' lies in the null space of J, so any other motion with the same end costs more
        const extra = nullMotion(seen, rows, random);
        let product = 0;
        let size = 0;
        for (let i = 0; i < n; i++) {
          for (let j = 0; j < n; j++) {
            product += extra[i] * seen.mass[i * n + j] * acceleration[j];
            size += Math.abs(extra[i] * seen.mass[i * n + j] * acceleration[j]);
          }
        }
        assert.ok(Math.abs(product) < 1e-9 * (1 + size), `work of a self-motion ${product}`);
      }
    });
  }
}

/** A motion of the joints that leaves the rows of the task alone: a random one less its part in the rows, by Gram–Schmidt. */
function nullMotion(seen: Seen, rows: number, random: Random): Float64Array {
  const n = seen.tree.n;
  const basis: Float64Array[] = [];
  const orthogonal = (v: Float64Array): Float64Array => {
    for (let pass = 0; pass < 2; pass++) {
      for (const b of basis) {
        const along = b.reduce((sum, x, i) => sum + x * v[i], 0);
        for (let i = 0; i < n; i++) v[i] -= along * b[i];
      }
    }
    return v;
  };
  for (let a = 0; a < rows; a++) {
    const v = orthogonal(seen.jacobian.slice(a * n, (a + 1) * n));
    const size = Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));
    basis.push(v.map((x) => x / size));
  }
  return orthogonal(Float64Array.from({ length: n }, () => random.gaussian()));
}

test('pushed, the end settles where its springs balance the wrench, position and orientation', () => {
  const seen = new Seen(makeTree(SEVEN_JOINTS));
  const { tree } = seen;
  for (let j = 0; j < 7; j++) tree.q[j] = [0.2, 0.3, -0.6, 1.4, -0.5, 0.4, 0.1][j];
  seen.refresh();
  const control = new ImpedanceController(7, SIX_ROWS);
  const target = tree.frameState(0).slice(0, 7);
  const wrench = Float64Array.of(20, -10, 15, 3, -2, 4);
  const timing = Float64Array.of(2e-3);
  for (let k = 0; k < 8000; k++) {
    seen.refresh();
    const state = tree.frameState(0);
    computePoseError(control.error, target, 0, state, 0);
    for (let a = 0; a < 6; a++) control.errorRate[a] = -state[7 + a];
    control.wrench.set(wrench);
    control.compute(seen.mass, seen.jacobian, seen.jacobianBias, seen.bias);
    tree.clearWrenches();
    tree.addFrameWrench(0, wrench);
    tree.step(control.torque, timing);
  }
  tree.refresh();
  computePoseError(control.error, target, 0, tree.frameState(0), 0);
  for (let a = 0; a < 6; a++) {
    // K_p e = w at rest; all rows have time constants below 2 s, so 16 s leave e⁻⁸ of the way
    const expected = -wrench[a] / SIX_ROWS.stiffness[a];
    assert.ok(
      Math.abs(control.error[a] - expected) < 2e-3 * Math.abs(expected) + 1e-6,
      `row ${a}: ${control.error[a]} for ${expected}`,
    );
  }
});

test('near a singularity the torque is bounded and the damping is told', () => {
  const seen = new Seen(makeTree(SIX_JOINTS));
  const { tree } = seen;
  const control = new ImpedanceController(6, SIX_ROWS);
  control.error.fill(0.1);
  let largest = 0;
  for (const bend of [1, 0.1, 1e-3, 1e-6, 1e-12, 0]) {
    for (let j = 0; j < 6; j++) tree.q[j] = bend * [0.3, 0.2, 0.7, 0.9, 0.8, 0.5][j];
    seen.refresh();
    assert.equal(control.compute(seen.mass, seen.jacobian, seen.jacobianBias, seen.bias), 1);
    const size = Math.max(...control.torque.map(Math.abs));
    assert.ok(Number.isFinite(size), `torque at ${bend}`);
    largest = Math.max(largest, size);
    if (bend < 1e-2) assert.ok(control.damped > 0, `no damping at ${bend}`);
    if (bend === 1) assert.equal(control.damped, 0);
  }
  // an effective mass of 1/0.02² of the apparent one at the most: 70 kg · 2500 · 1 m/s² over the 2.9 m of the arm
  assert.ok(largest < 70 * 2500 * 2.9 * 1.5, `largest torque ${largest} N m`);
});

test('models that make no sense are refused by name', () => {
  const bad: [Partial<ImpedanceModel>, RegExp][] = [
    [{ mass: [] }, /1 … 6 rows for 6 joints, got 0/],
    [{ mass: [1, 0], damping: [1, 1], stiffness: [1, 1] }, /every `mass` .* > 0, got 0/],
    [{ mass: [1], damping: [1, 1], stiffness: [1] }, /1 values of `damping`, got 2/],
    [{ mass: [1], damping: [1], stiffness: [-1] }, /every `stiffness` .* >= 0, got -1/],
  ];
  for (const [changes, message] of bad) {
    assert.throws(
      () => new ImpedanceController(6, { ...SIX_ROWS, ...changes }),
      (error) => error instanceof BerthError && message.test(error.message),
    );
  }
});

test('a cycloidal path passes its points at rest, and its rates are those of differences', () => {
  const path = new CycloidalPath([
    { time: 0, position: [0, -0.5] },
    { time: 6, position: [0, 0.002] },
    { time: 14, position: [0, 0.1875] },
    { time: 20, position: [0.5, 0.1875] },
  ]);
  const clock = new Float64Array(1);
  const at = (t: number): { x: number[]; v: number[]; a: number[] } => {
    clock[0] = t;
    path.evaluate(clock);
    return { x: [...path.position], v: [...path.velocity], a: [...path.acceleration] };
  };
  for (const [t, x, y] of [
    [-1, 0, -0.5],
    [0, 0, -0.5],
    [6, 0, 0.002],
    [14, 0, 0.1875],
    [20, 0.5, 0.1875],
    [99, 0.5, 0.1875],
  ]) {
    const { x: p, v, a } = at(t);
    assert.ok(Math.abs(p[0] - x) < 1e-15 && Math.abs(p[1] - y) < 1e-15, `at ${t}: ${p.join()}`);
    for (const rate of [...v, ...a]) assert.ok(Math.abs(rate) < 1e-15, `at ${t}: rate ${rate}`);
  }
  // peak speeds and acceleration of the published path
  assert.ok(Math.abs(at(3).v[1] - 0.16733) < 1e-5);
  assert.ok(Math.abs(at(3).x[1] + 0.249) < 1e-12);
  assert.ok(Math.abs(at(17).v[0] - 0.16667) < 1e-5);
  assert.ok(Math.abs(at(1.5).a[1] - 0.08762) < 1e-5);
  for (let t = 0.25; t < 20; t += 0.5) {
    const h = 1e-4;
    const [before, now, after] = [at(t - h), at(t), at(t + h)];
    for (let a = 0; a < 2; a++) {
      assert.ok(Math.abs((after.x[a] - before.x[a]) / (2 * h) - now.v[a]) < 1e-8);
      assert.ok(Math.abs((after.v[a] - before.v[a]) / (2 * h) - now.a[a]) < 1e-8);
    }
  }
  assert.throws(() => new CycloidalPath([{ time: 0, position: [0] }]), /at least 2 points/);
  assert.throws(
    () =>
      new CycloidalPath([
        { time: 1, position: [0] },
        { time: 1, position: [1] },
      ]),
    /rising times, got point 1 at 1 s/,
  );
});

test('the correction of a compliant arm: 13.46 N, 14.84 N, 14.98 N, then 15 N', () => {
  // settled force f = k (x + offset)/(1 + k s) for the compliance of the published arm
  const [stiffness, compliance, desired] = [80, 1.431e-3, 15];
  const settle = (offset: number): number =>
    (stiffness * (desired / stiffness + offset)) / (1 + stiffness * compliance);
  const correction = new ForceCorrection([stiffness], 2);
  const force = new Float64Array(1);
  const expected = [13.46, 14.84, 14.98];
  for (const f of expected) {
    force[0] = settle(correction.offset[0]);
    assert.ok(Math.abs(force[0] - f) < 0.005, `${force[0]} N for ${f} N`);
    correction.apply(Float64Array.of(desired), force);
  }
  const integral = new ForceCorrection([stiffness], 2);
  const timing = Float64Array.of(1e-3);
  for (let k = 0; k < 40_000; k++) {
    force[0] = settle(integral.offset[0]);
    integral.integrate(Float64Array.of(desired), force, timing);
  }
  // 40 s are 18 time constants of 2 s · 1.1145
  assert.ok(Math.abs(force[0] - desired) < 1e-6, `${force[0]} N`);
});
