/**
 * Eigenvalues and eigenvectors of a symmetric 3 × 3 matrix, without allocation: cyclic Jacobi
 * rotations. The vectors are orthonormal to rounding for all eigenvalues; the values are accurate
 * to a few units of rounding of the largest. `Golub & Van Loan 2013, 8.5`.
 */

/** Sweeps over the three off-diagonal entries; quadratic convergence needs five, six at the most. */
const SWEEPS = 12;

/** Work space of one decomposition. */
export class SymmetricEigen {
  /** Eigenvalues, in no order. */
  readonly values: Float64Array = new Float64Array(3);
  /** Eigenvectors: vector k is (vectors[3 k], vectors[3 k + 1], vectors[3 k + 2]). Signs are arbitrary. */
  readonly vectors: Float64Array = new Float64Array(9);
  /** [xx, yy, zz, xy, xz, yz] on its way to a diagonal. */
  private readonly work: Float64Array = new Float64Array(6);

  /**
   * Decomposes the matrix m[o..o+5] = (xx, yy, zz, xy, xz, yz) times scale[0]. A matrix that is not
   * finite gives values that are not finite.
   * @alloc none
   */
  decompose(m: Float64Array, o: number, scale: Float64Array): void {
    const a = this.work;
    const v = this.vectors;
    const k = scale[0];
    for (let e = 0; e < 6; e++) a[e] = k * m[o + e];
    for (let e = 0; e < 9; e++) v[e] = 0;
    v[0] = 1;
    v[4] = 1;
    v[8] = 1;
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      const off = a[3] * a[3] + a[4] * a[4] + a[5] * a[5];
      if (!(off > 1e-40 * (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]))) break;
      this.rotate(0, 1, 3, 4, 5);
      this.rotate(0, 2, 4, 3, 5);
      this.rotate(1, 2, 5, 3, 4);
    }
    for (let e = 0; e < 3; e++) this.values[e] = a[e];
  }

  /** Clears the entry pq (p < q) of the matrix; pr and qr are the other two off-diagonal entries. */
  private rotate(p: number, q: number, pq: number, pr: number, qr: number): void {
    const a = this.work;
    const entry = a[pq];
    if (entry === 0) return;
    const theta = (a[q] - a[p]) / (2 * entry);
    const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
    const c = 1 / Math.sqrt(t * t + 1);
    const s = t * c;
    a[p] -= t * entry;
    a[q] += t * entry;
    a[pq] = 0;
    const x = a[pr];
    const y = a[qr];
    a[pr] = c * x - s * y;
    a[qr] = s * x + c * y;
    const v = this.vectors;
    for (let e = 0; e < 3; e++) {
      const f = v[3 * p + e];
      const g = v[3 * q + e];
      v[3 * p + e] = c * f - s * g;
      v[3 * q + e] = s * f + c * g;
    }
  }
}
