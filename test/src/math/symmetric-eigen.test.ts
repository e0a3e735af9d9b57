/** The symmetric 3 × 3 eigen-solve: residual, orthogonality, extreme and degenerate spectra. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/math/random.ts';
import { SymmetricEigen } from '../../../src/math/symmetric-eigen.ts';

const EPSILON = 2 ** -52;

function below(value: number, limit: number, what: string): void {
  assert.ok(value <= limit, `${what}: ${value} is not below ${limit}`);
}

function multiply(m: Float64Array, v: ArrayLike<number>): number[] {
  return [
    m[0] * v[0] + m[3] * v[1] + m[4] * v[2],
    m[3] * v[0] + m[1] * v[1] + m[5] * v[2],
    m[4] * v[0] + m[5] * v[1] + m[2] * v[2],
  ];
}

function check(m: Float64Array): SymmetricEigen {
  const eigen = new SymmetricEigen();
  eigen.decompose(m, 0, Float64Array.of(1));
  const size = Math.sqrt(m.reduce((sum, x, e) => sum + x * x * (e < 3 ? 1 : 2), 0));
  for (let k = 0; k < 3; k++) {
    const v = eigen.vectors.slice(3 * k, 3 * k + 3);
    const image = multiply(m, v);
    // backward stability of at most eighteen rotations, each of a few units of rounding
    const residual = Math.hypot(...image.map((x, a) => x - eigen.values[k] * v[a]));
    below(residual, 20 * EPSILON * size, `residual of ${[...m].join(', ')}`);
    for (let j = 0; j <= k; j++) {
      const u = eigen.vectors.slice(3 * j, 3 * j + 3);
      const product = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
      below(Math.abs(product - (j === k ? 1 : 0)), 20 * EPSILON, 'orthonormal');
    }
  }
  return eigen;
}

test('vectors are orthonormal and solve their equation to rounding, over spectra from 1 to 1e-12', () => {
  const random = new Random(3);
  for (let n = 0; n < 20000; n++) {
    const q = new SymmetricEigen();
    q.decompose(
      Float64Array.from({ length: 6 }, () => random.gaussian()),
      0,
      Float64Array.of(1),
    );
    const shares = [1, 10 ** (-12 * random.uniform()), 10 ** (-12 * random.uniform())];
    if (n % 3 === 0) shares[1] = 1 + 1e-13 * random.gaussian();
    const entry = (a: number, b: number): number =>
      shares.reduce((sum, x, k) => sum + x * q.vectors[3 * k + a] * q.vectors[3 * k + b], 0);
    const m = Float64Array.of(
      entry(0, 0),
      entry(1, 1),
      entry(2, 2),
      entry(0, 1),
      entry(0, 2),
      entry(1, 2),
    );
    const eigen = check(m);
    const found = [...eigen.values].sort((a, b) => a - b);
    const known = [...shares].sort((a, b) => a - b);
    for (let k = 0; k < 3; k++) below(Math.abs(found[k] - known[k]), 20 * EPSILON, 'value');
  }
});

test('diagonal, isotropic, zero and rank-one matrices', () => {
  assert.deepEqual([...check(Float64Array.of(3, 1, 2, 0, 0, 0)).values], [3, 1, 2]);
  check(Float64Array.of(2, 2, 2, 0, 0, 0));
  check(new Float64Array(6));
  const ones = check(Float64Array.of(1, 1, 1, 1, 1, 1));
  below(Math.abs(Math.max(...ones.values) - 3), 20 * EPSILON, 'value of ones');
});

test('the scale multiplies the values, so that tiny tensors do not underflow', () => {
  const eigen = new SymmetricEigen();
  // m⁵ of a contact of a micrometre
  const m = Float64Array.of(2, 3, 4, 1, 0.5, 0.2).map((x) => 1e-200 * x);
  eigen.decompose(m, 0, Float64Array.of(1e200));
  const plain = new SymmetricEigen();
  plain.decompose(Float64Array.of(2, 3, 4, 1, 0.5, 0.2), 0, Float64Array.of(1));
  for (let k = 0; k < 3; k++) {
    below(Math.abs(eigen.values[k] - plain.values[k]), 1e-14, 'value');
  }
});
