/** Compliance and reductions: symmetry, agreement with the full mesh, modes kept. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assembleFem, type HeldComponent } from '../../../src/fem/assembly.ts';
import { NodalBasis } from '../../../src/fem/elastic-basis.ts';
import { FloatingBody } from '../../../src/fem/floating-body.ts';
import { gridNode, planeGrid } from '../../../src/fem/grid-meshes.ts';
import { lowestModes } from '../../../src/fem/modes.ts';
import { ReducedBasis } from '../../../src/fem/reduced-basis.ts';
import { guyanShapes, unitLoads } from '../../../src/fem/reduction.ts';
import { staticFactors } from '../../../src/fem/statics.ts';
import { BerthError } from '../../../src/base/errors.ts';
import { jacobiEigen } from '../../../src/math/jacobi-eigen.ts';

const NU = 6;
const mesh = planeGrid('quad4', NU, 3, (u, v) => [u + 0.05 * v, 0.5 * v]);
const held: readonly HeldComponent[] = [
  { node: 0, axis: 0 },
  { node: 0, axis: 1 },
  { node: NU, axis: 1 },
];
const matrices = assembleFem({
  mesh,
  material: { young: 1e6, poisson: 0.3, density: 100 },
  state: 'plane-stress',
  held,
});
const masters: readonly HeldComponent[] = Array.from({ length: NU + 1 }, (_, i) =>
  [0, 1].map((axis) => ({ node: gridNode(NU, i, 3), axis })),
).flat();

test('C is symmetric positive definite, and its column is the solution for a unit load', () => {
  const { compliance, shapes } = unitLoads(matrices, masters);
  const n = masters.length;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) assert.equal(compliance[n * i + j], compliance[n * j + i]);
  }
  assert.ok(jacobiEigen(compliance, n).values[0] > 0);
  const load = new Float64Array(matrices.size);
  matrices.stiffness.multiply(shapes[3], load);
  const at = matrices.freedom[2 * masters[3].node + masters[3].axis];
  for (let e = 0; e < load.length; e++) assert.ok(Math.abs(load[e] - (e === at ? 1 : 0)) < 1e-10);
});

test('loads on the masters give the displacements of the full mesh', () => {
  const full = new NodalBasis(matrices);
  const reduced = new ReducedBasis(full, guyanShapes(matrices, masters));
  const load = new Float64Array(matrices.size);
  const few = new Float64Array(masters.length);
  for (const [k, { node, axis }] of masters.entries()) {
    few[k] = 1 + 0.3 * k - 0.05 * k * k;
    load[matrices.freedom[2 * node + axis]] = few[k];
  }
  staticFactors(matrices).solve(load);
  reduced.makeSolver(1, 0).solve(few, 0);
  let most = 0;
  for (const value of load) most = Math.max(most, Math.abs(value));
  for (let node = 0; node < mesh.coordinates.length / 2; node++) {
    const [a, b] = [new Float64Array(2), new Float64Array(2)];
    full.addDisplacement(node, load, 0, a, 0);
    reduced.addDisplacement(node, few, 0, b, 0);
    for (let axis = 0; axis < 2; axis++) assert.ok(Math.abs(a[axis] - b[axis]) < 1e-10 * most);
  }
});

test('modes as shapes: unit mass, ω² as stiffness', () => {
  const { frequencies, shapes } = lowestModes(matrices.stiffness, matrices.mass, 4);
  const basis = new ReducedBasis(new NodalBasis(matrices), shapes);
  const [x, y] = [new Float64Array(4), new Float64Array(4)];
  for (let k = 0; k < 4; k++) {
    x.fill(0);
    x[k] = 1;
    basis.massTimes(x, y);
    for (let i = 0; i < 4; i++) assert.ok(Math.abs(y[i] - x[i]) < 1e-10);
    basis.stiffnessTimes(x, y);
    for (let i = 0; i < 4; i++) {
      assert.ok(Math.abs(y[i] - x[i] * frequencies[k] ** 2) < 1e-9 * frequencies[3] ** 2);
    }
  }
});

test('with all components as shapes a floating body has the forces of the full one', () => {
  const full = new NodalBasis(matrices);
  const shapes = Array.from({ length: full.size }, (_, k) =>
    Float64Array.from({ length: full.size }, (_one, e) => (e === k ? 1 : 0)),
  );
  const residuals = [full, new ReducedBasis(full, shapes)].map((basis) => {
    const body = new FloatingBody(
      basis,
      { position: [1, 2], angle: 0.4, velocity: [0.3, -0.2], angularVelocity: 2 },
      { alpha: 1, beta: 1e-3 },
    );
    for (let e = 3; e < body.size; e++) {
      body.q[e] = 0.01 * ((e * 7) % 5);
      body.rate[e] = 0.1 * ((e * 3) % 7);
      body.acceleration[e] = ((e * 5) % 11) - 5;
    }
    body.setStep(1e6, 1e3);
    const out = new Float64Array(body.size);
    body.residual(out);
    body.prepare();
    const solved = out.slice();
    body.solve(solved, 0);
    return [out, solved];
  });
  for (const k of [0, 1]) {
    let most = 0;
    for (const value of residuals[0][k]) most = Math.max(most, Math.abs(value));
    for (const [e, value] of residuals[0][k].entries()) {
      assert.ok(Math.abs(value - residuals[1][k][e]) < 1e-11 * most);
    }
  }
});

test('held and repeated masters are refused', () => {
  assert.throws(() => unitLoads(matrices, held), BerthError);
  assert.throws(() => guyanShapes(matrices, [masters[0], masters[0]]), /once each/);
});
