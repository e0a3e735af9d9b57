/**
 * STL files, text and binary. Normals in the file are ignored: they follow from the order of the
 * corners, and files often contradict themselves.
 */
import {
  coordinates,
  isCoordinate,
  MOST_TRIANGLES,
  type MeshLine,
  meshLines,
  refuse,
  shown,
} from './mesh-lines.ts';
import type { TriangleMesh } from './triangle-mesh.ts';
import { weldEqual } from './weld.ts';

/** Bytes before the first triangle: free header and number of triangles. */
const HEADER = 84;
/** Bytes of a triangle: normal and three corners as 32-bit floats, two more bytes. */
const RECORD = 50;

/** The welded mesh of an STL file. @throws BerthError naming the line or byte at fault */
export function decodeStl(bytes: Uint8Array, name: string): TriangleMesh {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length >= HEADER ? view.getUint32(80, true) : -1;
  // many binary files start with "solid" as well: the length decides
  if (count >= 0 && bytes.length === HEADER + RECORD * count) return binary(view, count, name);
  if (startsWithSolid(bytes)) return text(bytes, name);
  if (count < 0) {
    throw refuse(
      name,
      `byte ${bytes.length}`,
      `ends before the ${HEADER} bytes of a binary header, and does not start with "solid"`,
    );
  }
  throw refuse(
    name,
    'byte 80',
    `announces ${count} triangles, which take ${HEADER + RECORD * count} bytes, but the file has ${bytes.length}`,
  );
}

function startsWithSolid(bytes: Uint8Array): boolean {
  let from = 0;
  while (from < bytes.length && bytes[from] <= 32) from++;
  return String.fromCharCode(...bytes.slice(from, from + 5)).toLowerCase() === 'solid';
}

function binary(view: DataView, count: number, name: string): TriangleMesh {
  if (count === 0) throw refuse(name, 'byte 80', 'announces no triangles');
  if (count > MOST_TRIANGLES) {
    throw refuse(name, 'byte 80', `announces ${count} triangles; allowed: ${MOST_TRIANGLES}`);
  }
  const vertices = new Float64Array(9 * count);
  for (let triangle = 0; triangle < count; triangle++) {
    for (let k = 0; k < 9; k++) {
      const at = HEADER + RECORD * triangle + 12 + 4 * k;
      const value = view.getFloat32(at, true);
      if (!isCoordinate(value)) {
        throw refuse(name, `byte ${at}`, `triangle ${triangle + 1} has the coordinate ${value}`);
      }
      vertices[9 * triangle + k] = value;
    }
  }
  return weldEqual(
    vertices,
    Uint32Array.from({ length: 3 * count }, (_, i) => i),
  );
}

/** Sequence of first words in a text file; a facet is lines 1 to 6. */
const FACET = ['facet', 'outer', 'vertex', 'vertex', 'vertex', 'endloop', 'endfacet'];

function text(bytes: Uint8Array, name: string): TriangleMesh {
  const corners: number[] = [];
  let step = 0;
  let inside = false;
  let last: MeshLine = { number: 1, words: [] };
  for (const line of meshLines(bytes, name)) {
    last = line;
    const word = line.words[0].toLowerCase();
    if (!inside) {
      if (word !== 'solid') throw expected('"solid"', line);
      inside = true;
    } else if (step === 0 && word === 'endsolid') inside = false;
    else {
      if (word !== FACET[step]) {
        throw expected(step === 0 ? '"facet" or "endsolid"' : `"${FACET[step]}"`, line);
      }
      if (word === 'vertex') corners.push(...coordinates(line, 1, name));
      step = (step + 1) % FACET.length;
      if (corners.length > 9 * MOST_TRIANGLES) {
        throw refuse(name, `line ${line.number}`, `more than ${MOST_TRIANGLES} triangles`);
      }
    }
  }
  if (inside) throw refuse(name, `line ${last.number}`, 'ends before "endsolid"');
  if (corners.length === 0) throw refuse(name, `line ${last.number}`, 'has no triangles');
  return weldEqual(
    Float64Array.from(corners),
    Uint32Array.from({ length: corners.length / 3 }, (_, i) => i),
  );

  function expected(what: string, line: MeshLine): Error {
    return refuse(name, `line ${line.number}`, `expected ${what}, got "${shown(line.words[0])}"`);
  }
}
