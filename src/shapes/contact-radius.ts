/**
 * Radius that represents a shape in Hertz stiffness and rolling resistance. It is exact for sphere
 * on sphere and sphere on plane, and a convention otherwise: it does not depend on the point of
 * contact.
 */
import type { ConvexShapeModel, PlacedShape } from './shape-model.ts';

/** Contact radius of a placed shape, m: the given one, else that of the table in docs/theory/convex-pair.md. */
export function contactRadius(placed: PlacedShape): number {
  const { shape } = placed;
  if (placed.contactRadius !== undefined) return placed.contactRadius;
  switch (shape.kind) {
    case 'sphere':
    case 'capsule':
      return shape.radius;
    case 'ellipsoid':
    case 'box':
      return Math.min(...shape.size) / 2;
    case 'cylinder':
      return Math.min(2 * shape.radius, shape.length) / 2;
    case 'frustum':
      return (shape.radius + shape.topRadius) / 2;
    case 'beam':
      return Math.min(shape.length, shape.width, shape.thickness) / 2;
    case 'mesh':
      return leastExtent(shape.vertices) / 2;
  }
}

/**
 * Least extent of points along the axes of their frame, m. Modia3D calls it the shortest edge of a mesh, and means the bounding box:
 * an edge of a triangle would make the contact softer with each refinement.
 */
function leastExtent(points: readonly (readonly [number, number, number])[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (let axis = 0; axis < 3; axis++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (const point of points) {
      low = Math.min(low, point[axis]);
      high = Math.max(high, point[axis]);
    }
    least = Math.min(least, high - low);
  }
  return least;
}

/** Whether a shape counts as flat against a curved one. */
export function isFlat(shape: ConvexShapeModel): boolean {
  return shape.kind === 'box' || shape.kind === 'beam';
}

/** Effective radius of two shapes, m: the radius of the curved one on a flat one, else 1/R = 1/r_i + 1/r_j. */
export function effectiveRadius(i: PlacedShape, j: PlacedShape): number {
  const a = contactRadius(i);
  const b = contactRadius(j);
  const flatI = isFlat(i.shape);
  const flatJ = isFlat(j.shape);
  if (flatI && !flatJ) return b;
  if (flatJ && !flatI) return a;
  return (a * b) / (a + b);
}
