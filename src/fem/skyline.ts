/**
 * Symmetric matrices by skyline: of each column of the upper triangle the entries from the first that is not zero down to the
 * diagonal. Factors A = L D Lᵀ keep that profile. `Bathe 1996, 8.2`. Multiplication and solution allocate nothing.
 */

/** A symmetric matrix with a fixed profile. */
export class SkylineMatrix {
  readonly size: number;
  /** Row of the first entry of each column. */
  readonly first: Int32Array;
  /** Where the entry of row 0 of each column would stand in `values`. */
  readonly base: Int32Array;
  readonly values: Float64Array;

  /** A zero matrix. @param first row of the first entry of each column, at most the column itself */
  constructor(first: Int32Array) {
    const size = first.length;
    this.size = size;
    this.first = first;
    this.base = new Int32Array(size);
    let length = 0;
    for (let j = 0; j < size; j++) {
      this.base[j] = length - first[j];
      length += j - first[j] + 1;
    }
    this.values = new Float64Array(length);
  }

  /** Adds to entry (i, j), i ≤ j, inside the profile. */
  add(i: number, j: number, value: number): void {
    this.values[this.base[j] + i] += value;
  }

  /** Entry (i, j). */
  at(i: number, j: number): number {
    const row = Math.min(i, j);
    const column = Math.max(i, j);
    return row < this.first[column] ? 0 : this.values[this.base[column] + row];
  }

  /** y := A x. @alloc none */
  multiply(x: Float64Array, y: Float64Array): void {
    const { size, first, base, values } = this;
    y.fill(0, 0, size);
    for (let j = 0; j < size; j++) {
      const b = base[j];
      const xj = x[j];
      let sum = values[b + j] * xj;
      for (let i = first[j]; i < j; i++) {
        const a = values[b + i];
        sum += a * x[i];
        y[i] += a * xj;
      }
      y[j] += sum;
    }
  }

  /** this := k a + m b, matrices of the same profile. */
  combine(k: number, a: SkylineMatrix, m: number, b: SkylineMatrix): void {
    for (let e = 0; e < this.values.length; e++) {
      this.values[e] = k * a.values[e] + m * b.values[e];
    }
  }
}

/** Factors of a skyline matrix. */
export class SkylineFactors {
  readonly size: number;
  private readonly factors: SkylineMatrix;

  constructor(profile: SkylineMatrix) {
    this.size = profile.size;
    this.factors = new SkylineMatrix(profile.first);
  }

  /**
   * Factors a matrix of the same profile. Returns −1, or the first column whose pivot is not above `tolerance` times its diagonal:
   * the matrix is then not positive definite, and the factors are of no use. @alloc none
   */
  factor(a: SkylineMatrix, tolerance: number): number {
    const { size, factors } = this;
    const { first, base, values } = factors;
    values.set(a.values);
    for (let j = 0; j < size; j++) {
      const bj = base[j];
      for (let i = first[j] + 1; i < j; i++) {
        const bi = base[i];
        let sum = values[bj + i];
        for (let k = Math.max(first[i], first[j]); k < i; k++)
          sum -= values[bi + k] * values[bj + k];
        values[bj + i] = sum;
      }
      let pivot = values[bj + j];
      const limit = tolerance * pivot;
      for (let i = first[j]; i < j; i++) {
        const scaled = values[bj + i] / values[base[i] + i];
        pivot -= scaled * values[bj + i];
        values[bj + i] = scaled;
      }
      if (!(pivot > limit)) return j;
      values[bj + j] = pivot;
    }
    return -1;
  }

  /** x[at..] := A⁻¹ x[at..]. @alloc none */
  solve(x: Float64Array, at = 0): void {
    const { size } = this;
    const { first, base, values } = this.factors;
    for (let j = 0; j < size; j++) {
      const b = base[j];
      let sum = x[at + j];
      for (let i = first[j]; i < j; i++) sum -= values[b + i] * x[at + i];
      x[at + j] = sum;
    }
    for (let j = 0; j < size; j++) x[at + j] /= values[base[j] + j];
    for (let j = size - 1; j >= 0; j--) {
      const b = base[j];
      const xj = x[at + j];
      for (let i = first[j]; i < j; i++) x[at + i] -= values[b + i] * xj;
    }
  }
}
