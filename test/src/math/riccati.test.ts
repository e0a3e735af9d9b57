/** Riccati and Lyapunov equations, eigenvalues and ranks: closed forms, random systems, limits of discrete ones, refusals. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { product, transposed } from '../../../src/math/dense.ts';
import { type Eigenvalue, eigenvalues } from '../../../src/math/eigenvalues.ts';
import { leastSquares, rankMargin } from '../../../src/math/householder.ts';
import { factorize, solveFactored } from '../../../src/math/lu.ts';
import { Random } from '../../../src/math/random.ts';
import { solveLyapunov, solveRiccati } from '../../../src/math/riccati.ts';

const of = (...values: number[]): Float64Array => Float64Array.from(values);
const identity = (n: number, scale = 1): Float64Array =>
  Float64Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? scale : 0));
function randomMatrix(random: Random, rows: number, columns: number): Float64Array {
  return Float64Array.from({ length: rows * columns }, () => random.gaussian());
}
function near(x: number, y: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(x - y) <= tolerance, `${what}: ${x} against ${y}, allowed ${tolerance}`);
}
const largest = (a: Float64Array): number => a.reduce((m, x) => Math.max(m, Math.abs(x)), 0);

test('eigenvalues of companion matrices are the roots they were built from', () => {
  // (x+1)(x+2)(x−3)(x²+2x+5): roots −1, −2, 3, −1 ± 2i
  const roots: Eigenvalue[] = [
    { re: -1, im: 0 },
    { re: -2, im: 0 },
    { re: 3, im: 0 },
    { re: -1, im: 2 },
    { re: -1, im: -2 },
  ];
  const coefficients = [1];
  const times = (...factor: number[]): void => {
    const out = new Array<number>(coefficients.length + factor.length - 1).fill(0);
    for (const [i, a] of coefficients.entries()) {
      for (const [j, b] of factor.entries()) out[i + j] += a * b;
    }
    coefficients.splice(0, coefficients.length, ...out);
  };
  times(1, 1);
  times(1, 2);
  times(1, -3);
  times(1, 2, 5);
  const n = roots.length;
  const a = new Float64Array(n * n);
  for (let j = 0; j < n; j++) a[j] = -coefficients[j + 1];
  for (let i = 1; i < n; i++) a[i * n + i - 1] = 1;
  const found = eigenvalues(a, n);
  for (const root of roots) {
    const distance = Math.min(
      ...found.map((x) => Math.sqrt((x.re - root.re) ** 2 + (x.im - root.im) ** 2)),
    );
    assert.ok(distance < 1e-11, `root ${root.re} ${root.im}i missed by ${distance}`);
  }
});

test('eigenvalues of random matrices have their trace, their determinant and the determinant of A − λI zero', () => {
  const random = new Random(7);
  for (let n = 1; n <= 30; n++) {
    const a = randomMatrix(random, n, n);
    const found = eigenvalues(a, n);
    assert.equal(found.length, n);
    let trace = 0;
    for (let i = 0; i < n; i++) trace += a[i * (n + 1)];
    near(
      found.reduce((s, x) => s + x.re, 0),
      trace,
      1e-12 * n * n,
      `trace, n = ${n}`,
    );
    near(
      found.reduce((s, x) => s + x.im, 0),
      0,
      1e-12 * n,
      `conjugates, n = ${n}`,
    );
    const factors = a.slice();
    factorize(factors, n, new Int32Array(n));
    let logDet = 0;
    for (let i = 0; i < n; i++) logDet += Math.log(Math.abs(factors[i * (n + 1)]));
    const sum = found.reduce((s, x) => s + 0.5 * Math.log(x.re ** 2 + x.im ** 2), 0);
    near(sum, logDet, 1e-10 * n, `determinant, n = ${n}`);
  }
});

test('eigenvalues of a badly scaled, a triangular and a 1 × 1 matrix', () => {
  const scaled = eigenvalues(of(1, 1e9, 1e-9, 1), 2);
  near(scaled[0].re, 0, 1e-12, 'first');
  near(scaled[1].re, 2, 1e-12, 'second');
  assert.deepEqual(
    eigenvalues(of(3, 5, 1, 0, 2, 7, 0, 0, 1), 3).map(({ re }) => re),
    [1, 2, 3],
  );
  assert.deepEqual(eigenvalues(of(-4), 1), [{ re: -4, im: 0 }]);
  assert.throws(() => eigenvalues(of(NaN), 1), /finite/);
});

test('least squares and rank by pivoted QR', () => {
  const random = new Random(3);
  const a = randomMatrix(random, 9, 4);
  const b = randomMatrix(random, 9, 2);
  const x = leastSquares(a, b, 9, 4, 2);
  const residual = product(a, x, 9, 4, 2).map((v, i) => v - b[i]);
  // normal equations hold at the least residual
  assert.ok(largest(product(transposed(a, 9, 4), residual, 4, 9, 2)) < 1e-13);
  assert.ok(rankMargin(randomMatrix(random, 4, 9), 4, 9) > 0.05);
  const low = product(randomMatrix(random, 4, 3), randomMatrix(random, 3, 9), 4, 3, 9);
  assert.ok(rankMargin(low, 4, 9) < 1e-14);
});

test('the double integrator has its closed form', () => {
  // P = [√(1 + 2√r) …]: with Q = diag(1, 0), R = r: P11 = √2 r^¼, P12 = √r, P22 = √2 r^¾
  for (const r of [1e-4, 1, 1e4]) {
    const { p, gain, residual } = solveRiccati(
      of(0, 1, 0, 0),
      of(0, 1),
      of(1, 0, 0, 0),
      of(r),
      2,
      1,
    );
    assert.ok(residual < 1e-14, `residual ${residual}`);
    near(p[0] / (Math.SQRT2 * r ** 0.25), 1, 1e-12, 'P11');
    near(p[1] / Math.sqrt(r), 1, 1e-12, 'P12');
    near(p[3] / (Math.SQRT2 * r ** 0.75), 1, 1e-12, 'P22');
    near(gain[0] / r ** -0.5, 1, 1e-12, 'K1');
    near(gain[1] / (Math.SQRT2 * r ** -0.25), 1, 1e-12, 'K2');
  }
});

test('a scalar unstable plant without cost on the state is moved to its mirror image', () => {
  // a = 3, q = 0: p = 2 a r / b²
  const { p, gain } = solveRiccati(of(3), of(2), of(0), of(5), 1, 1);
  near(p[0], 7.5, 1e-12, 'p');
  near(3 - 2 * gain[0], -3, 1e-12, 'pole');
});

test('random systems of 1 to 30 states: residual, symmetry, sign and a stable loop', () => {
  const random = new Random(11);
  let worst = 0;
  for (let n = 1; n <= 30; n++) {
    // one input for a dozen unstable modes and more needs gains of 1e5 and a P of 1e9: beyond
    // double precision
    const m = (n > 16 ? 2 : 1) + Math.floor(random.uniform() * Math.min(n, 3));
    const a = randomMatrix(random, n, n);
    const b = randomMatrix(random, n, m);
    const c = randomMatrix(random, 2, n);
    const q = product(transposed(c, 2, n), c, n, 2, n);
    const s = randomMatrix(random, m, m);
    const r = product(s, transposed(s, m, m), m, m, m).map((x, i) =>
      i % (m + 1) === 0 ? x + 0.1 : x,
    );
    const { p, gain, residual } = solveRiccati(a, b, q, r, n, m);
    worst = Math.max(worst, residual);
    const closed = a.map((x, i) => {
      let sum = x;
      const row = Math.floor(i / n);
      for (let k = 0; k < m; k++) sum -= b[row * m + k] * gain[k * n + (i % n)];
      return sum;
    });
    assert.ok(eigenvalues(closed, n)[n - 1].re < 0, `n = ${n}: the loop is not stable`);
    for (let i = 0; i < n; i++) {
      assert.ok(p[i * (n + 1)] >= 0, `n = ${n}: P has a negative diagonal element`);
      for (let j = 0; j < i; j++) assert.equal(p[i * n + j], p[j * n + i]);
    }
  }
  assert.ok(worst < 1e-11, `largest relative residual ${worst}`);
});

test('discrete regulators go over into the continuous one, with an error in proportion to the step', () => {
  const n = 2;
  const a = of(0, 1, 2, -0.3);
  const b = of(0, 1.5);
  const q = of(2, 0.3, 0.3, 1);
  const r = of(0.7);
  const { p } = solveRiccati(a, b, q, r, n, 1);
  const error = (h: number): number => {
    const f = a.map((x, i) => h * x + (i % (n + 1) === 0 ? 1 : 0));
    const g = b.map((x) => h * x);
    // value iteration P ← hQ + Fᵀ(P − P g gᵀ P/(h r + gᵀPg))F
    let value = new Float64Array(n * n);
    for (let k = 0; k < Math.round(30 / h); k++) {
      const pg = product(value, g, n, n, 1);
      const s = h * r[0] + g[0] * pg[0] + g[1] * pg[1];
      const inner = value.map((x, i) => x - (pg[Math.floor(i / n)] * pg[i % n]) / s);
      value = product(product(transposed(f, n, n), inner, n, n, n), f, n, n, n).map(
        (x, i) => x + h * q[i],
      );
    }
    return largest(value.map((x, i) => x - p[i])) / largest(p);
  };
  const coarse = error(4e-3);
  const fine = error(1e-3);
  assert.ok(fine < 5e-3, `error ${fine} at 1 ms`);
  // first order: four times the step, four times the error, to the second-order part (some percent here)
  near(coarse / fine, 4, 0.2, 'ratio of errors');
});

test('Lyapunov: the integral of the decay, and null for a plant that does not decay', () => {
  const random = new Random(5);
  for (const n of [1, 3, 8, 20]) {
    const s = randomMatrix(random, n, n);
    const a = product(s, transposed(s, n, n), n, n, n).map(
      (x, i) =>
        -x / n - (i % (n + 1) === 0 ? 0.5 : 0) + 0.3 * (s[i] - s[(i % n) * n + Math.floor(i / n)]),
    );
    const x = solveLyapunov(a, identity(n), n);
    assert.ok(x !== null, `n = ${n}: refused`);
    const left = product(transposed(a, n, n), x, n, n, n);
    const right = product(x, a, n, n, n);
    const rest = largest(left.map((v, i) => v + right[i] + (i % (n + 1) === 0 ? 1 : 0)));
    assert.ok(rest < 1e-11, `n = ${n}: residual ${rest}`);
  }
  assert.equal(solveLyapunov(of(1), of(1), 1), null);
  assert.equal(solveLyapunov(of(0, 1, -1, 0), identity(2), 2), null);
});

test('what cannot be stabilised is refused with its mode', () => {
  // an unstable state that the input does not reach
  assert.throws(
    () => solveRiccati(of(1, 0, 0, 2), of(1, 0), identity(2), of(1), 2, 1),
    /no input reaches the mode at 2\.000/,
  );
  // the same seen from other coordinates, and an undamped oscillator out of reach
  const turn = of(0.8, -0.6, 0.6, 0.8);
  const turned = product(product(turn, of(1, 0, 0, 2), 2, 2, 2), transposed(turn, 2, 2), 2, 2, 2);
  assert.throws(
    () => solveRiccati(turned, product(turn, of(1, 0), 2, 2, 1), identity(2), of(1), 2, 1),
    /no input reaches the mode at 2\.000/,
  );
  assert.throws(
    () => solveRiccati(of(0, 2, 0, -2, 0, 0, 0, 0, -1), of(0, 0, 1), identity(3), of(1), 3, 1),
    /± 2\.000i/,
  );
  // an integrator that costs nothing has no stabilising solution
  assert.throws(() => solveRiccati(of(0), of(1), of(0), of(1), 1, 1), /costs nothing/);
  assert.throws(
    () => solveRiccati(of(0), of(1), of(1), of(0), 1, 1),
    /R of the inputs is not positive/,
  );
  // what decays by itself may be out of reach
  const { gain } = solveRiccati(of(1, 0, 0, -2), of(1, 0), identity(2), of(1), 2, 1);
  assert.equal(gain[1], 0);
});

test('inverse of a system by its factors', () => {
  const a = of(2, 1, 1, 3);
  const pivots = new Int32Array(2);
  factorize(a, 2, pivots);
  const x = of(3, 5);
  solveFactored(a, 2, pivots, x, 0);
  near(x[0], 0.8, 1e-15, 'x');
  near(x[1], 1.4, 1e-15, 'y');
});
