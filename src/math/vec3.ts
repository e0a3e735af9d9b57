/** Operations on triples that lie in larger arrays: `a[i..i+2]`. Nothing here allocates. */

/** Scalar product of two triples. */
export function dot3(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
}

/** Euclidean length of a triple. */
export function length3(a: Float64Array, i: number): number {
  return Math.sqrt(a[i] * a[i] + a[i + 1] * a[i + 1] + a[i + 2] * a[i + 2]);
}

/** out := a × b; `out` may be neither a nor b. */
export function cross3(
  out: Float64Array,
  o: number,
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
): void {
  out[o] = a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1];
  out[o + 1] = a[i + 2] * b[j] - a[i] * b[j + 2];
  out[o + 2] = a[i] * b[j + 1] - a[i + 1] * b[j];
}

/**
 * Two unit vectors that complete a unit vector n to a right-handed frame (t1, t2, n), out[0..5].
 * Continuous but for n_z changing sign. Duff et al. 2017, "Building an orthonormal basis, revisited".
 */
export function tangentBasis(out: Float64Array, nx: number, ny: number, nz: number): void {
  const sign = nz >= 0 ? 1 : -1;
  const a = -1 / (sign + nz);
  const b = nx * ny * a;
  out[0] = 1 + sign * nx * nx * a;
  out[1] = sign * b;
  out[2] = -sign * nx;
  out[3] = b;
  out[4] = sign + ny * ny * a;
  out[5] = -ny;
}
