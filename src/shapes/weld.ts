/**
 * Joins the repeated vertices of a mesh that lists three vertices per triangle. It allocates and is
 * for construction.
 */
import { PointTable } from './point-table.ts';
import type { TriangleMesh } from './triangle-mesh.ts';

/** Joins vertices with equal coordinates. */
export function weldEqual(vertices: Float64Array, triangles: Uint32Array): TriangleMesh {
  const count = vertices.length / 3;
  const target = new Uint32Array(count);
  const points = vertices.map((value) => value + 0); // replaces −0 by 0
  const table = new PointTable(points);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const first = table.add(i);
    if (first !== i) {
      target[i] = target[first];
      continue;
    }
    target[i] = kept++;
  }
  const left = new Float64Array(3 * kept);
  for (let i = count - 1; i >= 0; i--) {
    for (let k = 0; k < 3; k++) left[3 * target[i] + k] = points[3 * i + k];
  }
  return { vertices: left, triangles: triangles.map((i) => target[i]) };
}

/** Joins vertices closer than `distance`: each is replaced by the first one near it. */
export function weldNear(mesh: TriangleMesh, distance: number): TriangleMesh {
  const { vertices } = mesh;
  const count = vertices.length / 3;
  const target = new Uint32Array(count);
  const alone = lonely(vertices, distance);
  const cells = vertices.map((value) => Math.floor(value / distance) + 0);
  const table = new PointTable(cells);
  /** Next kept vertex in the same grid cell, and the last one of the cell; −1 for none. */
  const next = new Int32Array(count).fill(-1);
  const last = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    if (alone[i] === 1) {
      target[i] = i;
      continue;
    }
    const found = near(i);
    target[i] = found < 0 ? i : found;
    if (found >= 0) continue;
    const first = table.add(i);
    if (first !== i) next[last[first]] = i;
    last[first] = i;
  }
  return { vertices, triangles: mesh.triangles.map((i) => target[i]) };

  function near(i: number): number {
    for (let a = -1; a <= 1; a++) {
      for (let b = -1; b <= 1; b++) {
        for (let c = -1; c <= 1; c++) {
          let j = table.find(cells[3 * i] + a, cells[3 * i + 1] + b, cells[3 * i + 2] + c);
          for (; j >= 0; j = next[j]) {
            const u = vertices[3 * j] - vertices[3 * i];
            const v = vertices[3 * j + 1] - vertices[3 * i + 1];
            const w = vertices[3 * j + 2] - vertices[3 * i + 2];
            if (u * u + v * v + w * w < distance * distance) return j;
          }
        }
      }
    }
    return -1;
  }
}

/**
 * Side of a block in units of the distance, and the margin inside a block beyond which no near
 * vertex lies outside it.
 */
const BLOCK = 64;
const MARGIN = 2;

/**
 * 1 for vertices that certainly have no near neighbour: alone in a block and not at its border. It
 * spares most vertices the search of 27 cells.
 */
function lonely(vertices: Float64Array, distance: number): Uint8Array {
  const side = BLOCK * distance;
  const blocks = vertices.map((value) => Math.floor(value / side) + 0);
  const table = new PointTable(blocks);
  const count = vertices.length / 3;
  const alone = new Uint8Array(count).fill(1);
  for (let i = 0; i < count; i++) {
    const first = table.add(i);
    if (first !== i) alone[first] = alone[i] = 0;
    for (let k = 0; k < 3; k++) {
      const inside = vertices[3 * i + k] - side * blocks[3 * i + k];
      if (!(inside > MARGIN * distance && inside < side - MARGIN * distance)) alone[i] = 0;
    }
  }
  return alone;
}
