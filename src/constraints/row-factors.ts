/**
 * Cholesky factors of A = J M⁻¹ Jᵀ that leave out rows which those before them hold already. The pivot of a row over its diagonal element
 * is the square of the sine between the row and the others, in the metric of the masses. Rows of bodies that do not answer each other have
 * no element together: a row begins at the first that it answers, and its factors begin there, too.
 */

/** Pivots below this part of their diagonal element are rounding. Their square root, 1e-5, is the least angle between rows. */
const LEAST_PIVOT = 1e-10;

/** Factors of one matrix, row by row. */
export class RowFactors {
  readonly matrix: Float64Array;
  /** 1 for a row that is left out: its multiplier is 0. */
  readonly redundant: Uint8Array;
  /** 1 for a row that does not act at present, and is left out for that. */
  readonly open: Uint8Array;
  readonly #n: number;
  readonly #begins: Int32Array;
  readonly #ends: Int32Array;

  /** Of each row the first column that may differ from 0, and of each column the last row that begins no later. */
  constructor(begins: Int32Array, ends: Int32Array) {
    const n = begins.length;
    this.#n = n;
    this.#begins = begins;
    this.#ends = ends;
    this.matrix = new Float64Array(n * n);
    this.redundant = new Uint8Array(n);
    this.open = new Uint8Array(n);
  }

  /** Replaces the lower triangle of `matrix` by its factors. @alloc none */
  factor(): void {
    const { matrix: a, redundant, open } = this;
    const n = this.#n;
    const begins = this.#begins;
    for (let i = 0; i < n; i++) {
      const diagonal = a[n * i + i];
      const begin = begins[i];
      for (let j = begin; j <= i; j++) {
        let sum = a[n * i + j];
        for (let k = begin > begins[j] ? begin : begins[j]; k < j; k++) {
          sum -= a[n * i + k] * a[n * j + k];
        }
        if (j < i) a[n * i + j] = redundant[j] === 1 ? 0 : sum / a[n * j + j];
        else {
          redundant[i] = open[i] === 0 && sum > LEAST_PIVOT * diagonal ? 0 : 1;
          a[n * i + i] = redundant[i] === 1 ? 1 : Math.sqrt(sum);
        }
      }
    }
  }

  /** x := A⁻¹ x on the rows that are not redundant, 0 on the others. @alloc none */
  solve(x: Float64Array): void {
    const { matrix: a, redundant } = this;
    const n = this.#n;
    const begins = this.#begins;
    const ends = this.#ends;
    for (let i = 0; i < n; i++) {
      let sum = x[i];
      for (let k = begins[i]; k < i; k++) sum -= a[n * i + k] * x[k];
      x[i] = redundant[i] === 1 ? 0 : sum / a[n * i + i];
    }
    for (let i = n - 1; i >= 0; i--) {
      let sum = x[i];
      const end = ends[i];
      for (let k = i + 1; k <= end; k++) if (begins[k] <= i) sum -= a[n * k + i] * x[k];
      x[i] = redundant[i] === 1 ? 0 : sum / a[n * i + i];
    }
  }
}
