/** LU factors with row pivoting in place: src/math/lu.ts, operation by operation. */
import { Doubles, Integers } from './columns';

/** Replaces the n × n matrix by its factors; false when it is singular. */
export function factorize(a: Doubles, n: i32, pivots: Integers): bool {
  for (let c = 0; c < n; c++) {
    let best = c;
    for (let r = c + 1; r < n; r++) {
      if (Math.abs(a[r * n + c]) > Math.abs(a[best * n + c])) best = r;
    }
    pivots[c] = best;
    const pivot = a[best * n + c];
    if (!(Math.abs(pivot) > 0) || !(Math.abs(pivot) < Infinity)) return false;
    if (best != c) {
      for (let j = 0; j < n; j++) {
        const kept = a[c * n + j];
        a[c * n + j] = a[best * n + j];
        a[best * n + j] = kept;
      }
    }
    for (let r = c + 1; r < n; r++) {
      const factor = a[r * n + c] / pivot;
      a[r * n + c] = factor;
      if (factor == 0) continue;
      for (let j = c + 1; j < n; j++) a[r * n + j] = a[r * n + j] - factor * a[c * n + j];
    }
  }
  return true;
}

/** Solves A x = b with the factors of A; b lies in x and is replaced. */
export function solveFactored(a: Doubles, n: i32, pivots: Integers, x: Doubles): void {
  for (let r = 0; r < n; r++) {
    const p = pivots[r];
    const kept = x[p];
    x[p] = x[r];
    x[r] = kept;
  }
  for (let r = 1; r < n; r++) {
    let sum = x[r];
    for (let j = 0; j < r; j++) sum -= a[r * n + j] * x[j];
    x[r] = sum;
  }
  for (let r = n - 1; r >= 0; r--) {
    let sum = x[r];
    for (let j = r + 1; j < n; j++) sum -= a[r * n + j] * x[j];
    x[r] = sum / a[r * n + r];
  }
}
