/** Skyline factors against LU of the full matrix, the order of the nodes, modes against closed forms. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assembleFem } from '../../../src/fem/assembly.ts';
import { planeGrid, solidGrid } from '../../../src/fem/grid-meshes.ts';
import { lowestModes } from '../../../src/fem/modes.ts';
import { nodeNeighbours, nodeOrder } from '../../../src/fem/node-order.ts';
import { SkylineFactors, SkylineMatrix } from '../../../src/fem/skyline.ts';
import { jacobiEigen } from '../../../src/math/jacobi-eigen.ts';
import { factorize, solveFactored } from '../../../src/math/lu.ts';
import { Random } from '../../../src/math/random.ts';

/** A random matrix with a random profile; the diagonal outweighs each row. */
function sample(random: Random, n: number): SkylineMatrix {
  const first = Int32Array.from({ length: n }, (_, j) => Math.floor(random.uniform() * (j + 1)));
  const matrix = new SkylineMatrix(first);
  for (let j = 0; j < n; j++) {
    for (let i = first[j]; i < j; i++) matrix.add(i, j, 2 * random.uniform() - 1);
    matrix.add(j, j, n);
  }
  return matrix;
}

test('the solution is that of LU of the full matrix, and multiplies back', () => {
  const random = new Random(3);
  for (let round = 0; round < 50; round++) {
    const n = 1 + Math.floor(random.uniform() * 30);
    const matrix = sample(random, n);
    const load = Float64Array.from({ length: n }, () => 2 * random.uniform() - 1);
    const full = Float64Array.from({ length: n * n }, (_, e) => matrix.at((e / n) | 0, e % n));
    const reference = load.slice();
    const pivots = new Int32Array(n);
    assert.ok(factorize(full, n, pivots));
    solveFactored(full, n, pivots, reference, 0);
    const factors = new SkylineFactors(matrix);
    assert.equal(factors.factor(matrix, 0), -1);
    const x = load.slice();
    factors.solve(x);
    const back = new Float64Array(n);
    matrix.multiply(x, back);
    for (let i = 0; i < n; i++) {
      assert.ok(Math.abs(x[i] - reference[i]) < 1e-14);
      assert.ok(Math.abs(back[i] - load[i]) < 1e-13);
    }
  }
});

test('the column whose pivot fails is named', () => {
  const matrix = new SkylineMatrix(Int32Array.from([0, 0, 1]));
  matrix.values.set([1, 1, 1, 0, 5]);
  assert.equal(new SkylineFactors(matrix).factor(matrix, 1e-12), 1);
});

test('the order holds every node once, and shortens the profile of a long strip that is numbered across', () => {
  const mesh = planeGrid('quad4', 40, 3, (u, v) => [u, v]);
  const order = nodeOrder(mesh);
  assert.deepEqual(
    [...order].sort((a, b) => a - b),
    Array.from({ length: 41 * 4 }, (_, k) => k),
  );
  const place = new Int32Array(order.length);
  for (const [at, node] of order.entries()) place[node] = at;
  const length = (at: (node: number) => number): number =>
    nodeNeighbours(mesh).reduce(
      (sum, near, node) => sum + at(node) - Math.min(at(node), ...near.map(at)),
      0,
    );
  // a front of four nodes: a column reaches back about five; numbered along the strip it reaches back 42
  assert.ok(length((node) => place[node]) < 6.5 * order.length);
  assert.ok(length((node) => node) > 30 * order.length);
});

test('two bodies that do not touch are both in the order', () => {
  const one = planeGrid('cst', 2, 2, (u, v) => [u, v]);
  const nodes = one.blocks[0].nodes;
  const shifted = nodes.map((node) => node + 9);
  const order = nodeOrder({
    dimension: 2,
    coordinates: Float64Array.from([...one.coordinates, ...one.coordinates.map((x) => x + 3)]),
    blocks: [{ kind: 'cst', nodes: Int32Array.from([...nodes, ...shifted]) }],
    nodeSets: {},
  });
  assert.equal(new Set(order).size, 18);
});

test('Jacobi: A v = λ v, orthonormal, rising, for random symmetric matrices', () => {
  const random = new Random(5);
  for (let n = 1; n < 20; n++) {
    const a = new Float64Array(n * n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        a[n * i + j] = 2 * random.uniform() - 1;
        a[n * j + i] = a[n * i + j];
      }
    }
    const { values, vectors } = jacobiEigen(a, n);
    for (let k = 0; k < n; k++) {
      if (k > 0) assert.ok(values[k] >= values[k - 1]);
      for (let i = 0; i < n; i++) {
        let image = 0;
        let overlap = 0;
        for (let j = 0; j < n; j++) {
          image += a[n * i + j] * vectors[n * j + k];
          overlap += vectors[n * j + i] * vectors[n * j + k];
        }
        assert.ok(Math.abs(image - values[k] * vectors[n * i + k]) < 1e-13 * n);
        assert.ok(Math.abs(overlap - (i === k ? 1 : 0)) < 1e-14 * n);
      }
    }
  }
});

/** A bar of unit modulus and density with ν = 0: the frequencies of its motion along x are known. */
test('frequencies of a free bar along its length: kπ/L, too high by (kπh/L)²/24', () => {
  const n = 64;
  const mesh = planeGrid('quad4', n, 1, (u, v) => [u, 0.02 * v]);
  const across = Array.from({ length: 2 * (n + 1) }, (_, node) => ({ node, axis: 1 }));
  const { stiffness, mass } = assembleFem({
    mesh,
    material: { young: 1, poisson: 0, density: 1 },
    state: 'plane-stress',
    held: across,
  });
  const { frequencies, shapes } = lowestModes(stiffness, mass, 4);
  assert.equal(frequencies[0], 0);
  for (let k = 1; k < 4; k++) {
    const exact = k * Math.PI;
    const ratio = frequencies[k] / exact - 1;
    // consistent mass: ω = exact (1 + (ω h)²/24 + O(h⁴)); the shear of the strip adds less than 1e-6
    assert.ok(Math.abs(ratio - (exact / n) ** 2 / 24) < 2e-6, `${k} ${ratio}`);
  }
  const image = new Float64Array(mass.size);
  mass.multiply(shapes[2], image);
  const product = (shape: Float64Array): number =>
    shape.reduce((sum, value, i) => sum + value * image[i], 0);
  assert.ok(Math.abs(product(shapes[2]) - 1) < 1e-12);
  assert.ok(Math.abs(product(shapes[1])) < 1e-12);
});

test('a free block has six modes without frequency and the next is elastic', () => {
  const mesh = solidGrid('tet10', 2, 1, 1, (u, v, w) => [2 * u, v, w]);
  const { stiffness, mass } = assembleFem({
    mesh,
    material: { young: 7e10, poisson: 0.3, density: 2700 },
    state: 'solid',
  });
  const { frequencies } = lowestModes(stiffness, mass, 7);
  for (let k = 0; k < 6; k++) assert.equal(frequencies[k], 0);
  // a beam of this height would bend at 22.37 √(E I/(ρ A L⁴)) = 8219 rad/s; shear lowers it to a half and more
  assert.ok(frequencies[6] > 3000 && frequencies[6] < 8219, `${frequencies[6]}`);
});
