/** Facets of a mesh file: repaired, in metres, coplanar triangles merged. */
import { BerthError } from '../src/base/errors.ts';
import type { FacetedSurface } from '../src/shapes/facets.ts';
import { meshSurface } from '../src/shapes/merge-facets.ts';
import { scaledMesh } from '../src/shapes/triangle-mesh.ts';
import { checkScale, readMeshBytes } from './cell-file.ts';
import { closedMesh, refuseSelfIntersection } from './closed-mesh.ts';

/** Most facets of a body: near contact a few hundred of them take a period of 1 ms. */
const MOST_FACETS = 20_000;

/** Reads the surface of a file. @throws BerthError for a file that is missing, malformed, open, flat, too fine or going through itself */
export function readFacetFile(
  file: string,
  scale: number | undefined,
  field: string,
): FacetedSurface {
  const bytes = readMeshBytes(file, file, `${field}.file`);
  const closed = closedMesh(bytes, file, `${field}.file`);
  checkScale(closed, { file, scale }, field);
  const surface = meshSurface(scaledMesh(closed, scale ?? 1));
  if (surface.polygons.length <= MOST_FACETS) {
    refuseSelfIntersection(closed, file, `${field}.file`);
    return surface;
  }
  throw new BerthError(
    'BERTH_PARAMETER_RANGE',
    `Expected ${file} to have at most ${MOST_FACETS} facets, got ${surface.polygons.length}; use berth simplify --triangles ${MOST_FACETS}, or a sampled pair with berth field, which takes any number`,
    { field: `${field}.file` },
  );
}
