/** Cholesky factors of small symmetric matrices, row by row in flat arrays: A = L Lᵀ. Nothing here allocates. */

/**
 * l := L, lower triangle with zeros above, of the symmetric n × n matrix a (its lower triangle is read); `l` may be `a`.
 * Returns 1, or 0 when a pivot is not above `tolerance` times its diagonal element: the rest of l is then not finite.
 */
export function factorCholesky(
  l: Float64Array,
  a: Float64Array,
  n: number,
  tolerance: Float64Array,
): number {
  let ok = 1;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[n * i + j];
      for (let k = 0; k < j; k++) sum -= l[n * i + k] * l[n * j + k];
      if (i !== j) {
        l[n * i + j] = sum / l[n * j + j];
        continue;
      }
      if (!(sum > tolerance[0] * a[n * i + i])) ok = 0;
      l[n * i + i] = Math.sqrt(sum);
    }
    for (let j = i + 1; j < n; j++) l[n * i + j] = 0;
  }
  return ok;
}

/** x[o..] := L⁻¹ x[o..]. */
export function solveLower(l: Float64Array, n: number, x: Float64Array, o: number): void {
  for (let i = 0; i < n; i++) {
    let sum = x[o + i];
    for (let k = 0; k < i; k++) sum -= l[n * i + k] * x[o + k];
    x[o + i] = sum / l[n * i + i];
  }
}

/** x[o..] := L⁻ᵀ x[o..]. */
export function solveLowerTransposed(l: Float64Array, n: number, x: Float64Array, o: number): void {
  for (let i = n - 1; i >= 0; i--) {
    let sum = x[o + i];
    for (let k = i + 1; k < n; k++) sum -= l[n * k + i] * x[o + k];
    x[o + i] = sum / l[n * i + i];
  }
}
