/** Facets of a mesh file: repaired, in metres, coplanar triangles merged. */
import { BerthError } from '../src/base/errors.ts';
import type { FacetedSurface } from '../src/shapes/facets.ts';
import { meshSurface } from '../src/shapes/merge-facets.ts';
import { decodeMesh } from '../src/shapes/mesh-decode.ts';
import { repairMesh } from '../src/shapes/mesh-repair.ts';
import { scaledMesh } from '../src/shapes/triangle-mesh.ts';
import { checkScale, readMeshBytes } from './cell-file.ts';

/** Most facets of a body: near contact a few hundred of them take a period of 1 ms. */
const MOST_FACETS = 20_000;

/** Reads the surface of a file. @throws BerthError for a file that is missing, malformed, open, flat or too fine */
export function readFacetFile(
  file: string,
  scale: number | undefined,
  field: string,
): FacetedSurface {
  const bytes = readMeshBytes(file, file, `${field}.file`);
  const closed = repairMesh(decodeMesh(bytes, file), file);
  checkScale(closed, { file, scale }, field);
  const surface = meshSurface(scaledMesh(closed, scale ?? 1));
  if (surface.polygons.length <= MOST_FACETS) return surface;
  throw new BerthError(
    'BERTH_PARAMETER_RANGE',
    `Expected ${file} to have at most ${MOST_FACETS} facets, got ${surface.polygons.length}; use berth simplify, or cells and a volumetric pair`,
    { field: `${field}.file` },
  );
}
