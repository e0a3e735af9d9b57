/**
 * Common part of the pairs with a sphere on body i. They measure in the frame of body j, where the other surface stands still,
 * and turn the normal back into the world. Doubles cross these calls in arrays: a call that is not inlined would allocate
 * them.
 */
import type { Triple } from '../../model/contact-spec.ts';
import type { ContactBody } from '../contact-body.ts';
import { rotate3 } from '../../math/vec3.ts';
import { NORMAL, POINT } from '../pair.ts';

/**
 * Closer than this part of the sphere radius to an edge, an axis, an apex or another centre, the direction to it is rounding
 * and a fixed direction takes its place. It changes the normal alone: the gap stays the distance.
 */
export const DEGENERATE = 1e-9;

/** The direction at length one; directions in a model may be off by the rounding of a typed-in value. For set-up. */
export function unitOf(vector: Triple): Float64Array {
  const [x, y, z] = vector;
  const length = Math.sqrt(x * x + y * y + z * z);
  return Float64Array.of(x / length, y / length, z / length);
}

/** Whether a sphere centre lies off the origin of its body, so that a push along the normal turns the body. */
export function isOff(center: Triple): boolean {
  return center.some((value) => value !== 0);
}

/**
 * Sphere centre in the world into POINT, and relative to `origin` (frame of j) and in the frame of body j into `local`, m.
 * @alloc none
 */
export function locateSphere(
  i: ContactBody,
  j: ContactBody,
  center: Float64Array,
  origin: Float64Array,
  local: Float64Array,
  kinematics: Float64Array,
): void {
  const a = i.rotation;
  const b = j.rotation;
  const cx = i.state[0] + a[0] * center[0] + a[1] * center[1] + a[2] * center[2];
  const cy = i.state[1] + a[3] * center[0] + a[4] * center[1] + a[5] * center[2];
  const cz = i.state[2] + a[6] * center[0] + a[7] * center[1] + a[8] * center[2];
  kinematics[POINT] = cx;
  kinematics[POINT + 1] = cy;
  kinematics[POINT + 2] = cz;
  const dx = cx - j.state[0];
  const dy = cy - j.state[1];
  const dz = cz - j.state[2];
  local[0] = b[0] * dx + b[3] * dy + b[6] * dz - origin[0];
  local[1] = b[1] * dx + b[4] * dy + b[7] * dz - origin[1];
  local[2] = b[2] * dx + b[5] * dy + b[8] * dz - origin[2];
}

/**
 * NORMAL from the unit normal in the frame of body j, and POINT from the sphere centre to its deepest point c − R n.
 * `Gonthier 2007, (A.2)`; size[0] is R, m.
 * @alloc none
 */
export function placeContact(
  j: ContactBody,
  normal: Float64Array,
  size: Float64Array,
  kinematics: Float64Array,
): void {
  rotate3(kinematics, NORMAL, j.rotation, normal, 0);
  kinematics[POINT] -= size[0] * kinematics[NORMAL];
  kinematics[POINT + 1] -= size[0] * kinematics[NORMAL + 1];
  kinematics[POINT + 2] -= size[0] * kinematics[NORMAL + 2];
}
