/** Wavefront OBJ: vertices and polygons. Texture, normals, groups and materials are skipped; curved surfaces are refused. */
import {
  coordinates,
  MOST_TRIANGLES,
  type MeshLine,
  meshLines,
  refuse,
  shown,
} from './mesh-lines.ts';
import { triangulate } from './triangulate.ts';
import type { TriangleMesh } from './triangle-mesh.ts';
import { weldEqual } from './weld.ts';

/** Statements that do not define the surface. */
const SKIPPED = new Set('vt vn g o s usemtl mtllib usemap maplib l p mg lod'.split(' '));

/** Largest number of corners of a polygon. */
const MOST_CORNERS = 200;

/** The welded mesh of an OBJ file. @throws BerthError naming the line at fault */
export function decodeObj(bytes: Uint8Array, name: string): TriangleMesh {
  const vertices: number[] = [];
  const triangles: number[] = [];
  for (const line of meshLines(bytes, name)) {
    const [word] = line.words;
    if (word === 'v') vertices.push(...coordinates(line, 1, name));
    else if (word === 'f') {
      const corners = polygon(line, vertices.length / 3, name);
      triangles.push(...triangulate(vertices, corners));
    } else if (!SKIPPED.has(word)) {
      const known = 'v, f and what does not change the surface';
      throw refuse(name, `line ${line.number}`, `"${shown(word)}" is not read; allowed: ${known}`);
    }
    if (triangles.length > 3 * MOST_TRIANGLES || vertices.length > 9 * MOST_TRIANGLES) {
      throw refuse(name, `line ${line.number}`, `more than ${MOST_TRIANGLES} triangles`);
    }
  }
  if (triangles.length === 0) throw refuse(name, 'end', 'has no faces');
  return weldEqual(Float64Array.from(vertices), Uint32Array.from(triangles));
}

/** Vertex indices from 0 of a face: "f 1 2 3", "f 1/1/1 2/2/2 3/3/3"; a negative index counts from the last vertex. */
function polygon(line: MeshLine, count: number, name: string): number[] {
  const words = line.words.slice(1);
  if (words.length < 3 || words.length > MOST_CORNERS) {
    throw refuse(
      name,
      `line ${line.number}`,
      `a face of ${words.length} corners; allowed: 3 to ${MOST_CORNERS}`,
    );
  }
  return words.map((word) => {
    const match = /^(-?\d{1,9})(\/-?\d*){0,2}$/.exec(word);
    const given = match === null ? 0 : Number(match[1]);
    const index = given < 0 ? count + given : given - 1;
    if (given !== 0 && index >= 0 && index < count) return index;
    throw refuse(
      name,
      `line ${line.number}`,
      `expected one of the ${count} vertices so far, got "${shown(word)}"`,
    );
  });
}
