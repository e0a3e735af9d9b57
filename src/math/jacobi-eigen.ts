/**
 * Eigenvalues and eigenvectors of symmetric matrices of any size, by cyclic Jacobi rotations: orthonormal to rounding, values
 * accurate to a few units of rounding of the largest. `Golub & Van Loan 2013, 8.5`. For set-up: everything here allocates.
 */

/** Sweeps over all entries; quadratic convergence needs about ten. */
const SWEEPS = 40;

/** A decomposition. */
export interface JacobiEigen {
  /** Eigenvalues in rising order. */
  readonly values: Float64Array;
  /** Column k, `vectors[n · i + k]`, belongs to value k. */
  readonly vectors: Float64Array;
}

/** Decomposes the symmetric n × n matrix a, row by row. */
export function jacobiEigen(a: Float64Array, n: number): JacobiEigen {
  const m = a.slice();
  const v = Float64Array.from({ length: n * n }, (_, e) => (e % (n + 1) === 0 ? 1 : 0));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let off = 0;
    let all = 0;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        all += m[n * i + j] * m[n * i + j];
        if (i !== j) off += m[n * i + j] * m[n * i + j];
      }
    }
    if (!(off > 1e-34 * all)) break;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) rotate(m, v, n, p, q);
  }
  const order = Array.from({ length: n }, (_, k) => k).sort(
    (i, j) => m[(n + 1) * i] - m[(n + 1) * j] || i - j,
  );
  const vectors = new Float64Array(n * n);
  for (const [k, from] of order.entries()) {
    for (let i = 0; i < n; i++) vectors[n * i + k] = v[n * i + from];
  }
  return { values: Float64Array.from(order, (k) => m[(n + 1) * k]), vectors };
}

/** Clears the entry pq. */
function rotate(m: Float64Array, v: Float64Array, n: number, p: number, q: number): void {
  const entry = m[n * p + q];
  if (entry === 0) return;
  const theta = (m[(n + 1) * q] - m[(n + 1) * p]) / (2 * entry);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < n; k++) {
    const x = m[n * k + p];
    const y = m[n * k + q];
    m[n * k + p] = c * x - s * y;
    m[n * k + q] = s * x + c * y;
  }
  for (let k = 0; k < n; k++) {
    const x = m[n * p + k];
    const y = m[n * q + k];
    m[n * p + k] = c * x - s * y;
    m[n * q + k] = s * x + c * y;
    const f = v[n * k + p];
    const g = v[n * k + q];
    v[n * k + p] = c * f - s * g;
    v[n * k + q] = s * f + c * g;
  }
}
