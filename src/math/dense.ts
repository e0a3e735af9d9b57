/** Products of general matrices stored row by row, for design work: everything here allocates its result. */

/** A B, A being n × k and B k × m. */
export function product(
  a: Float64Array,
  b: Float64Array,
  n: number,
  k: number,
  m: number,
): Float64Array {
  const out = new Float64Array(n * m);
  for (let i = 0; i < n; i++) {
    for (let l = 0; l < k; l++) {
      const factor = a[i * k + l];
      if (factor === 0) continue;
      for (let j = 0; j < m; j++) out[i * m + j] += factor * b[l * m + j];
    }
  }
  return out;
}

/** Aᵀ of an n × m matrix. */
export function transposed(a: Float64Array, n: number, m: number): Float64Array {
  const out = new Float64Array(n * m);
  for (let i = 0; i < n; i++) for (let j = 0; j < m; j++) out[j * n + i] = a[i * m + j];
  return out;
}

/** Frobenius norm. */
export function frobenius(a: Float64Array): number {
  let sum = 0;
  for (const x of a) sum += x * x;
  return Math.sqrt(sum);
}

/** a + factor b. */
export function combined(a: Float64Array, b: Float64Array, factor: number): Float64Array {
  return a.map((x, i) => x + factor * b[i]);
}

/** value I, n × n. */
export function diagonal(n: number, value: number): Float64Array {
  return Float64Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? value : 0));
}
