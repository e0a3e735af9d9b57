/** Vertices that several triangles share, found again in a list that names them one by one. Allocates; for construction. */
import type { TriangleMesh } from './triangle-mesh.ts';

/** Joins vertices with equal coordinates. */
export function weldEqual(vertices: Float64Array, triangles: Uint32Array): TriangleMesh {
  const count = vertices.length / 3;
  const target = new Uint32Array(count);
  const known = new Map<string, number>();
  const kept: number[] = [];
  for (let i = 0; i < count; i++) {
    // adding 0 turns −0 into 0
    const key = `${vertices[3 * i] + 0},${vertices[3 * i + 1] + 0},${vertices[3 * i + 2] + 0}`;
    const found = known.get(key);
    if (found === undefined) {
      target[i] = kept.length / 3;
      known.set(key, target[i]);
      kept.push(vertices[3 * i] + 0, vertices[3 * i + 1] + 0, vertices[3 * i + 2] + 0);
    } else target[i] = found;
  }
  return { vertices: Float64Array.from(kept), triangles: triangles.map((i) => target[i]) };
}

/** Joins vertices closer than `distance`: each goes to the first one that is near. */
export function weldNear(mesh: TriangleMesh, distance: number): TriangleMesh {
  const { vertices } = mesh;
  const count = vertices.length / 3;
  const target = new Uint32Array(count);
  const buckets = new Map<string, number[]>();
  const cell = (value: number): number => Math.floor(value / distance);
  for (let i = 0; i < count; i++) {
    const [x, y, z] = [vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]];
    const found = near(x, y, z);
    target[i] = found ?? i;
    if (found !== undefined) continue;
    const key = `${cell(x)},${cell(y)},${cell(z)}`;
    const bucket = buckets.get(key);
    if (bucket === undefined) buckets.set(key, [i]);
    else bucket.push(i);
  }
  return { vertices, triangles: mesh.triangles.map((i) => target[i]) };

  function near(x: number, y: number, z: number): number | undefined {
    for (let a = -1; a <= 1; a++) {
      for (let b = -1; b <= 1; b++) {
        for (let c = -1; c <= 1; c++) {
          const bucket = buckets.get(`${cell(x) + a},${cell(y) + b},${cell(z) + c}`);
          const hit = bucket?.find((j) => {
            const [u, v, w] = [
              vertices[3 * j] - x,
              vertices[3 * j + 1] - y,
              vertices[3 * j + 2] - z,
            ];
            return u * u + v * v + w * w < distance * distance;
          });
          if (hit !== undefined) return hit;
        }
      }
    }
    return undefined;
  }
}
