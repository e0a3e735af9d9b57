/** Operations on triples that lie in larger arrays: `a[i..i+2]`. Nothing here allocates. */

/** Euclidean length of a triple. */
export function length3(a: Float64Array, i: number): number {
  return Math.sqrt(a[i] * a[i] + a[i + 1] * a[i + 1] + a[i + 2] * a[i + 2]);
}

/**
 * Two unit vectors that complete the unit vector n = a[i..i+2] to a right-handed frame (t1, t2, n), out[0..5].
 * Continuous but for n_z changing sign. Duff et al. 2017, "Building an orthonormal basis, revisited".
 */
export function tangentBasis(out: Float64Array, a: Float64Array, i: number): void {
  const nx = a[i];
  const ny = a[i + 1];
  const nz = a[i + 2];
  const sign = nz >= 0 ? 1 : -1;
  const c = -1 / (sign + nz);
  const b = nx * ny * c;
  out[0] = 1 + sign * nx * nx * c;
  out[1] = sign * b;
  out[2] = -sign * nx;
  out[3] = b;
  out[4] = sign + ny * ny * c;
  out[5] = -ny;
}
