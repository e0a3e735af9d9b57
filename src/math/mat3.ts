/**
 * 3 × 3 matrices as nine numbers, row by row. Nothing here allocates unless its comment states it.
 */

/** out := M v. `out` may not be v. */
export function multiply3(
  out: Float64Array,
  o: number,
  m: Float64Array,
  v: Float64Array,
  i: number,
): void {
  const x = v[i];
  const y = v[i + 1];
  const z = v[i + 2];
  out[o] = m[0] * x + m[1] * y + m[2] * z;
  out[o + 1] = m[3] * x + m[4] * y + m[5] * z;
  out[o + 2] = m[6] * x + m[7] * y + m[8] * z;
}

/** out := R S Rᵀ for a symmetric S: a body-frame tensor resolved in the world. `out` may not be S. */
export function rotateTensor(out: Float64Array, r: Float64Array, s: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    const a = r[3 * i];
    const b = r[3 * i + 1];
    const c = r[3 * i + 2];
    const u = a * s[0] + b * s[3] + c * s[6];
    const v = a * s[1] + b * s[4] + c * s[7];
    const w = a * s[2] + b * s[5] + c * s[8];
    for (let j = i; j < 3; j++) {
      const value = u * r[3 * j] + v * r[3 * j + 1] + w * r[3 * j + 2];
      out[3 * i + j] = value;
      out[3 * j + i] = value;
    }
  }
}

/** out := M⁻¹ by cofactors; returns the determinant (out is not finite when that is 0). */
export function invert3(out: Float64Array, m: Float64Array): number {
  const c0 = m[4] * m[8] - m[5] * m[7];
  const c1 = m[5] * m[6] - m[3] * m[8];
  const c2 = m[3] * m[7] - m[4] * m[6];
  const determinant = m[0] * c0 + m[1] * c1 + m[2] * c2;
  const k = 1 / determinant;
  out[0] = c0 * k;
  out[1] = (m[2] * m[7] - m[1] * m[8]) * k;
  out[2] = (m[1] * m[5] - m[2] * m[4]) * k;
  out[3] = c1 * k;
  out[4] = (m[0] * m[8] - m[2] * m[6]) * k;
  out[5] = (m[2] * m[3] - m[0] * m[5]) * k;
  out[6] = c2 * k;
  out[7] = (m[1] * m[6] - m[0] * m[7]) * k;
  out[8] = (m[0] * m[4] - m[1] * m[3]) * k;
  return determinant;
}

/** Eigenvalues of a symmetric matrix in rising order (cyclic Jacobi). Allocates: for set-up only. */
export function symmetricEigenvalues(m: ArrayLike<number>): [number, number, number] {
  const a = Array.from(m);
  for (let sweep = 0; sweep < 50; sweep++) {
    const off = a[1] * a[1] + a[2] * a[2] + a[5] * a[5];
    if (off <= 1e-34 * (a[0] * a[0] + a[4] * a[4] + a[8] * a[8])) break;
    for (let p = 0; p < 2; p++) {
      for (let q = p + 1; q < 3; q++) {
        const apq = a[3 * p + q];
        if (apq === 0) continue;
        const theta = (a[4 * q] - a[4 * p]) / (2 * apq);
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        const s = t * c;
        for (let k = 0; k < 3; k++) {
          const kp = a[3 * k + p];
          const kq = a[3 * k + q];
          a[3 * k + p] = c * kp - s * kq;
          a[3 * k + q] = s * kp + c * kq;
        }
        for (let k = 0; k < 3; k++) {
          const pk = a[3 * p + k];
          const qk = a[3 * q + k];
          a[3 * p + k] = c * pk - s * qk;
          a[3 * q + k] = s * pk + c * qk;
        }
      }
    }
  }
  const values: [number, number, number] = [a[0], a[4], a[8]];
  values.sort((x, y) => x - y);
  return values;
}
