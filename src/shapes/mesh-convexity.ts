/** Convexity of a closed mesh. It allocates and is for construction. */
import { convexHull } from './convex-hull.ts';
import { edgeUses } from './mesh-edges.ts';
import {
  doubleArea,
  meshArea,
  meshExtent,
  meshPoints,
  meshVolume,
  type TriangleMesh,
} from './triangle-mesh.ts';

/** Relative distance that counts as rounding of 32-bit floats, which STL files contain. */
export const CONVEX_TOLERANCE = 2e-6;

/** A reflex edge: the surface bends inward at it. */
export interface ReflexEdge {
  /** End points. */
  readonly from: readonly [number, number, number];
  readonly to: readonly [number, number, number];
  /** Unit normals of the two triangles. */
  readonly normals: readonly (readonly [number, number, number])[];
  /** Height of the surface above the plane of the neighbour, > 0. */
  readonly height: number;
}

/** Reflex edges of a closed, outward mesh with a height above `least`, in the order of the triangles. */
export function reflexEdges(mesh: TriangleMesh, least: number): ReflexEdge[] {
  const result: ReflexEdge[] = [];
  const point = (index: number): [number, number, number] => [
    mesh.vertices[3 * index],
    mesh.vertices[3 * index + 1],
    mesh.vertices[3 * index + 2],
  ];
  for (const { from, to, uses } of edgeUses(mesh)) {
    if (uses.length !== 2) continue;
    const a = point(from);
    const sides = uses.map(({ triangle }) => {
      const normal = doubleArea(mesh, triangle);
      const length = Math.sqrt(
        normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2],
      );
      const apex = [0, 1, 2]
        .map((k) => mesh.triangles[3 * triangle + k])
        .find((index) => index !== from && index !== to);
      const p = point(apex ?? from);
      return { normal, length, away: [p[0] - a[0], p[1] - a[1], p[2] - a[2]] };
    });
    // a sliver has no meaningful direction
    const wide = least * meshEdge(a, point(to));
    if (sides.some(({ length }) => length <= wide)) continue;
    const [one, two] = sides;
    const height = Math.min(over(one, two.away), over(two, one.away));
    if (height <= least) continue;
    const normals = sides.map(
      ({ normal: [x, y, z], length }) => [x / length, y / length, z / length] as const,
    );
    result.push({ from: a, to: point(to), normals, height });
  }
  return result;
}

function over(
  side: { readonly normal: readonly number[]; readonly length: number },
  away: readonly number[],
): number {
  const { normal, length } = side;
  return (normal[0] * away[0] + normal[1] * away[1] + normal[2] * away[2]) / length;
}

function meshEdge(a: readonly number[], b: readonly number[]): number {
  const [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  return Math.sqrt(x * x + y * y + z * z);
}

/** Volume of the convex hull of the points; 0 when they lie in one plane. */
export function hullVolume(points: readonly (readonly [number, number, number])[]): number {
  const hull = convexHull(points);
  if (hull.faces.length === 0) return 0;
  return meshVolume({
    vertices: Float64Array.from(hull.points.flat()),
    triangles: Uint32Array.from(hull.faces.flat()),
  });
}

/**
 * Whether a connected, closed, outward mesh has no reflex edge and fills its hull. The first
 * condition gives local convexity. The second excludes a surface that winds around itself twice,
 * and reflex bends too small to find one by one.
 */
export function isConvex(mesh: TriangleMesh): boolean {
  const extent = meshExtent(mesh);
  if (reflexEdges(mesh, CONVEX_TOLERANCE * extent).length > 0) return false;
  const excess = Math.abs(hullVolume(meshPoints(mesh)) - meshVolume(mesh));
  return excess <= CONVEX_TOLERANCE * extent * meshArea(mesh);
}
