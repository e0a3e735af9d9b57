/** Mesh files from their bytes. Pure: reading the file is up to the caller. */
import { BerthError } from '../base/errors.ts';
import { decodeObj } from './mesh-decode-obj.ts';
import { decodeStl } from './mesh-decode-stl.ts';
import type { TriangleMesh } from './triangle-mesh.ts';

/** Most bytes of a mesh file: half a million triangles as text. */
export const MOST_MESH_BYTES = 128 * 1024 * 1024;

/**
 * The mesh of an STL or OBJ file, told apart by the ending of its name; vertices with equal coordinates are one.
 * @throws BerthError naming the file and the line or byte at fault
 */
export function decodeMesh(bytes: Uint8Array, name: string): TriangleMesh {
  if (bytes.length > MOST_MESH_BYTES) {
    throw new BerthError(
      'BERTH_PARAMETER_RANGE',
      `Expected ${name} to have at most ${MOST_MESH_BYTES} bytes, got ${bytes.length}`,
      { field: name },
    );
  }
  if (/[.]stl$/i.test(name)) return decodeStl(bytes, name);
  if (/[.]obj$/i.test(name)) return decodeObj(bytes, name);
  throw new BerthError(
    'BERTH_UNSUPPORTED',
    `Expected a mesh file that ends in .stl or .obj, got "${name}"`,
    { field: name },
  );
}
