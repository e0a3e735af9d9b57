/** Bounds of cells: bounding box of a shape in its own axes and of a placed shape in its parent frame. */
import type { CellShape, Placed } from './cell-model.ts';
import { placementOf, toFrame } from './placement.ts';

/** Axis-aligned box, m. It is infinite where the shape is. */
export interface Bounds {
  readonly low: readonly [number, number, number];
  readonly high: readonly [number, number, number];
}

const EVERYWHERE: Bounds = {
  low: [-Infinity, -Infinity, -Infinity],
  high: [Infinity, Infinity, Infinity],
};

function about(x: number, y: number, z: number): Bounds {
  return { low: [-x, -y, -z], high: [x, y, z] };
}

/**
 * Box around a shape in its own axes. For a boolean shape it is the box that all common parts
 * share; holes are ignored.
 */
export function shapeBounds(shape: CellShape): Bounds {
  switch (shape.kind) {
    case 'sphere':
      return about(shape.radius, shape.radius, shape.radius);
    case 'ellipsoid':
    case 'box':
      return about(shape.size[0] / 2, shape.size[1] / 2, shape.size[2] / 2);
    case 'cylinder':
      return about(shape.radius, shape.radius, shape.length / 2);
    case 'frustum':
      return {
        low: [-shape.radius, -shape.radius, 0],
        high: [shape.radius, shape.radius, shape.length],
      };
    case 'capsule':
      return about(shape.radius, shape.radius, shape.length / 2 + shape.radius);
    case 'beam':
      return about((shape.length + shape.width) / 2, shape.width / 2, shape.thickness / 2);
    case 'mesh': {
      const low = [Infinity, Infinity, Infinity];
      const high = [-Infinity, -Infinity, -Infinity];
      for (const vertex of shape.vertices) {
        for (let k = 0; k < 3; k++) {
          low[k] = Math.min(low[k], vertex[k]);
          high[k] = Math.max(high[k], vertex[k]);
        }
      }
      return { low: [low[0], low[1], low[2]], high: [high[0], high[1], high[2]] };
    }
    case 'half-space':
    case 'bore':
      return EVERYWHERE;
    case 'boolean':
      return shape.common.map(placedBounds).reduce(sharedBounds, EVERYWHERE);
  }
}

/**
 * Box around a placed shape in its parent frame. It encloses the rotated box of the shape and is
 * not the smallest one.
 */
export function placedBounds(placed: Placed<CellShape>): Bounds {
  const own = shapeBounds(placed.shape);
  if (!isBounded(own)) return EVERYWHERE;
  const placement = placementOf(placed);
  const center = own.low.map((low, k) => (low + own.high[k]) / 2);
  const half = own.low.map((low, k) => (own.high[k] - low) / 2);
  const at = toFrame(placement, center);
  const reach = [0, 1, 2].map(
    (row) =>
      Math.abs(placement[3 * row]) * half[0] +
      Math.abs(placement[3 * row + 1]) * half[1] +
      Math.abs(placement[3 * row + 2]) * half[2],
  );
  return {
    low: [at[0] - reach[0], at[1] - reach[1], at[2] - reach[2]],
    high: [at[0] + reach[0], at[1] + reach[1], at[2] + reach[2]],
  };
}

/** Intersection of two boxes; `low` is above `high` where they are apart. */
export function sharedBounds(a: Bounds, b: Bounds): Bounds {
  const [x, y, z] = a.low.map((low, k) => Math.max(low, b.low[k]));
  const [u, v, w] = a.high.map((high, k) => Math.min(high, b.high[k]));
  return { low: [x, y, z], high: [u, v, w] };
}

/** Whether the box is finite in every direction. */
export function isBounded(bounds: Bounds): boolean {
  return [...bounds.low, ...bounds.high].every((value) => Number.isFinite(value));
}

/** Length of the longest edge of the box, m; infinite for half-spaces, bores and shapes made of these alone. */
export function largestExtent(bounds: Bounds): number {
  return Math.max(...bounds.high.map((high, k) => high - bounds.low[k]));
}
