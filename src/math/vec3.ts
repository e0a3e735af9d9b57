/**
 * Operations on triples that lie in larger arrays: `a[i..i+2]`. Rotations are nine numbers, row by row. `out` may be an input. Sums run
 * from left to right as they are written: results are the same to the last bit wherever a function is used. Nothing here allocates,
 * but for the number that `length3` returns where the compiler does not inline it. It ceases to inline in a step of many such calls
 * (16 B a query of two convex shapes), so that contacts spell inner products and lengths out.
 */

/** out := a */
export function copy3(out: Float64Array, o: number, a: Float64Array, i: number): void {
  out[o] = a[i];
  out[o + 1] = a[i + 1];
  out[o + 2] = a[i + 2];
}

/** out := a − b */
export function subtract3(
  out: Float64Array,
  o: number,
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
): void {
  out[o] = a[i] - b[j];
  out[o + 1] = a[i + 1] - b[j + 1];
  out[o + 2] = a[i + 2] - b[j + 2];
}

/** out := a × b */
export function cross3(
  out: Float64Array,
  o: number,
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
): void {
  const x = a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1];
  const y = a[i + 2] * b[j] - a[i] * b[j + 2];
  const z = a[i] * b[j + 1] - a[i + 1] * b[j];
  out[o] = x;
  out[o + 1] = y;
  out[o + 2] = z;
}

/** out := out + a × b; `out` may be neither a nor b. */
export function addCross(
  out: Float64Array,
  o: number,
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
): void {
  out[o] += a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1];
  out[o + 1] += a[i + 2] * b[j] - a[i] * b[j + 2];
  out[o + 2] += a[i] * b[j + 1] - a[i + 1] * b[j];
}

/** out := R a */
export function rotate3(
  out: Float64Array,
  o: number,
  r: Float64Array,
  a: Float64Array,
  i: number,
): void {
  const x = a[i];
  const y = a[i + 1];
  const z = a[i + 2];
  out[o] = r[0] * x + r[1] * y + r[2] * z;
  out[o + 1] = r[3] * x + r[4] * y + r[5] * z;
  out[o + 2] = r[6] * x + r[7] * y + r[8] * z;
}

/** out := out + R a; `out` may not be a. */
export function addRotated3(
  out: Float64Array,
  o: number,
  r: Float64Array,
  a: Float64Array,
  i: number,
): void {
  const x = a[i];
  const y = a[i + 1];
  const z = a[i + 2];
  out[o] = out[o] + r[0] * x + r[1] * y + r[2] * z;
  out[o + 1] = out[o + 1] + r[3] * x + r[4] * y + r[5] * z;
  out[o + 2] = out[o + 2] + r[6] * x + r[7] * y + r[8] * z;
}

/** out := Rᵀ a */
export function unrotate3(
  out: Float64Array,
  o: number,
  r: Float64Array,
  a: Float64Array,
  i: number,
): void {
  const x = a[i];
  const y = a[i + 1];
  const z = a[i + 2];
  out[o] = r[0] * x + r[3] * y + r[6] * z;
  out[o + 1] = r[1] * x + r[4] * y + r[7] * z;
  out[o + 2] = r[2] * x + r[5] * y + r[8] * z;
}

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
