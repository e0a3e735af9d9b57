/**
 * All real roots of a polynomial of degree up to 4 in an interval: between neighbouring zeros of
 * its derivative it is monotone, so each change of sign there brackets one root. Newton steps with
 * a fall-back to bisection find it. Zeros of the derivative come the same way from the next
 * derivative. Where the polynomial touches zero without a change of sign, the zero of the
 * derivative is the root.
 */

/** Degree of the polynomial. */
const DEGREE = 4;
/** Steps of Newton's method or bisection. */
const STEPS = 60;
/** A touch: the value is within this part of the largest coefficient (|x| <= 1). */
const TOUCH = 1e-11;

/** Roots of c0 + c1 x + … + c4 x⁴ in [−1, 1]. */
export class QuarticRoots {
  /** c0 to c4. */
  readonly coefficients: Float64Array = new Float64Array(DEGREE + 1);
  /** Rising; touches among them. */
  readonly roots: Float64Array = new Float64Array(2 * DEGREE);
  /** 1 where the polynomial touches zero. */
  readonly touching: Int8Array = new Int8Array(2 * DEGREE);
  count = 0;
  /** Derivatives: row d holds the coefficients of the d-th. */
  private readonly rows: Float64Array = new Float64Array((DEGREE + 1) * (DEGREE + 1));
  /** Zeros of a derivative, and of the next. */
  private readonly points: Float64Array = new Float64Array(DEGREE + 2);
  private readonly next: Float64Array = new Float64Array(DEGREE + 2);
  private readonly bracket: Float64Array = new Float64Array(4);

  /** Computes the roots. @alloc none */
  solve(): void {
    const { coefficients: c, rows, points, next, bracket } = this;
    const width = DEGREE + 1;
    let scale = 0;
    for (let k = 0; k <= DEGREE; k++) {
      rows[k] = c[k];
      const size = Math.abs(c[k]);
      if (size > scale) scale = size;
    }
    this.count = 0;
    if (!(scale > 0)) return;
    bracket[3] = scale;
    for (let d = 1; d < DEGREE; d++) {
      for (let k = 0; k <= DEGREE - d; k++) {
        rows[d * width + k] = (k + 1) * rows[(d - 1) * width + k + 1];
      }
    }
    let found = 0;
    for (let d = DEGREE - 1; d >= 0; d--) {
      let made = 0;
      for (let k = 0; k <= found; k++) {
        bracket[0] = k === 0 ? -1 : points[k - 1];
        bracket[1] = k === found ? 1 : points[k];
        if (this.narrow(d)) next[made++] = bracket[2];
      }
      if (d === 0) {
        this.merge(found, made);
        return;
      }
      for (let k = 0; k < made; k++) points[k] = next[k];
      found = made;
    }
  }

  /** Merges the simple roots (`next`) and the touches (in `points`). */
  private merge(found: number, made: number): void {
    const { points, next, roots, touching } = this;
    const scale = this.bracket[3];
    let count = 0;
    let k = 0;
    for (let p = 0; p < found; p++) {
      const x = points[p];
      let value = 0;
      for (let n = DEGREE; n >= 0; n--) value = value * x + this.rows[n];
      if (!(Math.abs(value) <= TOUCH * scale)) continue;
      // the touch represents the simple roots into which rounding splits it
      while (k < made && next[k] < x - 1e-5) {
        roots[count] = next[k++];
        touching[count++] = 0;
      }
      while (k < made && next[k] <= x + 1e-5) k++;
      roots[count] = x;
      touching[count++] = 1;
    }
    while (k < made) {
      roots[count] = next[k++];
      touching[count++] = 0;
    }
    this.count = count;
  }

  /** Narrows the bracket of the d-th derivative to a root in bracket[2]; false without a change of sign. */
  private narrow(d: number): boolean {
    const { bracket, rows } = this;
    const o = d * (DEGREE + 1);
    let a = bracket[0];
    let b = bracket[1];
    let fa = 0;
    let fb = 0;
    for (let k = DEGREE - d; k >= 0; k--) {
      fa = fa * a + rows[o + k];
      fb = fb * b + rows[o + k];
    }
    if (!(fa < 0 !== fb < 0)) return false;
    let x = 0.5 * (a + b);
    for (let step = 0; step < STEPS; step++) {
      let f = 0;
      let slope = 0;
      for (let k = DEGREE - d; k >= 0; k--) {
        slope = slope * x + f;
        f = f * x + rows[o + k];
      }
      if (f === 0) break;
      if (f < 0 === fa < 0) a = x;
      else b = x;
      let to = x - f / slope;
      if (!(to > a && to < b)) to = 0.5 * (a + b);
      const moved = Math.abs(to - x);
      x = to;
      if (moved < 1e-15) break;
    }
    bracket[2] = x;
    return true;
  }
}
