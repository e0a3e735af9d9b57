/** Triangle meshes as flat arrays, and sums over them. It allocates and is for construction. */

/** Corners and triangles of a surface, counter-clockwise seen from outside. */
export interface TriangleMesh {
  /** x, y, z of each vertex. */
  readonly vertices: Float64Array;
  /** Three vertex indices of each triangle. */
  readonly triangles: Uint32Array;
}

/** Signed volume of a closed mesh: positive when triangles are counter-clockwise seen from outside. */
export function meshVolume(mesh: TriangleMesh): number {
  const { vertices: v, triangles: t } = mesh;
  // relative to the first vertex, so that a mesh far from the origin loses no digits
  const [ox, oy, oz] = v;
  let six = 0;
  for (let k = 0; k < t.length; k += 3) {
    const [a, b, c] = [3 * t[k], 3 * t[k + 1], 3 * t[k + 2]];
    const [ax, ay, az] = [v[a] - ox, v[a + 1] - oy, v[a + 2] - oz];
    const [bx, by, bz] = [v[b] - ox, v[b + 1] - oy, v[b + 2] - oz];
    const [cx, cy, cz] = [v[c] - ox, v[c + 1] - oy, v[c + 2] - oz];
    six += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  return six / 6;
}

/** Twice the area vector of triangle k (three indices from 3 k): its direction is the outward normal. */
export function doubleArea(mesh: TriangleMesh, k: number): [number, number, number] {
  const { vertices: v, triangles: t } = mesh;
  const [a, b, c] = [3 * t[3 * k], 3 * t[3 * k + 1], 3 * t[3 * k + 2]];
  const [px, py, pz] = [v[b] - v[a], v[b + 1] - v[a + 1], v[b + 2] - v[a + 2]];
  const [qx, qy, qz] = [v[c] - v[a], v[c + 1] - v[a + 1], v[c + 2] - v[a + 2]];
  return [py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx];
}

/** Area of the surface. */
export function meshArea(mesh: TriangleMesh): number {
  let area = 0;
  for (let k = 0; k < mesh.triangles.length / 3; k++) {
    const [x, y, z] = doubleArea(mesh, k);
    area += Math.sqrt(x * x + y * y + z * z) / 2;
  }
  return area;
}

/** Middle and longest edge of the box around all used vertices. */
export function meshBox(mesh: TriangleMesh): {
  readonly center: readonly [number, number, number];
  readonly extent: number;
} {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const index of mesh.triangles) {
    for (let axis = 0; axis < 3; axis++) {
      const value = mesh.vertices[3 * index + axis];
      low[axis] = Math.min(low[axis], value);
      high[axis] = Math.max(high[axis], value);
    }
  }
  return {
    center: [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2],
    extent: Math.max(0, high[0] - low[0], high[1] - low[1], high[2] - low[2]),
  };
}

/** Longest edge of the box around all used vertices. */
export function meshExtent(mesh: TriangleMesh): number {
  return meshBox(mesh).extent;
}

/** The mesh with every length times `scale`. */
export function scaledMesh(mesh: TriangleMesh, scale: number): TriangleMesh {
  return { vertices: mesh.vertices.map((value) => value * scale), triangles: mesh.triangles };
}

/** The mesh at another place: R x + p, R row by row. */
export function movedMesh(
  mesh: TriangleMesh,
  rotation: ArrayLike<number>,
  position: ArrayLike<number>,
): TriangleMesh {
  const { vertices: v, triangles } = mesh;
  const r = rotation;
  const vertices = v.map((_, k) => {
    const a = k % 3;
    const o = k - a;
    return r[3 * a] * v[o] + r[3 * a + 1] * v[o + 1] + r[3 * a + 2] * v[o + 2] + position[a];
  });
  return { vertices, triangles };
}

/** The used vertices as points. */
export function meshPoints(mesh: TriangleMesh): [number, number, number][] {
  return [...new Set(mesh.triangles)]
    .sort((a, b) => a - b)
    .map((index) => [
      mesh.vertices[3 * index],
      mesh.vertices[3 * index + 1],
      mesh.vertices[3 * index + 2],
    ]);
}
