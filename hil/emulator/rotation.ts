/** Small rotations of unit quaternions (x, y, z, w) by world rotation vectors. */
import { ANGLE, sinCos } from '../../src/math/elementary/circular.ts';
import { atan2 } from '../../src/math/elementary/inverse-circular.ts';

/** out at `at` := world rotation vector of the unit quaternion at `a` in `from`, the shorter way. */
export function rotationVector(q: Float64Array, out: Float64Array, at: number): void {
  const sign = q[3] < 0 ? -1 : 1;
  const x = q[0] * sign;
  const y = q[1] * sign;
  const z = q[2] * sign;
  const s = Math.sqrt(x * x + y * y + z * z);
  // angle/s tends to 2 for small angles; atan2 keeps both ends exact
  const scale = s < 1e-12 ? 2 : (2 * atan2(s, q[3] * sign)) / s;
  out[at] = x * scale;
  out[at + 1] = y * scale;
  out[at + 2] = z * scale;
}

/** out := exp(r) ⊗ q, renormalised; `r` a world rotation vector. `out` may be `q`. */
export function rotateBy(
  rx: number,
  ry: number,
  rz: number,
  q: Float64Array,
  out: Float64Array,
): void {
  const angle = Math.sqrt(rx * rx + ry * ry + rz * rz);
  ANGLE[0] = angle / 2;
  const half = sinCos();
  const scale = angle < 1e-9 ? 0.5 : half[0] / angle;
  const ax = rx * scale;
  const ay = ry * scale;
  const az = rz * scale;
  const aw = half[1];
  const bx = q[0];
  const by = q[1];
  const bz = q[2];
  const bw = q[3];
  const x = aw * bx + ax * bw + ay * bz - az * by;
  const y = aw * by - ax * bz + ay * bw + az * bx;
  const z = aw * bz + ax * by - ay * bx + az * bw;
  const w = aw * bw - ax * bx - ay * by - az * bz;
  const n = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  out[0] = x * n;
  out[1] = y * n;
  out[2] = z * n;
  out[3] = w * n;
}

/** Angle in radians between two unit quaternions. */
export function angleBetween(a: Float64Array, b: Float64Array): number {
  const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const x = a[3] * b[0] - a[0] * b[3] - a[1] * b[2] + a[2] * b[1];
  const y = a[3] * b[1] + a[0] * b[2] - a[1] * b[3] - a[2] * b[0];
  const z = a[3] * b[2] - a[0] * b[1] + a[1] * b[0] - a[2] * b[3];
  return 2 * atan2(Math.sqrt(x * x + y * y + z * z), Math.abs(dot));
}
