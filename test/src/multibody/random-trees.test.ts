/** Random trees against constraints on free bodies, and against themselves: forward and inverse dynamics, mass matrix, Jacobians. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/index.ts';
import type { Tree } from '../../../src/multibody/tree/tree.ts';
import { randomTree } from '../../fixtures/random-tree.ts';
import { drawnTree, largest, maximalTwin } from '../../fixtures/tree-samples.ts';
import { anyTree } from './any-tree.ts';

test('random trees with flexible links accelerate as beams under constraints do, point by point', () => {
  // as above; quadratures over 40 points are exact to rounding, σ of the third mode to 1e-12
  const random = new Random(102);
  for (let n = 0; n < 150; n++) {
    const model = randomTree(random, {
      links: 1 + Math.floor(6 * random.uniform()),
      drives: true,
      massless: true,
      beams: true,
      floating: random.uniform() < 0.3,
    });
    const { tree, loads } = drawnTree(random, model);
    if (tree.n === 0) continue;
    const got = new Float64Array(tree.n);
    tree.forwardDynamics(Float64Array.from(loads.tau), got);
    const twin = maximalTwin(tree, loads.base);
    const want = twin.accelerations(loads);
    const size = largest(want);
    const off = largest(got.map((a, k) => a - want[k])) / size;
    assert.ok(off < 1e-9, `tree ${n}: off by ${off} of ${size}`);
    tree.articulatedBody(Float64Array.from(loads.tau), got);
    const apart = largest(got.map((a, k) => a - want[k])) / size;
    assert.ok(apart < 1e-9, `tree ${n}, articulated bodies: off by ${apart} of ${size}`);
    const energy = new Float64Array(3);
    tree.computeEnergy(energy);
    const kinetic = twin.kineticEnergy();
    assert.ok(Math.abs(energy[0] - kinetic) < 1e-10 * kinetic, `tree ${n}: kinetic energy`);
    const momentum = new Float64Array(6);
    tree.computeMomentum(momentum);
    const sums = twin.momentum().flat();
    const wrong = largest(momentum.map((p, k) => p - sums[k])) / largest(sums);
    assert.ok(wrong < 1e-11, `tree ${n}: momentum off by ${wrong}`);
  }
});

test('inverse dynamics undoes forward dynamics; the columns of M are its answers to unit accelerations', () => {
  const random = new Random(103);
  for (let n = 0; n < 200; n++) {
    const { tree, loads } = drawnTree(random, anyTree(random, n % 2 === 1));
    const size = tree.n;
    const tau = Float64Array.from(loads.tau);
    const acc = new Float64Array(size);
    tree.forwardDynamics(tau, acc);
    const back = new Float64Array(size);
    tree.inverseDynamics(acc, back);
    const m = new Float64Array(size * size);
    tree.computeMassMatrix(m);
    // Cholesky's residual is a few n roundings of ‖M‖ ‖u'‖
    const scale = largest(m) * largest(acc) + largest(tau);
    const off = largest(back.map((t, k) => t - tau[k]));
    assert.ok(off < 1e-12 * scale, `tree ${n}: τ off by ${off} of ${scale}`);
    const still = new Float64Array(size);
    tree.inverseDynamics(new Float64Array(size), still);
    const column = new Float64Array(size);
    for (let k = 0; k < size; k++) {
      const one = new Float64Array(size);
      one[k] = 1;
      tree.inverseDynamics(one, column);
      for (let i = 0; i < size; i++) {
        assert.equal(m[i * size + k], m[k * size + i], 'symmetric');
        const wrong = Math.abs(column[i] - still[i] - m[i * size + k]);
        // difference of two sums with the bias in them
        const unit = largest(m) + largest(still);
        assert.ok(wrong < 1e-13 * unit, `tree ${n}, M ${i} ${k}: off by ${wrong} of ${unit}`);
      }
    }
    assert.ok(tree.regular, 'positive definite: Cholesky factors exist');
  }
});

test('poses, twists and kinetic energy are those of the free bodies', () => {
  const random = new Random(107);
  for (let n = 0; n < 200; n++) {
    const model = randomTree(random, { links: 8, massless: true });
    const { tree, loads } = drawnTree(random, model);
    const twin = maximalTwin(tree, loads.base);
    twin.bodies.forEach((body, i) => {
      const x = tree.linkState(i);
      // rounding of eight turns of lengths up to ten
      for (let a = 0; a < 3; a++) {
        assert.ok(Math.abs(x[a] - body.origin[a]) < 1e-12, 'origin');
        assert.ok(Math.abs(x[7 + a] - body.velocity[a]) < 1e-11, 'velocity');
        assert.ok(Math.abs(x[10 + a] - body.spin[a]) < 1e-12, 'angular velocity');
      }
    });
    const energy = new Float64Array(3);
    tree.computeEnergy(energy);
    const want = twin.kineticEnergy();
    assert.ok(Math.abs(energy[0] - want) < 1e-12 * want, `kinetic energy ${energy[0]}, ${want}`);
  }
});

/** Value of a function of time at zero and its derivative there, by central differences of sixth order. */
function derivative(f: (t: number) => Float64Array, h: number): Float64Array {
  const central = (s: number): Float64Array => {
    const ahead = f(s);
    const behind = f(-s);
    return ahead.map((x, i) => (x - behind[i]) / (2 * s));
  };
  const [a, b, c] = [h, 2 * h, 3 * h].map(central);
  return a.map((x, i) => 1.5 * x - 0.6 * b[i] + 0.1 * c[i]);
}

/** Positions after a time at constant rates, turns by Rodrigues' quaternion. */
function moved(tree: Tree, q: Float64Array, u: Float64Array, t: number): void {
  tree.q.set(q);
  const { links } = tree.layout;
  tree.model.links.forEach(({ joint }, i) => {
    const { position, rate, rotorPosition, rotorRate } = links[i];
    const { modePosition, modeRate, modes } = links[i];
    for (let m = 0; m < modes[0] + modes[1]; m++) tree.q[modePosition + m] += t * u[modeRate + m];
    if (rotorRate >= 0) tree.q[rotorPosition] += t * u[rotorRate];
    let [at, k] = [position, rate];
    if (joint.kind === 'revolute' || joint.kind === 'prismatic') tree.q[at] += t * u[k];
    if (joint.kind === 'free') {
      for (let a = 0; a < 3; a++) tree.q[at + a] += t * u[k + a];
      [at, k] = [at + 3, k + 3];
    }
    if (joint.kind === 'free' || joint.kind === 'spherical') {
      const w = Math.sqrt(u[k] ** 2 + u[k + 1] ** 2 + u[k + 2] ** 2);
      const [a, b, c] = [0, 1, 2].map((e) => (u[k + e] * Math.sin((w * t) / 2)) / w);
      const d = Math.cos((w * t) / 2);
      const [x, y, z, s] = q.slice(at, at + 4);
      tree.q.set(
        [
          d * x + s * a + b * z - c * y,
          d * y + s * b + c * x - a * z,
          d * z + s * c + a * y - b * x,
          d * s - a * x - b * y - c * z,
        ],
        at,
      );
    }
  });
  tree.refresh();
}

test('frame Jacobians and J̇ u are the derivatives of poses and twists', () => {
  // sixth order in h u with u of the frame up to 10 1/s: (3e-3)^6 of it; rounding of positions up to 10 over 3e-4: 1e-11
  const h = 3e-4;
  const random = new Random(109);
  for (let n = 0; n < 100; n++) {
    const beams = n % 2 === 1;
    const model = randomTree(random, { links: 6, drives: true, massless: true, beams });
    const { tree } = drawnTree(random, model);
    tree.baseState.fill(0, 7);
    tree.baseAcceleration.fill(0);
    const q = tree.q.slice();
    const u = tree.u.map((rate) => rate / 3);
    tree.u.set(u);
    tree.refresh();
    model.frames.forEach((_, f) => {
      const x = tree.frameState(f);
      const jacobian = new Float64Array(6 * tree.n);
      tree.frameJacobian(f, jacobian);
      const bias = new Float64Array(6);
      tree.frameBias(f, bias);
      const pose = x.slice();
      const scale = 1 + largest(pose) + largest(bias);
      for (let r = 0; r < 6; r++) {
        const twist = u.reduce((sum, rate, k) => sum + jacobian[r * tree.n + k] * rate, 0);
        assert.ok(Math.abs(twist - pose[7 + r]) < 1e-13 * scale * scale, `J u, row ${r}`);
      }
      const rate = derivative((t) => {
        moved(tree, q, u, t);
        return x.slice();
      }, h);
      const [qx, qy, qz, qw] = pose.slice(3, 7);
      const [dx, dy, dz, dw] = rate.slice(3, 7);
      // w = 2 q' q*
      const spin = [
        2 * (-dw * qx + dx * qw - dy * qz + dz * qy),
        2 * (-dw * qy + dx * qz + dy * qw - dz * qx),
        2 * (-dw * qz - dx * qy + dy * qx + dz * qw),
      ];
      for (let a = 0; a < 3; a++) {
        const slack = 1e-9 * scale;
        assert.ok(Math.abs(rate[a] - pose[7 + a]) < slack, `tree ${n}: velocity ${a}`);
        assert.ok(Math.abs(spin[a] - pose[10 + a]) < slack, `tree ${n}: angular velocity ${a}`);
        assert.ok(Math.abs(rate[7 + a] - bias[a]) < slack, `tree ${n}: J̇ u ${a}`);
        assert.ok(Math.abs(rate[10 + a] - bias[3 + a]) < slack, `tree ${n}: J̇ u ${3 + a}`);
      }
      moved(tree, q, u, 0);
    });
  }
});
