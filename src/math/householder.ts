/**
 * Householder QR with column pivoting, for design work: rank of a matrix and least squares. `Golub & Van Loan 2013, 5.4.2`.
 * Matrices row by row.
 */

/** A Π = Q R of an n × m matrix. */
interface PivotedQr {
  /** R on and above the diagonal, the reflectors below it. */
  readonly r: Float64Array;
  readonly heads: Float64Array;
  readonly order: readonly number[];
}

function factor(a: Float64Array, n: number, m: number): PivotedQr {
  const r = a.slice();
  const steps = Math.min(n, m);
  const heads = new Float64Array(steps);
  const order = Array.from({ length: m }, (_, j) => j);
  for (let k = 0; k < steps; k++) {
    // the norms are computed in every step, because an update loses the digits that decide the rank
    let best = k;
    let largest = -1;
    for (let j = k; j < m; j++) {
      let sum = 0;
      for (let i = k; i < n; i++) sum += r[i * m + j] * r[i * m + j];
      if (sum > largest) {
        largest = sum;
        best = j;
      }
    }
    if (best !== k) {
      [order[k], order[best]] = [order[best], order[k]];
      for (let i = 0; i < n; i++) {
        const kept = r[i * m + k];
        r[i * m + k] = r[i * m + best];
        r[i * m + best] = kept;
      }
    }
    const size = Math.sqrt(largest);
    if (size === 0) continue;
    const alpha = r[k * m + k] > 0 ? -size : size;
    const head = r[k * m + k] - alpha;
    const half = -alpha * head;
    heads[k] = head;
    for (let j = k + 1; j < m; j++) {
      let sum = head * r[k * m + j];
      for (let i = k + 1; i < n; i++) sum += r[i * m + k] * r[i * m + j];
      const scale = sum / half;
      r[k * m + j] -= scale * head;
      for (let i = k + 1; i < n; i++) r[i * m + j] -= scale * r[i * m + k];
    }
    r[k * m + k] = alpha;
  }
  return { r, heads, order };
}

/**
 * Smallest over largest diagonal element of R of an n × m matrix, n <= m: 0 without full row rank.
 * In practice it is within a factor of about n of the ratio of the extreme singular values.
 */
export function rankMargin(a: Float64Array, n: number, m: number): number {
  const { r } = factor(a, n, m);
  const first = Math.abs(r[0]);
  return first > 0 ? Math.abs(r[(n - 1) * m + n - 1]) / first : 0;
}

/** Minimises |A X − B| over X, m × k, for an n × m matrix A of full column rank and B of n × k. */
export function leastSquares(
  a: Float64Array,
  b: Float64Array,
  n: number,
  m: number,
  k: number,
): Float64Array {
  const { r, heads, order } = factor(a, n, m);
  const y = b.slice();
  for (let c = 0; c < m; c++) {
    const half = -r[c * m + c] * heads[c];
    if (half === 0) continue;
    for (let j = 0; j < k; j++) {
      let sum = heads[c] * y[c * k + j];
      for (let i = c + 1; i < n; i++) sum += r[i * m + c] * y[i * k + j];
      const scale = sum / half;
      y[c * k + j] -= scale * heads[c];
      for (let i = c + 1; i < n; i++) y[i * k + j] -= scale * r[i * m + c];
    }
  }
  const x = new Float64Array(m * k);
  for (let j = 0; j < k; j++) {
    for (let i = m - 1; i >= 0; i--) {
      let sum = y[i * k + j];
      for (let c = i + 1; c < m; c++) sum -= r[i * m + c] * x[order[c] * k + j];
      x[order[i] * k + j] = sum / r[i * m + i];
    }
  }
  return x;
}
