/**
 * Converts a piece with 32-bit corners, cut by a library, into a convex cell in double precision
 * that respects its side of every cut. Neighbours then share a plane and no volume. Lengths are
 * those of a solid of unit size.
 */
import { convexHull } from './convex-hull.ts';
import type { Plane } from './solid.ts';
import { meshPoints, type TriangleMesh } from './triangle-mesh.ts';

type Point = [number, number, number];

/** Half-space that contains a cell: n·x <= d. */
export type Side = Plane;

/**
 * Distance below which a corner is meant to lie on a plane: width of a cut and a few units in the
 * last place of 32-bit floats.
 */
const ON_PLANE = 2e-6;
/** Largest distance of a corner outside a side: rounding of double precision. */
const OUTSIDE = 1e-14;

/** Corners of the convex cell of a piece; empty when the sides leave no volume. */
export function cellCorners(
  piece: TriangleMesh,
  sides: readonly Side[],
  faces: readonly Plane[],
): Point[] {
  const planes = [...faces, ...sides];
  let corners = meshPoints(piece).map((point) => snapped(point, planes));
  for (const side of sides) corners = kept(corners, side);
  const hull = convexHull(corners);
  if (hull.faces.length === 0) return [];
  return hull.points.map(([x, y, z]) => [x, y, z]);
}

/** Signed distance from a plane, > 0 outside a side. */
export function over({ normal, offset }: Plane, point: readonly number[]): number {
  return normal[0] * point[0] + normal[1] * point[1] + normal[2] * point[2] - offset;
}

/** Projects a point on all planes near it, one after the other. */
function snapped(point: Point, planes: readonly Plane[]): Point {
  const near = planes.filter((plane) => Math.abs(over(plane, point)) < ON_PLANE);
  const moved: Point = [...point];
  for (let round = 0; round < 40; round++) {
    let most = 0;
    for (const plane of near) {
      const away = over(plane, moved);
      most = Math.max(most, Math.abs(away));
      for (let k = 0; k < 3; k++) moved[k] -= away * plane.normal[k];
    }
    if (most < 1e-16) break;
  }
  return moved;
}

/** Clips the hull of the points by a side. */
function kept(points: Point[], side: Side): Point[] {
  const heights = points.map((point) => over(side, point));
  if (heights.every((height) => height <= OUTSIDE)) return points;
  const inside = points.filter((_, k) => heights[k] <= OUTSIDE);
  points.forEach((a, i) => {
    points.forEach((b, j) => {
      if (!(heights[i] > OUTSIDE && heights[j] < -OUTSIDE)) return;
      const t = heights[i] / (heights[i] - heights[j]);
      inside.push([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])]);
    });
  });
  return inside;
}
