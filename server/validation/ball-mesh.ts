/** A ball of triangles of nearly equal size. */
import type { TriangleMesh } from '../../src/shapes/triangle-mesh.ts';

/** An icosphere: every triangle of an icosahedron cut into four, so many times, corners on the sphere. */
export function ballMesh(radius: number, cuts: number): TriangleMesh {
  const g = (1 + Math.sqrt(5)) / 2;
  const points: number[][] = [
    [-1, g, 0],
    [1, g, 0],
    [-1, -g, 0],
    [1, -g, 0],
    [0, -1, g],
    [0, 1, g],
    [0, -1, -g],
    [0, 1, -g],
    [g, 0, -1],
    [g, 0, 1],
    [-g, 0, -1],
    [-g, 0, 1],
  ];
  let faces: number[][] = [
    [0, 11, 5],
    [0, 5, 1],
    [0, 1, 7],
    [0, 7, 10],
    [0, 10, 11],
    [1, 5, 9],
    [5, 11, 4],
    [11, 10, 2],
    [10, 7, 6],
    [7, 1, 8],
    [3, 9, 4],
    [3, 4, 2],
    [3, 2, 6],
    [3, 6, 8],
    [3, 8, 9],
    [4, 9, 5],
    [2, 4, 11],
    [6, 2, 10],
    [8, 6, 7],
    [9, 8, 1],
  ];
  for (let cut = 0; cut < cuts; cut++) {
    const middles = new Map<string, number>();
    const middle = (a: number, b: number): number => {
      const key = [Math.min(a, b), Math.max(a, b)].join();
      const known = middles.get(key);
      if (known !== undefined) return known;
      points.push(points[a].map((x, k) => x + points[b][k]));
      middles.set(key, points.length - 1);
      return points.length - 1;
    };
    for (const p of points) {
      const length = Math.hypot(...p);
      for (let a = 0; a < 3; a++) p[a] /= length;
    }
    faces = faces.flatMap(([a, b, c]) => {
      const [x, y, z] = [middle(a, b), middle(b, c), middle(c, a)];
      return [
        [a, x, z],
        [x, b, y],
        [z, y, c],
        [x, y, z],
      ];
    });
  }
  const vertices = points.flatMap((p) => p.map((x) => (radius * x) / Math.hypot(...p)));
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(faces.flat()) };
}
