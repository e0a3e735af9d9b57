/** Writes a mesh as a binary STL file: 32-bit floats, normals by the order of the corners. */
import { doubleArea, type TriangleMesh } from './triangle-mesh.ts';

const HEADER = 84;
const RECORD = 50;

/** The bytes of the file. */
export function encodeStl(mesh: TriangleMesh): Uint8Array {
  const count = mesh.triangles.length / 3;
  const bytes = new Uint8Array(HEADER + RECORD * count);
  const view = new DataView(bytes.buffer);
  view.setUint32(HEADER - 4, count, true);
  for (let triangle = 0; triangle < count; triangle++) {
    const at = HEADER + RECORD * triangle;
    const normal = doubleArea(mesh, triangle);
    const length = Math.sqrt(normal.reduce((sum, n) => sum + n * n, 0));
    for (let k = 0; k < 3; k++) {
      view.setFloat32(at + 4 * k, length > 0 ? normal[k] / length : 0, true);
      const corner = 3 * mesh.triangles[3 * triangle + k];
      for (let axis = 0; axis < 3; axis++) {
        view.setFloat32(at + 12 + 12 * k + 4 * axis, mesh.vertices[corner + axis], true);
      }
    }
  }
  return bytes;
}
