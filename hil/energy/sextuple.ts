/** Wrenches and twists as arrays of six: (force, moment) and (linear, angular). Nothing here allocates. */

/** out[at] := inner product: power of a wrench on a twist, W. By array, because a double that is returned may be boxed. */
export function dot6(out: Float64Array, at: number, a: Float64Array, b: Float64Array): void {
  out[at] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

/** out := m w with a matrix of 6×6, row by row: the change of twist that an impulse makes. */
export function multiply6(out: Float64Array, m: Float64Array, w: Float64Array): void {
  for (let r = 0; r < 6; r++) {
    const i = 6 * r;
    out[r] =
      m[i] * w[0] +
      m[i + 1] * w[1] +
      m[i + 2] * w[2] +
      m[i + 3] * w[3] +
      m[i + 4] * w[4] +
      m[i + 5] * w[5];
  }
}

/** out[at] := length of the force of a wrench, N. */
export function forceOf(out: Float64Array, at: number, w: Float64Array): void {
  out[at] = Math.sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
}

/** Whether a wrench is not zero. */
export function isSome(w: Float64Array): boolean {
  for (let a = 0; a < 6; a++) if (w[a] !== 0) return true;
  return false;
}
