/** Unit quaternions (x, y, z, w) in larger arrays, rotating body vectors into the world. Nothing here allocates. */
import { ANGLE, sinCos } from './elementary/circular.ts';

/** Rotation matrix of q, row by row. */
export function rotationOf(out: Float64Array, q: Float64Array, i: number): void {
  const x = q[i];
  const y = q[i + 1];
  const z = q[i + 2];
  const w = q[i + 3];
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y - z * w);
  out[2] = 2 * (x * z + y * w);
  out[3] = 2 * (x * y + z * w);
  out[4] = 1 - 2 * (x * x + z * z);
  out[5] = 2 * (y * z - x * w);
  out[6] = 2 * (x * z - y * w);
  out[7] = 2 * (y * z + x * w);
  out[8] = 1 - 2 * (x * x + y * y);
}

/** Scales q to unit length. */
export function normalizeQuaternion(q: Float64Array, i: number): void {
  const k =
    1 / Math.sqrt(q[i] * q[i] + q[i + 1] * q[i + 1] + q[i + 2] * q[i + 2] + q[i + 3] * q[i + 3]);
  q[i] *= k;
  q[i + 1] *= k;
  q[i + 2] *= k;
  q[i + 3] *= k;
}

/** out := exp(h w) q, the rotation by the constant world angular velocity w for the time h = timing[0]. `out` may be q. */
export function advanceQuaternion(
  out: Float64Array,
  o: number,
  q: Float64Array,
  i: number,
  w: Float64Array,
  j: number,
  timing: Float64Array,
): void {
  const h = timing[0];
  const wx = w[j];
  const wy = w[j + 1];
  const wz = w[j + 2];
  const half2 = 0.25 * h * h * (wx * wx + wy * wy + wz * wz);
  // sin(a)/a by its series for small half angles a: below 1e-3 the next term is under 1e-16
  let c: number;
  let k: number;
  if (half2 < 1e-6) {
    c = 1 - half2 * (0.5 - half2 / 24);
    k = 0.5 * h * (1 - half2 * (1 / 6 - half2 / 120));
  } else {
    const half = Math.sqrt(half2);
    ANGLE[0] = half;
    const turn = sinCos();
    c = turn[1];
    k = (0.5 * h * turn[0]) / half;
  }
  const ex = k * wx;
  const ey = k * wy;
  const ez = k * wz;
  const x = q[i];
  const y = q[i + 1];
  const z = q[i + 2];
  const s = q[i + 3];
  out[o] = c * x + s * ex + ey * z - ez * y;
  out[o + 1] = c * y + s * ey + ez * x - ex * z;
  out[o + 2] = c * z + s * ez + ex * y - ey * x;
  out[o + 3] = c * s - ex * x - ey * y - ez * z;
  normalizeQuaternion(out, o);
}

/** out := a b, the rotation b followed by a. `out` may be neither. */
export function multiplyQuaternion(
  out: Float64Array,
  o: number,
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
): void {
  const x = a[i];
  const y = a[i + 1];
  const z = a[i + 2];
  const w = a[i + 3];
  out[o] = w * b[j] + x * b[j + 3] + y * b[j + 2] - z * b[j + 1];
  out[o + 1] = w * b[j + 1] - x * b[j + 2] + y * b[j + 3] + z * b[j];
  out[o + 2] = w * b[j + 2] + x * b[j + 1] - y * b[j] + z * b[j + 3];
  out[o + 3] = w * b[j + 3] - x * b[j] - y * b[j + 1] - z * b[j + 2];
}
