/** Difference of two poses as a displacement and a rotation vector. Nothing here allocates. */
import { atan2 } from '../math/elementary/inverse-circular.ts';

/**
 * out[0..5] := (p_to − p_from, rotation vector of R_to R_fromᵀ), world axes; poses are p(3), q(4).
 * The rotation is the shorter one. At half a turn its axis is that of the quaternions, of either
 * sign.
 */
export function computePoseError(
  out: Float64Array,
  to: Float64Array,
  i: number,
  from: Float64Array,
  j: number,
): void {
  for (let a = 0; a < 3; a++) out[a] = to[i + a] - from[j + a];
  // q = q_to q_from*
  const ax = to[i + 3];
  const ay = to[i + 4];
  const az = to[i + 5];
  const aw = to[i + 6];
  const bx = -from[j + 3];
  const by = -from[j + 4];
  const bz = -from[j + 5];
  const bw = from[j + 6];
  const x = aw * bx + ax * bw + ay * bz - az * by;
  const y = aw * by - ax * bz + ay * bw + az * bx;
  const z = aw * bz + ax * by - ay * bx + az * bw;
  const w = aw * bw - ax * bx - ay * by - az * bz;
  const sine = Math.sqrt(x * x + y * y + z * z);
  // ratio of the angle to the sine of its half; 2 for small angles, exact to 1e-16 below 1e-8
  let k = w < 0 ? -2 : 2;
  if (sine > 1e-8) k = (2 * atan2(sine, w < 0 ? -w : w)) / (w < 0 ? -sine : sine);
  out[3] = k * x;
  out[4] = k * y;
  out[5] = k * z;
}
