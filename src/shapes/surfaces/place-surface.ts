/** A surface at a further place. */
import type { Quadruple, Triple } from '../../base/tuples.ts';
import { multiplyQuaternion, rotationOf } from '../../math/quaternion.ts';
import { rotate3 } from '../../math/vec3.ts';
import type { SurfaceSpec } from './surface-spec.ts';

/** The surface in the frame in which its own one stands at a position, m, turned by a unit quaternion (x, y, z, w). It allocates. */
export function placedSurface(
  spec: SurfaceSpec,
  position: Triple,
  orientation: Quadruple,
): SurfaceSpec {
  const turn = Float64Array.from(orientation);
  const rotation = new Float64Array(9);
  rotationOf(rotation, turn, 0);
  const at = Float64Array.from(spec.position ?? [0, 0, 0]);
  rotate3(at, 0, rotation, at, 0);
  const q = new Float64Array(4);
  multiplyQuaternion(q, 0, turn, 0, Float64Array.from(spec.orientation ?? [0, 0, 0, 1]), 0);
  return {
    ...spec,
    position: [at[0] + position[0], at[1] + position[1], at[2] + position[2]],
    orientation: [q[0], q[1], q[2], q[3]],
  };
}
