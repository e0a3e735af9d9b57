/**
 * The planar space arm of Kim: the general tree against the arm's own equations, written out for its five coordinates, and the pins of
 * its published data. `Kim 1999, (3.26), (3.48)–(3.51), table 6.2, table 6.3`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/index.ts';
import type { TreeLinkModel, TreeModel } from '../../../src/model/tree-model.ts';
import { clampedMode } from '../../fixtures/maximal-beam.ts';
import { number } from '../../fixtures/random-tree.ts';
import { freeMotion, largest, standaloneTree } from '../../fixtures/tree-samples.ts';

const DEGREE = Math.PI / 180;
const [SHOULDER, LENGTH, MASS, STIFFNESS, TIP] = [1, 8.13, 163, 88_100, 2.3];
const SPACECRAFT = 8e5;

/** Spacecraft, two beams with one mode each in the plane, a point mass. */
function planarArm(damping: number): TreeModel {
  const revolute = { kind: 'revolute', axis: [0, 0, 1], position: 0, rate: 0 } as const;
  const upright = [0, 0, 0, 1] as const;
  const beam = (name: string, parent: number, at: number): TreeLinkModel => ({
    name,
    parent,
    position: [at, 0, 0],
    orientation: upright,
    joint: revolute,
    mass: MASS,
    center: [LENGTH / 2, 0, 0],
    inertia: [0, 0, 0, 0, 0, 0],
    beam: {
      length: LENGTH,
      bendingStiffness: [STIFFNESS, STIFFNESS],
      modes: [1, 0],
      damping,
      centrifugalStiffening: false,
    },
  });
  return {
    name: 'kim',
    position: [0, 0, 0],
    orientation: upright,
    links: [
      {
        name: 'spacecraft',
        parent: -1,
        position: [0, 0, 0],
        orientation: upright,
        joint: revolute,
        mass: 1e5,
        center: [0, 0, 0],
        inertia: [8e5, 8e5, SPACECRAFT, 0, 0, 0],
      },
      beam('link-1', 0, SHOULDER),
      beam('link-2', 1, 0),
      {
        name: 'tip',
        parent: 2,
        position: [0, 0, 0],
        orientation: upright,
        joint: { kind: 'fixed' },
        mass: TIP,
        center: [0, 0, 0],
        inertia: [0, 0, 0, 0, 0, 0],
      },
    ],
    frames: [{ name: 'tip', link: 2, position: [0, 0, 0], orientation: upright }],
  };
}

const [PHI, SLOPE] = clampedMode(0, 1).map((value, i) => (i === 1 ? value / LENGTH : value));
const KAPPA2 = clampedMode(0, 0)[2] / 2; // φ''(0) = 2 κ²
const SIGMA = (SLOPE * LENGTH) / (2 * Math.sqrt(KAPPA2)); // φ'(1) = 2 σ κ
const S1 = (MASS * 2 * SIGMA) / Math.sqrt(KAPPA2);
const S2 = (MASS * LENGTH * 2) / KAPPA2;
const S3 = MASS;
const K = (STIFFNESS * KAPPA2 ** 2) / LENGTH ** 3;

/** M and bias of the planar arm of Kim 1999 in closed form, (θ1, θ2, θ3, b1, b2). */
function closedForm(
  q: ArrayLike<number>,
  u: ArrayLike<number>,
  damping: number,
): { mass: number[][]; bias: number[] } {
  const size = [0, 1, 2, 3, 4];
  const angles = [q[0], q[0] + q[1], q[0] + q[1] + SLOPE * q[3] + q[2]];
  const rates = [u[0], u[0] + u[1], u[0] + u[1] + u[2] + SLOPE * u[3]];
  const turns = [
    [1, 0, 0, 0, 0],
    [1, 1, 0, 0, 0],
    [1, 1, 1, SLOPE, 0],
  ];
  const direction = angles.map((a) => [Math.cos(a), Math.sin(a)]);
  const across = direction.map(([c, s]) => [-s, c]);
  const mass = size.map(() => size.map(() => 0));
  const bias = size.map(() => 0);
  mass[0][0] = SPACECRAFT;
  // root of each link, then tip: rows x and y over the rates, and J̇ψ̇
  const first = direction[0].map((x) => SHOULDER * x);
  let root = across[0].map((x) => turns[0].map((t) => SHOULDER * x * t));
  let drift = first.map((x) => -(rates[0] ** 2) * x);
  for (let link = 0; link < 2; link++) {
    const mode = 3 + link;
    const [e, n] = [direction[1 + link], across[1 + link]];
    const w = rates[1 + link];
    const [b, db] = [q[mode], u[mode]];
    // R (−S1 b, m L/2)ᵀ and R (0, S1)ᵀ in v = {ẋ, ẏ, w, ḃ}
    const turning = [0, 1].map((a) => -S1 * b * e[a] + (n[a] * MASS * LENGTH) / 2);
    const bending = [0, 1].map((a) => S1 * n[a]);
    const own = [
      [MASS, 0, turning[0], bending[0]],
      [0, MASS, turning[1], bending[1]],
      [turning[0], turning[1], (MASS * LENGTH ** 2) / 3 + b * b * S3, S2],
      [bending[0], bending[1], S2, S3],
    ];
    const along = (w * w * MASS * LENGTH) / 2 + 2 * w * S1 * db;
    const side = w * w * S1 * b;
    const system = [
      e[0] * along + n[0] * side,
      e[1] * along + n[1] * side,
      -2 * w * b * S3 * db,
      w * w * S3 * b - K * b - 2 * damping * Math.sqrt(K * S3) * db,
    ];
    const rows = [root[0], root[1], turns[1 + link], size.map((i) => (i === mode ? 1 : 0))];
    const change = [drift[0], drift[1], 0, 0];
    for (const i of size) {
      own.forEach((line, r) => {
        const force = system[r] - line.reduce((sum, m, c) => sum + m * change[c], 0);
        bias[i] -= rows[r][i] * force;
        line.forEach((m, c) => {
          for (const j of size) mass[i][j] += rows[r][i] * m * rows[c][j];
        });
      });
    }
    const arm = [0, 1].map((a) => LENGTH * e[a] + PHI * b * n[a]);
    const turned = [-arm[1], arm[0]];
    root = root.map((line, a) =>
      line.map((x, i) => x + turned[a] * turns[1 + link][i] + (i === mode ? PHI * n[a] : 0)),
    );
    drift = drift.map((x, a) => x - w * w * arm[a] - 2 * w * PHI * db * e[a]);
  }
  for (const i of size) {
    for (let a = 0; a < 2; a++) {
      bias[i] += TIP * root[a][i] * drift[a];
      for (const j of size) mass[i][j] += TIP * root[a][i] * root[a][j];
    }
  }
  return { mass, bias };
}

test('mass matrix, bias and accelerations are those of the equations of the planar arm', () => {
  const random = new Random(31);
  const tree = standaloneTree(planarArm(0.01));
  for (let n = 0; n < 200; n++) {
    for (let k = 0; k < 5; k++) {
      tree.q[k] = (k < 3 ? 3 : 0.5) * number(random);
      tree.u[k] = number(random);
    }
    tree.refresh();
    const { mass, bias } = closedForm(tree.q, tree.u, 0.01);
    const m = new Float64Array(25);
    tree.computeMassMatrix(m);
    const c = new Float64Array(5);
    tree.computeBias(c);
    const tau = Float64Array.from({ length: 5 }, (_, k) => (k < 3 ? 100 * number(random) : 0));
    const acc = new Float64Array(5);
    tree.forwardDynamics(tau, acc);
    const scale = largest(bias);
    mass.flat().forEach((want, i) => {
      // elements are sums of parts of 1e4; the spacecraft's own 8e5 is exact
      assert.ok(Math.abs(m[i] - want) < 1e-10 * 1e4, `M ${i}: ${m[i]}, ${want}`);
    });
    bias.forEach((want, i) => {
      assert.ok(Math.abs(c[i] - want) < 1e-10 * scale, `bias ${i}: ${c[i]}, ${want}`);
    });
    mass.forEach((row, i) => {
      const got = row.reduce((sum, x, k) => sum + x * acc[k], bias[i] - tau[i]);
      const size = row.reduce((sum, x, k) => sum + Math.abs(x * acc[k]), scale);
      assert.ok(Math.abs(got) < 1e-10 * size, `equation ${i}: ${got} of ${size}`);
    });
  }
});

test('independent pins: mass matrix, frequencies, tip velocity and energy', () => {
  const tree = standaloneTree(planarArm(0));
  tree.q.set([0, 28.9 * DEGREE, 115.7 * DEGREE, 0, 0]);
  tree.refresh();
  const m = new Float64Array(25);
  tree.computeMassMatrix(m);
  const pins = [
    [816187.19, 14657.628, 785.943, 3517.983, 217.23],
    [14657.628, 13456.364, 1341.285, 3304.872, 325.012],
    [785.943, 1341.285, 3743.288, 676.667, 791.2],
    [3517.983, 3304.872, 676.667, 853.243, 153.236],
    [217.23, 325.012, 791.2, 153.236, 172.2],
  ];
  pins.flat().forEach((pin, i) => {
    // accepted to 1e-4; printed to 0.0005 and for b of zero
    assert.ok(Math.abs(m[i] - pin) <= 1e-5 * pin + 6e-4, `M ${i}: ${m[i]}, ${pin}`);
  });

  // joints free: eigenvalues of K_b M⁻¹ on the modes; M⁻¹ by unit torques
  const block = new Float64Array(4);
  for (let k = 0; k < 2; k++) {
    const one = new Float64Array(5);
    one[3 + k] = 1;
    const acc = new Float64Array(5);
    tree.u.fill(0);
    tree.refresh();
    tree.forwardDynamics(one, acc);
    block[k] = K * acc[3];
    block[2 + k] = K * acc[4];
  }
  const mean = (block[0] + block[3]) / 2;
  const apart = Math.sqrt(((block[0] - block[3]) / 2) ** 2 + block[1] * block[2]);
  const frequencies = [Math.sqrt(mean - apart), Math.sqrt(mean + apart)];
  [15.708, 20.583].forEach((pin, i) => {
    assert.ok(Math.abs(frequencies[i] - pin) < 1e-3, `frequency ${frequencies[i]}, ${pin} rad/s`);
  });

  // table 6.3
  tree.q.set([0, 67.3 * DEGREE, 45.4 * DEGREE, 0, 0]);
  tree.u.set([0, 0.911 * DEGREE, -1.82 * DEGREE, 0, 0]);
  tree.refresh();
  const tip = tree.frameState(0);
  assert.ok(Math.abs(tip[8] - 0.1) < 1e-3, `tip velocity ${tip[8]} m/s`);
  assert.ok(Math.abs(tip[7]) < 1e-3, `tip velocity across ${tip[7]} m/s`);
  const energy = new Float64Array(3);
  tree.computeEnergy(energy);
  assert.ok(Math.abs(energy[0] - 1.325) < 0.005 * 1.325, `kinetic energy ${energy[0]} J`);
});

test('joints locked: the pinned frequencies', () => {
  // M_ff ω² v = K_b v with the block of the modes alone
  const tree = standaloneTree(planarArm(0));
  tree.q.set([0, 28.9 * DEGREE, 115.7 * DEGREE, 0, 0]);
  tree.refresh();
  const m = new Float64Array(25);
  tree.computeMassMatrix(m);
  const [a, b, c] = [m[18], m[19], m[24]];
  const mean = (a + c) / 2;
  const apart = Math.sqrt(((a - c) / 2) ** 2 + b * b);
  [1.512, 3.814].forEach((pin, i) => {
    const got = Math.sqrt(K / (i === 0 ? mean + apart : mean - apart));
    assert.ok(Math.abs(got - pin) < 1e-3, `frequency ${got}, ${pin} rad/s`);
  });
});

test('undamped free motion keeps its energy to 1e-8', () => {
  const tree = standaloneTree(planarArm(0));
  tree.q.set([0, 67.3 * DEGREE, 45.4 * DEGREE, 0.05, -0.03]);
  tree.u.set([0.01, 0.3, -0.4, 0.2, 0.1]);
  tree.refresh();
  const energy = new Float64Array(3);
  tree.computeEnergy(energy);
  const start = energy[0] + energy[1];
  const solver = freeMotion(tree, new Float64Array(5));
  for (let t = 1; t <= 10; t++) {
    solver.advance(t);
    tree.state.set(solver.values);
    tree.refresh();
    tree.computeEnergy(energy);
    const off = Math.abs(energy[0] + energy[1] - start) / start;
    // tolerance 1e-12 a step, some thousand steps
    assert.ok(off < 1e-8, `energy off by ${off} after ${t} s`);
  }
});
