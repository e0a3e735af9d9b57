/** How thick the thinnest part of a body is, and how far it reaches: what a body has to move by before it may pass another unseen. For set-up. */
import { convexHull } from '../../shapes/convex-hull.ts';
import { isBounded, placedBounds, shapeBounds } from '../../shapes/cell-bounds.ts';
import type { CellShape, Placed } from '../../shapes/cell-model.ts';

/** The edge-to-edge width of a polytope is at least this part of the least one across its faces; 1/√2 for a regular tetrahedron. */
const ACROSS_EDGES = 0.5;

/**
 * Least distance of two parallel planes with the shape between them, m, or less: infinite for what has no end, 0 where holes leave walls of
 * unknown thickness.
 */
function leastWidth(shape: CellShape): number {
  switch (shape.kind) {
    case 'half-space':
    case 'bore':
      return Infinity;
    case 'boolean': {
      if (shape.without.length > 0) return 0;
      const { low, high } = shapeBounds(shape);
      return Math.min(
        ...high.map((x, k) => x - low[k]),
        ...shape.common.map((part) => leastWidth(part.shape)),
      );
    }
    case 'mesh':
      return meshWidth(shape.vertices);
    case 'frustum':
      return Math.min(shape.length, shape.radius + shape.topRadius);
    default: {
      const { low, high } = shapeBounds(shape);
      return Math.min(...high.map((x, k) => x - low[k]));
    }
  }
}

function meshWidth(vertices: readonly (readonly [number, number, number])[]): number {
  const { points, faces } = convexHull(vertices);
  let least = Infinity;
  for (const [a, b, c] of faces) {
    const [p, q, r] = [points[a], points[b], points[c]];
    const u = q.map((x, k) => x - p[k]);
    const v = r.map((x, k) => x - p[k]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const heights = points.map((x) => (n[0] * x[0] + n[1] * x[1] + n[2] * x[2]) / length);
    least = Math.min(least, Math.max(...heights) - Math.min(...heights));
  }
  return ACROSS_EDGES * least;
}

/** Width of the thinnest shape, m: infinite for one shape without an end, 0 where several of them leave a wedge. */
export function widthOf(shapes: readonly Placed<CellShape>[]): number {
  const widths = shapes.map(({ shape }) => leastWidth(shape));
  const endless = widths.filter((width) => width === Infinity).length;
  return endless > 1 ? 0 : Math.min(...widths);
}

/** Farthest point of the shapes from the origin of their frame, m; infinite for one without an end. */
export function reachOf(shapes: readonly Placed<CellShape>[]): number {
  let most = 0;
  for (const shape of shapes) {
    const bounds = placedBounds(shape);
    if (!isBounded(bounds)) return Infinity;
    const { low, high } = bounds;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const far = Math.max(Math.abs(low[k]), Math.abs(high[k]));
      square += far * far;
    }
    most = Math.max(most, Math.sqrt(square));
  }
  return most;
}
