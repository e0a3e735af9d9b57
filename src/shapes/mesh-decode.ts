/** Decodes mesh files from their bytes. The caller reads the file. */
import { BerthError } from '../base/errors.ts';
import { openGltf } from './gltf-buffers.ts';
import { decodeGltf } from './mesh-decode-gltf.ts';
import { decodeObj } from './mesh-decode-obj.ts';
import { decodeStl } from './mesh-decode-stl.ts';
import type { TriangleMesh } from './triangle-mesh.ts';

/** Largest size of a mesh file, bytes: half a million triangles as text. */
export const MOST_MESH_BYTES = 128 * 1024 * 1024;

/**
 * The mesh of an STL, OBJ, GLB or glTF file; the ending of its name selects the format. Vertices with equal
 * coordinates are joined.
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
  if (/[.](glb|gltf)$/i.test(name)) {
    const { root, buffers } = openGltf(bytes, name);
    return decodeGltf(root, buffers, name);
  }
  throw new BerthError(
    'BERTH_UNSUPPORTED',
    `Expected a mesh file that ends in .stl, .obj, .glb or .gltf, got "${name}"`,
    { field: name },
  );
}
