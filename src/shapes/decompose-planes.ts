/** Candidate planes for cuts of a concave solid: planes through its reflex edges and between its pieces. */
import { CONVEX_TOLERANCE, reflexEdges } from './mesh-convexity.ts';
import type { Plane, Solid } from './solid.ts';
import { doubleArea, type TriangleMesh } from './triangle-mesh.ts';

/** A candidate plane and its extra cost, relative to the cost before the cut. */
export interface Candidate {
  readonly plane: Plane;
  readonly cost: number;
}

/** Largest number of reflex edges examined per cut. */
const MOST_EDGES = 12;
/**
 * Difference of normals and offsets below which two planes are one; 32-bit floats of a solid of
 * unit size give 1e-7.
 */
const SAME = 1e-5;
/** Extra cost of a cut that is not along a face. Among equal cuts the one along a face wins. */
const OFF_FACE = 0.03;

/** Distinct planes of the faces of a mesh. A plane near an axis of the frame is aligned with it exactly. */
export function facePlanes(mesh: TriangleMesh): Plane[] {
  const planes: Plane[] = [];
  for (let k = 0; k < mesh.triangles.length / 3; k++) {
    const [x, y, z] = doubleArea(mesh, k);
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length < 1e-9) continue;
    const normal = onAxis([x / length, y / length, z / length]);
    const at = 3 * mesh.triangles[3 * k];
    const plane = through(normal, [
      mesh.vertices[at],
      mesh.vertices[at + 1],
      mesh.vertices[at + 2],
    ]);
    if (!planes.some((other) => same(plane, other))) planes.push(plane);
  }
  return planes;
}

/**
 * Planes that may cut the solid, in fixed order.
 * @param faces exact planes of the original mesh; they replace candidates that match them
 */
export function candidates(solid: Solid, faces: readonly Plane[]): Candidate[] {
  const result: Candidate[] = [];
  const add = (plane: Plane, cost: number): void => {
    const exact = exactPlane(plane, faces);
    if (!result.some((one) => same(one.plane, exact))) result.push({ plane: exact, cost });
  };
  const edges = reflexEdges(solid.mesh, CONVEX_TOLERANCE)
    .sort((a, b) => weight(b) - weight(a))
    .slice(0, MOST_EDGES);
  for (const { from, normals } of edges) {
    const [a, b] = normals;
    add(through(a, from), 0);
    add(through(b, from), 0);
    const across = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    const length = Math.sqrt(across.reduce((sum, x) => sum + x * x, 0));
    if (length < 1e-3) continue;
    add(through([across[0] / length, across[1] / length, across[2] / length], from), OFF_FACE);
  }
  const { vertices } = solid.mesh;
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = axis; i < vertices.length; i += 3) {
      low = Math.min(low, vertices[i]);
      high = Math.max(high, vertices[i]);
    }
    const normal = [0, 1, 2].map((k) => (k === axis ? 1 : 0)) as [number, number, number];
    result.push({ plane: { normal, offset: (low + high) / 2 }, cost: OFF_FACE });
  }
  return result;
}

function weight({ from, to, height }: ReturnType<typeof reflexEdges>[number]): number {
  const [x, y, z] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  return height * Math.sqrt(x * x + y * y + z * z);
}

/** A plane between pieces that cuts none of them, along a face of one; null without one. */
export function planeBetween(pieces: readonly Solid[], faces: readonly Plane[]): Plane | null {
  for (const piece of pieces) {
    for (const raw of facePlanes(piece.hull.mesh)) {
      const plane = exactPlane(raw, faces);
      let front = 0;
      let behind = 0;
      for (const { mesh } of pieces) {
        const [low, high] = spread(mesh, plane);
        if (low >= -SAME) front++;
        else if (high <= SAME) behind++;
        else break;
      }
      if (front > 0 && behind > 0 && front + behind === pieces.length) return plane;
    }
  }
  return null;
}

/** Least and largest signed distance of the vertices from the plane. */
function spread({ vertices }: TriangleMesh, { normal, offset }: Plane): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < vertices.length; i += 3) {
    const here =
      normal[0] * vertices[i] + normal[1] * vertices[i + 1] + normal[2] * vertices[i + 2] - offset;
    low = Math.min(low, here);
    high = Math.max(high, here);
  }
  return [low, high];
}

function through(normal: readonly [number, number, number], point: readonly number[]): Plane {
  return { normal, offset: normal[0] * point[0] + normal[1] * point[1] + normal[2] * point[2] };
}

/** Whether two planes are the same up to the sign of the normal. */
function same(a: Plane, b: Plane): boolean {
  const cosine = a.normal[0] * b.normal[0] + a.normal[1] * b.normal[1] + a.normal[2] * b.normal[2];
  const sign = cosine < 0 ? -1 : 1;
  return (
    [0, 1, 2].every((k) => Math.abs(a.normal[k] - sign * b.normal[k]) < SAME) &&
    Math.abs(a.offset - sign * b.offset) < SAME
  );
}

function exactPlane(plane: Plane, faces: readonly Plane[]): Plane {
  return faces.find((face) => same(face, plane)) ?? plane;
}

function onAxis(normal: [number, number, number]): [number, number, number] {
  const axis = normal.findIndex((value) => Math.abs(value) > 1 - SAME * SAME);
  if (axis < 0) return normal;
  const [x, y, z] = normal.map((value, k) => (k === axis ? Math.sign(value) : 0));
  return [x, y, z];
}
