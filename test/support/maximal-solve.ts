/**
 * Dense symmetric indefinite systems, solved as well as doubles can hold the answer: equilibrated by powers of two, LU with pivoting,
 * and refined with residuals of twice the precision. `Higham 2002, Accuracy and Stability of Numerical Algorithms, 7.3 and 12.1;
 * Ogita, Rump & Oishi 2005, Accurate sum and dot product`.
 */
import { factorize, solveFactored } from '../../src/math/lu.ts';

/** Rounds of equilibration: each halves the spread of the row norms on a log scale. */
const SCALINGS = 4;
/** Each round of refinement gains the digits that the condition of the equilibrated matrix leaves. */
const REFINEMENTS = 3;
/** Veltkamp's constant 2^27 + 1. */
const SPLIT = 134217729;

/** x of K x = b; K is symmetric, n × n, row by row. Neither is changed. */
export function solveSymmetric(matrix: Float64Array, b: Float64Array): Float64Array {
  const n = b.length;
  const k = matrix.slice();
  const scales = new Float64Array(n).fill(1);
  for (let round = 0; round < SCALINGS; round++) {
    const factors = new Float64Array(n);
    for (let r = 0; r < n; r++) {
      let largest = 0;
      for (let c = 0; c < n; c++) largest = Math.max(largest, Math.abs(k[r * n + c]));
      factors[r] = largest > 0 ? 2 ** -Math.round(Math.log2(largest) / 2) : 1;
    }
    for (let r = 0; r < n; r++) {
      for (let c = 0; c < n; c++) k[r * n + c] *= factors[r] * factors[c];
      scales[r] *= factors[r];
    }
  }
  const right = b.map((value, r) => value * scales[r]);
  const factors = k.slice();
  const pivots = new Int32Array(n);
  if (!factorize(factors, n, pivots)) throw new Error('singular system of constraints');
  const x = right.slice();
  solveFactored(factors, n, pivots, x, 0);
  for (let round = 0; round < REFINEMENTS; round++) {
    const rest = right.map((value, r) => residual(k, n, r, x, value));
    solveFactored(factors, n, pivots, rest, 0);
    for (let i = 0; i < n; i++) x[i] += rest[i];
  }
  return x.map((value, i) => value * scales[i]);
}

/** b − (row r of K) · x in twice the precision. */
function residual(k: Float64Array, n: number, r: number, x: Float64Array, b: number): number {
  let sum = b;
  let low = 0;
  for (let c = 0; c < n; c++) {
    const a = -k[r * n + c];
    if (a === 0) continue;
    const product = a * x[c];
    const ah = SPLIT * a - (SPLIT * a - a);
    const al = a - ah;
    const xh = SPLIT * x[c] - (SPLIT * x[c] - x[c]);
    const xl = x[c] - xh;
    const error = al * xl - (product - ah * xh - al * xh - ah * xl);
    const next = sum + product;
    const part = next - sum;
    low += sum - (next - part) + (product - part) + error;
    sum = next;
  }
  return sum + low;
}
