/** Placements of shapes as twelve numbers: rotation into the parent frame row by row, then the origin. */
import { multiplyQuaternion, rotationOf } from '../math/quaternion.ts';
import type { Placed } from './cell-model.ts';

type Triple = readonly [number, number, number];

/** Placement of a placed shape. Allocates. */
export function placementOf(placed: Omit<Placed<unknown>, 'shape'>): Float64Array {
  const placement = new Float64Array(12);
  rotationOf(placement, Float64Array.from(placed.orientation), 0);
  placement.set(placed.position, 9);
  return placement;
}

/** Transforms a point of the shape into the parent frame. */
export function toFrame(placement: Float64Array, point: readonly number[]): Triple {
  const [x, y, z] = [0, 1, 2].map(
    (row) =>
      placement[3 * row] * point[0] +
      placement[3 * row + 1] * point[1] +
      placement[3 * row + 2] * point[2] +
      placement[9 + row],
  );
  return [x, y, z];
}

/** Product of the orientations a and b: b within a, as a unit quaternion. */
export function turnedBy(
  a: Placed<unknown>['orientation'],
  b: Placed<unknown>['orientation'],
): [number, number, number, number] {
  const product = new Float64Array(4);
  multiplyQuaternion(product, 0, Float64Array.from(a), 0, Float64Array.from(b), 0);
  return [product[0], product[1], product[2], product[3]];
}

/** Shortest turn that takes +z to a unit vector. */
export function turnZTo([x, y, z]: readonly [number, number, number]): [
  number,
  number,
  number,
  number,
] {
  if (z < -1 + 1e-12) return [1, 0, 0, 0];
  const w = Math.sqrt(0.5 * (1 + z));
  return [-y / (2 * w), x / (2 * w), 0, w];
}
