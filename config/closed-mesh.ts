/** Closed surfaces out of files: read and repaired, or refused at the field that names the file. */
import { BerthError } from '../src/base/errors.ts';
import { decodeMesh } from '../src/shapes/mesh-decode.ts';
import { type ClosedMesh, repairMesh } from '../src/shapes/mesh-repair.ts';
import { selfIntersection } from '../src/shapes/self-intersection.ts';
import type { TriangleMesh } from '../src/shapes/triangle-mesh.ts';

/** The surface of a file, whose name is shown as `name`. @throws BerthError at `field` for one that is malformed, open or flat */
export function closedMesh(bytes: Uint8Array, name: string, field: string): ClosedMesh {
  try {
    return repairMesh(decodeMesh(bytes, name), name);
  } catch (error) {
    // the modules of meshes have the file alone
    if (!(error instanceof BerthError) || error.field !== name) throw error;
    throw new BerthError(error.code, error.message, { field });
  }
}

/** Refuses a mesh that goes through itself: what is inside would be counted twice. `field` is its position. @throws BerthError */
export function refuseSelfIntersection(mesh: TriangleMesh, name: string, field: string): void {
  const found = selfIntersection(mesh);
  if (found === null) return;
  const place = found.place.map((value) => Number(value.toPrecision(4))).join(', ');
  const pairs = `${found.count} ${found.count === 1 ? 'pair of its triangles cuts' : 'pairs of its triangles cut'} each other`;
  throw new BerthError(
    'BERTH_PARAMETER_RANGE',
    `Expected ${name} not to go through itself, but ${pairs}, the first near (${place}) of the file; unite its solids in the program that drew it, or give each of them a file of its own`,
    { field },
  );
}
