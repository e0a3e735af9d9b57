/** Shapes, placements and columns for the tests of rays and voxels. */
import { rotationOf } from '../../../src/math/quaternion.ts';
import type { Random } from '../../../src/math/random.ts';
import { COLUMN, COLUMN_SIZE, type OverlapKernel } from '../../../src/overlap/kernel.ts';
import type { BooleanShape, Placed, PrimitiveShape } from '../../../src/shapes/cell-model.ts';
import { named, type Overlap as World } from './world-columns.ts';

export { spread as randomVector } from './world-columns.ts';

export type Vector = readonly [number, number, number];
export type Quaternion = readonly [number, number, number, number];
export const UPRIGHT: Quaternion = [0, 0, 0, 1];
/** Turns z into y. */
export const LYING: Quaternion = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];

/** Rotation about an axis. */
export function turn(axis: Vector, angle: number): Quaternion {
  const length = Math.sqrt(axis[0] ** 2 + axis[1] ** 2 + axis[2] ** 2);
  const k = Math.sin(angle / 2) / length;
  return [k * axis[0], k * axis[1], k * axis[2], Math.cos(angle / 2)];
}

/** A placement by position and orientation. */
export function placement(position: Vector, orientation: Quaternion = UPRIGHT): Float64Array {
  const out = new Float64Array(12);
  rotationOf(out, Float64Array.from(orientation), 0);
  out.set(position, 9);
  return out;
}

export function placed(
  shape: PrimitiveShape,
  position: Vector = [0, 0, 0],
  orientation: Quaternion = UPRIGHT,
): Placed<PrimitiveShape> {
  return { shape, position, orientation };
}

export function cut(
  common: readonly Placed<PrimitiveShape>[],
  without: readonly Placed<PrimitiveShape>[] = [],
): BooleanShape {
  return { kind: 'boolean', common, without };
}

/** A column by name. */
export interface Overlap extends World {
  readonly error: number;
}

export function overlap(kernel: OverlapKernel, i: Float64Array, j: Float64Array): Overlap {
  const out = new Float64Array(COLUMN_SIZE);
  kernel.compute(i, j, out);
  return { ...named(out), error: out[COLUMN.error] };
}

export const CUBE_CORNERS: readonly Vector[] = [0, 1, 2, 3, 4, 5, 6, 7].map(
  (k): Vector => [(k & 1) - 0.5, ((k >> 1) & 1) - 0.5, (k >> 2) - 0.5],
);

/** One of each primitive, all about as large. */
export const PRIMITIVES: readonly PrimitiveShape[] = [
  { kind: 'sphere', radius: 0.1 },
  { kind: 'ellipsoid', size: [0.2, 0.3, 0.16] },
  { kind: 'box', size: [0.2, 0.26, 0.16] },
  { kind: 'cylinder', radius: 0.1, length: 0.22 },
  { kind: 'frustum', radius: 0.12, topRadius: 0.04, length: 0.2 },
  { kind: 'frustum', radius: 0.12, topRadius: 0, length: 0.2 },
  { kind: 'capsule', radius: 0.07, length: 0.15 },
  { kind: 'beam', length: 0.16, width: 0.12, thickness: 0.1 },
  {
    kind: 'mesh',
    vertices: [
      [0.13, 0, -0.08],
      [-0.1, 0.11, -0.07],
      [-0.08, -0.12, -0.06],
      [0.02, 0.03, 0.14],
      [-0.1, 0.02, 0.1],
    ],
  },
];

/** Box of 1 × 1 × 0.5 with a hole of radius 0.2 along z. */
export const PLATE: BooleanShape = cut(
  [placed({ kind: 'box', size: [1, 1, 0.5] })],
  [placed({ kind: 'cylinder', radius: 0.2, length: 2 })],
);

export function randomQuaternion(random: Random): Quaternion {
  const q = [0, 0, 0, 0].map(() => random.gaussian());
  const length = Math.sqrt(q.reduce((sum, value) => sum + value * value, 0));
  const [x, y, z, w] = q.map((value) => value / length);
  return [x, y, z, w];
}
