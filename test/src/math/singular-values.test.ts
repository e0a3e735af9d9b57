/** Singular values by one-sided Jacobi rotations: product, orthogonality, small values against a graded matrix. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { product, transposed } from '../../../src/math/dense.ts';
import { Random } from '../../../src/math/random.ts';
import { SingularValues } from '../../../src/math/singular-values.ts';

const random = new Random(21);
const largest = (a: Float64Array): number => a.reduce((m, x) => Math.max(m, Math.abs(x)), 0);
const eye = (n: number): Float64Array =>
  Float64Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 1 : 0));

test('U Σ Vᵀ is the matrix, U and V are orthonormal, values fall', () => {
  for (const [n, m] of [
    [1, 1],
    [3, 2],
    [6, 6],
    [7, 6],
    [8, 6],
  ]) {
    const svd = new SingularValues(n, m);
    for (let round = 0; round < 50; round++) {
      const a = Float64Array.from({ length: n * m }, () => random.gaussian());
      svd.decompose(a);
      const scaled = svd.left.map((x, i) => x * svd.values[i % m]);
      const back = product(scaled, transposed(svd.right, m, m), n, m, m);
      // some tens of rotations, each good to a unit of rounding
      assert.ok(largest(back.map((x, i) => x - a[i])) < 1e-14, `${n} × ${m}: product`);
      const u = product(transposed(svd.left, n, m), svd.left, m, n, m);
      const v = product(transposed(svd.right, m, m), svd.right, m, m, m);
      assert.ok(largest(u.map((x, i) => x - eye(m)[i])) < 1e-14, `${n} × ${m}: left`);
      assert.ok(largest(v.map((x, i) => x - eye(m)[i])) < 1e-14, `${n} × ${m}: right`);
      for (let k = 1; k < m; k++) assert.ok(svd.values[k] <= svd.values[k - 1]);
    }
  }
});

test('values of a graded matrix have all their digits', () => {
  const turn = 0.7;
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const values = [1, 1e-6, 1e-12];
  // columns of a rotation about z, then x, graded from the right: one-sided rotations keep the small ones
  const q = product(
    Float64Array.of(c, -s, 0, s, c, 0, 0, 0, 1),
    Float64Array.of(1, 0, 0, 0, c, -s, 0, s, c),
    3,
    3,
    3,
  );
  const a = q.map((x, i) => x * values[i % 3]);
  const svd = new SingularValues(3, 3);
  svd.decompose(a);
  for (const [k, value] of values.entries()) {
    assert.ok(Math.abs(svd.values[k] / value - 1) < 1e-14, `value ${k}: ${svd.values[k]}`);
  }
});

test('a matrix without full rank has values of zero and left vectors of zero there', () => {
  const svd = new SingularValues(3, 2);
  svd.decompose(Float64Array.of(0, 2, 0, 0, 0, 0));
  assert.deepEqual([...svd.values], [2, 0]);
  assert.deepEqual([...svd.left], [1, 0, 0, 0, 0, 0]);
});
