/** A pose that no motion of a period leads to: receivers of STATE and SETPOINT leave it out (docs/protocol.md, receive rules). */
import { cos } from '../../src/math/elementary/circular.ts';

/** A pose this far from the one before is not a motion, m. */
const DISTANCE_m = 0.01;
/** Nor is one that is turned by this much, as far as the distance 0.1 m from the tip, rad. */
const ANGLE_rad = 0.1;
const LEAST_COS2 = cos(ANGLE_rad / 2) * cos(ANGLE_rad / 2);

/**
 * Whether a pose is no motion away from the one before.
 * @param position (3) m
 * @param orientation quaternion (4), within the rounding that frames allow of unit length
 * @param lastPosition (3) m
 * @param lastOrientation quaternion (4), of unit length
 * @alloc none
 */
export function isPoseJump(
  position: Float64Array,
  orientation: Float64Array,
  lastPosition: Float64Array,
  lastOrientation: Float64Array,
): boolean {
  const x = position[0] - lastPosition[0];
  const y = position[1] - lastPosition[1];
  const z = position[2] - lastPosition[2];
  if (x * x + y * y + z * z > DISTANCE_m * DISTANCE_m) return true;
  const p = orientation;
  const q = lastOrientation;
  // turned by θ against one another, p·q = ±|p| cos θ/2
  const dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
  const square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
  return dot * dot < LEAST_COS2 * square;
}
