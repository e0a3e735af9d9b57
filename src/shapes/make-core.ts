/**
 * Makes core and margin of a shape. Box, cylinder, frustum and beam shrink by the smoothing radius
 * on all sides and are swept by it: faces stay in place, edges and vertices become round.
 */
import type { ConvexCore } from './convex-core.ts';
import { convexHull } from './convex-hull.ts';
import { DiscHull } from './disc-hull.ts';
import { EllipsoidCore } from './ellipsoid-core.ts';
import type { ConvexShapeModel, PlacedShape } from './shape-model.ts';

/** Smoothing radius when none is given, m. */
const DEFAULT_SMOOTHING = 1e-3;
/** Largest smoothing radius as a part of the smallest dimension. */
const LARGEST_PART = 0.1;

/** The dimension that limits the smoothing radius, m; 0 for a shape that is not smoothed. */
function smoothedDimension(shape: ConvexShapeModel): number {
  switch (shape.kind) {
    case 'box':
      return Math.min(...shape.size);
    case 'cylinder':
    case 'frustum':
      return Math.min(2 * shape.radius, shape.length);
    case 'beam':
      return Math.min(shape.length, shape.width, shape.thickness);
    default:
      return 0;
  }
}

/** Smoothing radius of a placed shape, m. */
export function smoothingRadius(placed: PlacedShape): number {
  return Math.min(
    placed.smoothing ?? DEFAULT_SMOOTHING,
    LARGEST_PART * smoothedDimension(placed.shape),
  );
}

function signs(half: readonly [number, number, number]): [number, number, number][] {
  const points: [number, number, number][] = [];
  for (const x of half[0] > 0 ? [-1, 1] : [0]) {
    for (const y of half[1] > 0 ? [-1, 1] : [0]) {
      for (const z of half[2] > 0 ? [-1, 1] : [0]) {
        points.push([x * half[0], y * half[1], z * half[2]]);
      }
    }
  }
  return points;
}

/** Radius of a frustum at height z after its side has moved inwards by r, m. */
function sideRadius(
  radius: number,
  topRadius: number,
  length: number,
  r: number,
  z: number,
): number {
  const slope = (topRadius - radius) / length;
  return radius + slope * z - r * Math.sqrt(1 + slope * slope);
}

function frustumCore(radius: number, topRadius: number, length: number, r: number): ConvexCore {
  const bottom = sideRadius(radius, topRadius, length, r, r);
  let height = length - r;
  let top = sideRadius(radius, topRadius, length, r, height);
  if (top <= 0) {
    // the shrunk side meets the axis below the shrunk top: a cone
    height = r + (bottom * length) / (radius - topRadius);
    top = 0;
  }
  return new DiscHull(
    [
      [0, 0, r],
      [0, 0, height],
    ],
    [bottom, top],
    r,
    true,
  );
}

/** Makes core and margin of a shape. It allocates and is for construction. */
export function makeCore(placed: PlacedShape): ConvexCore {
  const { shape } = placed;
  const r = smoothingRadius(placed);
  switch (shape.kind) {
    case 'sphere':
      return new DiscHull([[0, 0, 0]], [0], shape.radius, false);
    case 'ellipsoid':
      return new EllipsoidCore(shape.size);
    case 'box': {
      const [x, y, z] = shape.size;
      const points = signs([x / 2 - r, y / 2 - r, z / 2 - r]);
      return new DiscHull(
        points,
        points.map(() => 0),
        r,
        true,
      );
    }
    case 'cylinder': {
      const points = signs([0, 0, shape.length / 2 - r]);
      return new DiscHull(
        points,
        points.map(() => shape.radius - r),
        r,
        true,
      );
    }
    case 'frustum':
      return frustumCore(shape.radius, shape.topRadius, shape.length, r);
    case 'capsule': {
      const points = signs([0, 0, shape.length / 2]);
      return new DiscHull(
        points,
        points.map(() => 0),
        shape.radius,
        false,
      );
    }
    case 'beam': {
      const points = signs([shape.length / 2, 0, shape.thickness / 2 - r]);
      return new DiscHull(
        points,
        points.map(() => shape.width / 2 - r),
        r,
        true,
      );
    }
    case 'mesh': {
      const { points } = convexHull(shape.vertices);
      return new DiscHull(
        points,
        points.map(() => 0),
        0,
        true,
      );
    }
  }
}
