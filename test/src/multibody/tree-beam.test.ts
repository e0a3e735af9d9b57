/** Flexible links against the theory of beams: frequencies, static deflection, buckling, rotating beams. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factorCholesky } from '../../../src/math/cholesky.ts';
import type { Tree } from '../../../src/multibody/tree/tree.ts';
import { beam, link, makeTree, tree } from '../../fixtures/tree-models.ts';

function near(got: number, want: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(got - want) <= tolerance, `${what}: ${got}, expected ${want} ± ${tolerance}`);
}

/** A cantilever of 1 m, 1 N m² and `mass`, with a point mass at its tip. */
function cantilever(modes: [number, number], stiffening: boolean, mass = 1, tipMass = 0): Tree {
  return makeTree(
    tree([
      link('beam', -1, {
        mass,
        center: [0.5, 0, 0],
        inertia: [0, 0, 0, 0, 0, 0],
        beam: beam({ modes, centrifugalStiffening: stiffening }),
      }),
      link('tip', 0, { mass: tipMass, inertia: [0, 0, 0, 0, 0, 0] }),
    ]),
  );
}

/** How the forces on a straight beam at rest answer to unit deflections. */
function stiffnessOf(run: Tree): Float64Array {
  const { n } = run;
  const [straight, bent, out] = [new Float64Array(n), new Float64Array(n), new Float64Array(n * n)];
  run.computeBias(straight);
  for (let k = 0; k < n; k++) {
    run.q[k] = 1e-6; // what is of second order vanishes
    run.refresh();
    run.computeBias(bent);
    for (let i = 0; i < n; i++) out[n * i + k] = (bent[i] - straight[i]) / 1e-6;
    run.q[k] = 0;
  }
  run.refresh();
  return out;
}

/** Whether A − shift is positive definite. */
function isPositive(a: Float64Array, n: number, shift: number): boolean {
  const shifted = a.map((value, e) => (e % (n + 1) === 0 ? value - shift : value));
  return factorCholesky(shifted, shifted, n, new Float64Array(1)) === 1;
}

/** Smallest eigenvalue, by halving. */
function smallest(a: Float64Array, n: number): number {
  let [low, high] = [-1e6, 1e6];
  for (let round = 0; round < 80; round++) {
    const middle = 0.5 * (low + high);
    if (isPositive(a, n, middle)) low = middle;
    else high = middle;
  }
  return low;
}

test('modes of a cantilever have the frequencies of the tables, in both planes, and are orthogonal', () => {
  const run = cantilever([3, 3], false);
  const [mass, stiffness] = [new Float64Array(36), stiffnessOf(run)];
  run.computeMassMatrix(mass);
  for (let i = 0; i < 6; i++) {
    // Blevins 1979, table 8-1: squares of the first frequencies to the digits printed
    near(Math.sqrt(stiffness[7 * i]), [3.516015, 22.03449, 61.69721][i % 3], 1e-5, `mode ${i}`);
    for (let j = 0; j < 6; j++) near(mass[6 * i + j], i === j ? 1 : 0, 1e-15, `mass ${i}, ${j}`);
  }
});

test('a force at the tip bends a cantilever by f l³/3EI and f l²/2EI', () => {
  const run = cantilever([6, 6], false);
  const force = [0.02, 0.03];
  run.addFrameWrench(0, Float64Array.of(0, force[0], force[1], 0, 0, 0));
  const [loads, weights, matrix] = [
    new Float64Array(12),
    Float64Array.of(1, 0),
    new Float64Array(144),
  ];
  run.projectWrenches(loads);
  run.computeElasticMatrix(weights, matrix);
  for (let k = 0; k < 12; k++) run.q[k] = loads[k] / matrix[13 * k];
  run.refresh();
  const [, y, z, qx, qy, qz, qw] = run.frameState(0);
  // six of infinitely many modes: the tail of 4 Σ 1/κ⁴ is 1.9e-4 of the sum, that of the slope a twentieth root of it
  near(y, force[0] / 3, (2.2e-4 * force[0]) / 3, 'y');
  near(z, force[1] / 3, (2.2e-4 * force[1]) / 3, 'z');
  near(2 * (qx * qy + qw * qz), force[0] / 2, 0.01 * force[0], 'slope in y');
  near(2 * (qx * qz - qw * qy), force[1] / 2, 0.01 * force[1], 'slope in z');
  // at rest under the load
  const acceleration = new Float64Array(12);
  run.forwardDynamics(new Float64Array(12), acceleration);
  acceleration.forEach((value, k) => near(value, 0, 1e-3, `mode ${k}`));
});

test('with its length kept a column buckles under its own weight and under a weight at its tip', () => {
  // Timoshenko & Gere 1961, 2.12 and 2.1: q l³ = 7.8373 EI; P l² = π²/4 EI. Few modes can only be too stiff
  for (const [own, tip, critical, slack] of [
    [1, 0, 7.8373, 1e-3],
    [1e-6, 1, Math.PI ** 2 / 4, 5e-3],
  ]) {
    const run = cantilever([6, 6], true, own, tip);
    run.gravity[0] = -critical * (1 + slack);
    assert.ok(
      !isPositive(stiffnessOf(run), 12, 0),
      `${own}, ${tip}: stands above the critical load`,
    );
    run.gravity[0] = -critical * (1 - 1e-5);
    assert.ok(
      isPositive(stiffnessOf(run), 12, 0),
      `${own}, ${tip}: buckles below the critical load`,
    );
  }
});

test('a rotating beam is stiffer by centrifugal force as the tables say, and softer without it', () => {
  // Wright et al. 1982, J. Appl. Mech. 49, table 1 (flap, no hub): rate, frequency; in the plane of rotation ω² is less by Ω²
  for (const [rate, flap] of [
    [1, 3.6816],
    [6, 7.3604],
    [12, 13.1702],
  ]) {
    for (const plane of [0, 1]) {
      const run = cantilever(plane === 0 ? [6, 0] : [0, 6], true);
      run.baseState[12] = rate;
      run.refresh();
      const square = smallest(stiffnessOf(run), 6) + (plane === 0 ? rate * rate : 0);
      // tables to four decimals; six modes are too stiff, at 12 rad/s by 2e-4 (four by 1e-3, and falling so)
      const got = Math.sqrt(square);
      assert.ok(got > flap - 1e-4 && got < flap * (1 + 2.5e-4) + 1e-4, `rate ${rate}: ${got}`);
    }
  }
  const run = cantilever([1, 1], false);
  run.baseState[12] = 2;
  run.refresh();
  const stiffness = stiffnessOf(run);
  near(stiffness[0], 12.3623634 - 4, 1e-6, 'in the plane, without stiffening');
  near(stiffness[3], 12.3623634, 1e-6, 'out of the plane, without stiffening');
});
