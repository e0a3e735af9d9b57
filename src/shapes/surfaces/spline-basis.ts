/**
 * The basis functions of a knot vector that are not zero at a parameter, with their first and second derivatives, by the triangular
 * recursion. `Piegl & Tiller 1997, (2.5), (2.9)`; `Cox 1972; de Boor 1972`. Beyond the domain the functions of the last span go on, so
 * that a search may step over an end.
 */

/** Basis of one direction. */
export class SplineBasis {
  readonly degree: number;
  /** Control points. */
  readonly count: number;
  /** Ends of the domain: knots `degree` and `count`. */
  readonly low: number;
  readonly high: number;
  /** Whether the parameter goes round. */
  readonly closed: boolean;
  /** Functions `first[0]` to `first[0] + degree` are not zero: N, N' and N'' of each, `degree + 1` numbers a row. */
  readonly values: Float64Array;
  readonly first: Int32Array = new Int32Array(1);
  private readonly knots: Float64Array;
  /** [parameter of the values] */
  private readonly last: Float64Array = Float64Array.of(Number.NaN);
  /** 1/(knots[i + q] − knots[i]) at q (knots) + i; 0 where the two are one. */
  private readonly inverses: Float64Array;
  private readonly left: Float64Array;
  private readonly right: Float64Array;
  /** Functions of the degree two below and one below, and first derivatives of the latter. */
  private readonly lower: Float64Array;

  constructor(degree: number, knots: readonly number[], closed: boolean) {
    this.degree = degree;
    this.knots = Float64Array.from(knots);
    this.count = knots.length - degree - 1;
    this.low = knots[degree];
    this.high = knots[this.count];
    this.closed = closed;
    this.values = new Float64Array(3 * (degree + 1));
    this.inverses = Float64Array.from({ length: (degree + 1) * knots.length }, (_, at) => {
      const q = Math.floor(at / knots.length);
      const i = at % knots.length;
      const length = (knots[i + q] ?? 0) - knots[i];
      return length > 0 ? 1 / length : 0;
    });
    this.left = new Float64Array(degree + 1);
    this.right = new Float64Array(degree + 1);
    this.lower = new Float64Array(3 * (degree + 1));
  }

  /** Functions at the parameter at[slot]. @alloc none */
  evaluate(at: Float64Array, slot: number): void {
    const { degree, knots, values, left, right, lower } = this;
    let x = at[slot];
    if (x === this.last[0]) return;
    this.last[0] = x;
    if (this.closed) {
      const period = this.high - this.low;
      x -= period * Math.floor((x - this.low) / period);
    }
    // span k with knots[k] <= x < knots[k + 1], the last one that is not empty at the end; often it is that of the last call
    let k = this.first[0] + degree;
    if (!(x >= knots[k] && x < knots[k + 1])) {
      k = degree;
      let above = this.count;
      while (above - k > 1) {
        const middle = (k + above) >> 1;
        if (x >= knots[middle]) k = middle;
        else above = middle;
      }
      while (k > degree && knots[k] === knots[k + 1]) k--;
      while (knots[k] === knots[k + 1]) k++;
    }
    this.first[0] = k - degree;
    const row = degree + 1;
    const { inverses } = this;
    const all = knots.length;
    values[0] = 1;
    for (let q = 1; q <= degree; q++) {
      if (q === degree - 1) for (let r = 0; r < q; r++) lower[r] = values[r];
      if (q === degree) for (let r = 0; r < q; r++) lower[row + r] = values[r];
      left[q] = x - knots[k + 1 - q];
      right[q] = knots[k + q] - x;
      let saved = 0;
      const from = q * all + k + 1 - q;
      for (let r = 0; r < q; r++) {
        const part = values[r] * inverses[from + r];
        values[r] = saved + right[r + 1] * part;
        saved = left[q - r] * part;
      }
      values[q] = saved;
    }
    this.raise(lower, row, degree, values, row, k);
    if (degree === 1) {
      values[2 * row] = 0;
      values[2 * row + 1] = 0;
      return;
    }
    this.raise(lower, 0, degree - 1, lower, 2 * row, k);
    this.raise(lower, 2 * row, degree, values, 2 * row, k);
  }

  /** Derivatives of the functions of degree q from functions, or derivatives, of degree q − 1. `Piegl & Tiller 1997, (2.9)` */
  private raise(
    from: Float64Array,
    f: number,
    q: number,
    to: Float64Array,
    t: number,
    k: number,
  ): void {
    const { inverses } = this;
    const at = q * this.knots.length + k + 1 - q;
    let before = 0;
    for (let r = 0; r <= q; r++) {
      const after = r < q ? from[f + r] * inverses[at + r] : 0;
      to[t + r] = q * (before - after);
      before = after;
    }
  }
}
