/** Meshes of tests, and files of them. */
import type { TriangleMesh } from '../../src/shapes/triangle-mesh.ts';

/** A cuboid between two corners, twelve triangles. */
export function cube(low: readonly number[], high: readonly number[]): TriangleMesh {
  const vertices = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((k) => [
    k & 1 ? high[0] : low[0],
    k & 2 ? high[1] : low[1],
    k & 4 ? high[2] : low[2],
  ]);
  const quads = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  return {
    vertices: Float64Array.from(vertices),
    triangles: Uint32Array.from(quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d])),
  };
}

/** A prism over an outline in the plane z = 0, counter-clockwise; the caps are given as triangles of outline corners. */
export function prism(
  outline: readonly (readonly [number, number])[],
  caps: readonly (readonly [number, number, number])[],
  height: number,
): TriangleMesh {
  const n = outline.length;
  const triangles: number[] = [];
  for (const [a, b, c] of caps) triangles.push(c, b, a, a + n, b + n, c + n);
  for (let k = 0; k < n; k++) {
    const next = (k + 1) % n;
    triangles.push(k, next, next + n, k, next + n, k + n);
  }
  return {
    vertices: Float64Array.from([0, height].flatMap((z) => outline.flatMap(([x, y]) => [x, y, z]))),
    triangles: Uint32Array.from(triangles),
  };
}

/** An L: area 3, the inward corner at (1, 1). */
export function angle(height: number): TriangleMesh {
  return prism(
    [
      [0, 0],
      [2, 0],
      [2, 1],
      [1, 1],
      [1, 2],
      [0, 2],
    ],
    [
      [0, 1, 2],
      [0, 2, 3],
      [0, 3, 4],
      [0, 4, 5],
    ],
    height,
  );
}

/** Several meshes as one. */
export function together(...meshes: readonly TriangleMesh[]): TriangleMesh {
  const vertices: number[] = [];
  const triangles: number[] = [];
  for (const mesh of meshes) {
    const from = vertices.length / 3;
    vertices.push(...mesh.vertices);
    triangles.push(...[...mesh.triangles].map((index) => index + from));
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

/** Some triangles turned the other way round. */
export function turned(mesh: TriangleMesh, which: (triangle: number) => boolean): TriangleMesh {
  const triangles = mesh.triangles.slice();
  for (let k = 0; k < triangles.length / 3; k++) {
    if (!which(k)) continue;
    [triangles[3 * k], triangles[3 * k + 1]] = [triangles[3 * k + 1], triangles[3 * k]];
  }
  return { vertices: mesh.vertices, triangles };
}

/** Corners moved by a linear map, row by row, and a shift. */
export function moved(
  mesh: TriangleMesh,
  rows: readonly (readonly number[])[],
  shift: readonly number[],
): TriangleMesh {
  const vertices = mesh.vertices.map((_, i) => {
    const at = i - (i % 3);
    return rows[i % 3].reduce((sum, value, k) => sum + value * mesh.vertices[at + k], shift[i % 3]);
  });
  return { vertices, triangles: mesh.triangles };
}

/** Bytes of a text. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Binary STL. */
export function asStl(mesh: TriangleMesh): Uint8Array {
  const count = mesh.triangles.length / 3;
  const bytes = new Uint8Array(84 + 50 * count);
  const view = new DataView(bytes.buffer);
  view.setUint32(80, count, true);
  mesh.triangles.forEach((index, i) => {
    const at = 84 + 50 * Math.floor(i / 3) + 12 + 12 * (i % 3);
    for (let k = 0; k < 3; k++) view.setFloat32(at + 4 * k, mesh.vertices[3 * index + k], true);
  });
  return bytes;
}

/** Text STL. */
export function asStlText(mesh: TriangleMesh): string {
  const lines = ['solid thing'];
  mesh.triangles.forEach((index, i) => {
    if (i % 3 === 0) lines.push('facet normal 0 0 0', 'outer loop');
    lines.push(`vertex ${[0, 1, 2].map((k) => mesh.vertices[3 * index + k]).join(' ')}`);
    if (i % 3 === 2) lines.push('endloop', 'endfacet');
  });
  return [...lines, 'endsolid thing', ''].join('\n');
}

/** OBJ. */
export function asObj(mesh: TriangleMesh): string {
  const lines: string[] = [];
  for (let i = 0; i < mesh.vertices.length; i += 3) {
    lines.push(`v ${[0, 1, 2].map((k) => mesh.vertices[i + k]).join(' ')}`);
  }
  for (let k = 0; k < mesh.triangles.length; k += 3) {
    lines.push(`f ${[0, 1, 2].map((c) => mesh.triangles[k + c] + 1).join(' ')}`);
  }
  return `${lines.join('\n')}\n`;
}
