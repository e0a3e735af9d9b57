/**
 * Singular value decomposition of a small matrix without allocation, by one-sided Jacobi rotations
 * (Hestenes 1958; `Golub & Van Loan 2013, 8.6.3`): A = U Σ Vᵀ. Small singular values are as
 * accurate as large ones; a method on A Aᵀ loses them.
 */

/** Sweeps over all pairs of columns; six do for eight columns, unless the matrix is not finite. */
const SWEEPS = 30;

/** Decomposition of an n × m matrix, n >= m. */
export class SingularValues {
  /** σ, in falling order. */
  readonly values: Float64Array;
  /** U, n × m row by row; columns of σ = 0 are zero. */
  readonly left: Float64Array;
  /** V, m × m row by row. */
  readonly right: Float64Array;
  private readonly rows: number;
  private readonly columns: number;

  constructor(rows: number, columns: number) {
    this.rows = rows;
    this.columns = columns;
    this.values = new Float64Array(columns);
    this.left = new Float64Array(rows * columns);
    this.right = new Float64Array(columns * columns);
  }

  /** Decomposes a (row by row, n × m). @alloc none */
  decompose(a: Float64Array): void {
    const n = this.rows;
    const m = this.columns;
    const u = this.left;
    const v = this.right;
    for (let i = 0; i < n * m; i++) u[i] = a[i];
    for (let i = 0; i < m * m; i++) v[i] = 0;
    for (let i = 0; i < m; i++) v[i * m + i] = 1;
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      let turned = 0;
      for (let p = 0; p < m - 1; p++) {
        for (let q = p + 1; q < m; q++) turned += this.rotate(p, q);
      }
      if (turned === 0) break;
    }
    this.scale();
    this.sort();
  }

  /** Makes columns p and q orthogonal. @returns 0 when they were */
  private rotate(p: number, q: number): number {
    const n = this.rows;
    const m = this.columns;
    const u = this.left;
    let pp = 0;
    let qq = 0;
    let pq = 0;
    for (let i = 0; i < n; i++) {
      pp += u[i * m + p] * u[i * m + p];
      qq += u[i * m + q] * u[i * m + q];
      pq += u[i * m + p] * u[i * m + q];
    }
    if (!(pq * pq > 1e-31 * pp * qq)) return 0;
    const theta = (qq - pp) / (2 * pq);
    const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
    const c = 1 / Math.sqrt(t * t + 1);
    const s = t * c;
    for (let i = 0; i < n; i++) {
      const x = u[i * m + p];
      const y = u[i * m + q];
      u[i * m + p] = c * x - s * y;
      u[i * m + q] = s * x + c * y;
    }
    const v = this.right;
    for (let i = 0; i < m; i++) {
      const x = v[i * m + p];
      const y = v[i * m + q];
      v[i * m + p] = c * x - s * y;
      v[i * m + q] = s * x + c * y;
    }
    return 1;
  }

  /** Scales the columns of UΣ to unit length. */
  private scale(): void {
    const m = this.columns;
    const u = this.left;
    for (let j = 0; j < m; j++) {
      let sum = 0;
      for (let i = 0; i < this.rows; i++) sum += u[i * m + j] * u[i * m + j];
      const size = Math.sqrt(sum);
      this.values[j] = size;
      for (let i = 0; i < this.rows; i++) u[i * m + j] = size > 0 ? u[i * m + j] / size : 0;
    }
  }

  /** Sorts the columns by falling value; each moves at most once. */
  private sort(): void {
    const n = this.rows;
    const m = this.columns;
    const { values, left, right } = this;
    for (let j = 0; j < m - 1; j++) {
      let best = j;
      for (let k = j + 1; k < m; k++) if (values[k] > values[best]) best = k;
      if (best === j) continue;
      const value = values[j];
      values[j] = values[best];
      values[best] = value;
      for (let i = 0; i < n; i++) {
        const x = left[i * m + j];
        left[i * m + j] = left[i * m + best];
        left[i * m + best] = x;
      }
      for (let i = 0; i < m; i++) {
        const x = right[i * m + j];
        right[i * m + j] = right[i * m + best];
        right[i * m + best] = x;
      }
    }
  }
}
