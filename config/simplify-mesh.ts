/** Makes a closed mesh coarser within a bound of the distance, with meshoptimizer. Only this module uses that package. */
import { MeshoptSimplifier } from 'meshoptimizer';
import { BerthError } from '../src/base/errors.ts';
import { decodeMesh } from '../src/shapes/mesh-decode.ts';
import { encodeStl } from '../src/shapes/mesh-encode-stl.ts';
import { type ClosedMesh, repairMesh } from '../src/shapes/mesh-repair.ts';
import { selfIntersection } from '../src/shapes/self-intersection.ts';
import { SurfaceDistance } from '../src/shapes/surface-distance.ts';
import { meshBox } from '../src/shapes/triangle-mesh.ts';
import { refuseSelfIntersection } from './closed-mesh.ts';

/** What to stop at: a distance in the units of the file, or a number of triangles. */
export type SimplifyLimit = { readonly distance: number } | { readonly triangles: number };

/** A coarser mesh and how far it is from the one that it stands for. */
export interface Simplified {
  /** The file, binary STL. */
  readonly bytes: Uint8Array;
  readonly mesh: ClosedMesh;
  /** No point of either surface is farther from the other, units of the file. */
  readonly bound: number;
}

/** Factor by which the error is made less until the result holds, tries of that, and halvings afterwards. */
const LESS = 0.35;
const TRIES = 8;
const HALVINGS = 3;
/** Fewest triangles of a closed surface. */
const LEAST = 4;

/** Simplifies a mesh. @throws BerthError where the limit cannot be held */
export async function simplifyMesh(
  closed: ClosedMesh,
  limit: SimplifyLimit,
  name: string,
): Promise<Simplified> {
  await MeshoptSimplifier.ready;
  refuseSelfIntersection(closed, name, name);
  const source = new SurfaceDistance(closed);
  const { center, extent } = meshBox(closed);
  // 32-bit floats of the package lose nothing to the distance from the origin
  const unit = Float32Array.from(closed.vertices, (value, k) => (value - center[k % 3]) / extent);
  const most = 'triangles' in limit ? limit.triangles : LEAST;
  let finest = false;
  const collapse = (error: number): Simplified | null => {
    const flags: ['ErrorAbsolute'] = ['ErrorAbsolute'];
    const [kept, made] = MeshoptSimplifier.simplify(
      closed.triangles,
      unit,
      3,
      3 * most,
      error,
      flags,
    );
    finest = made === 0;
    const result = written(closed, source, kept, limit, name);
    return result !== null && (!('distance' in limit) || result.bound <= limit.distance)
      ? result
      : null;
  };
  // quadric errors are no distances: what is asked of the package is sought between one that holds and one that does not
  let high = 'distance' in limit ? limit.distance / extent : 1;
  let best = collapse(high);
  let low = high;
  // what the package takes for exact, in its 32-bit floats, no smaller error leaves out
  for (let attempt = 0; best === null && !finest && attempt < TRIES; attempt++) {
    high = low;
    low *= LESS;
    best = collapse(low);
  }
  for (let step = 0; best !== null && step < HALVINGS && low < high; step++) {
    const middle = Math.sqrt(low * high);
    const found = collapse(middle);
    if (found === null) {
      high = middle;
      continue;
    }
    low = middle;
    if (found.mesh.triangles.length < best.mesh.triangles.length) best = found;
  }
  if (best !== null) return best;
  throw new BerthError(
    'BERTH_PARAMETER_RANGE',
    `Expected ${name} to become coarser and stay closed, but nothing within that limit does; allow a larger distance or more triangles`,
    { field: name },
  );
}

/** The mesh of some of the triangles, as the file has it; null where it is no closed surface of as many pieces, or goes through itself. */
function written(
  closed: ClosedMesh,
  source: SurfaceDistance,
  kept: Uint32Array,
  limit: SimplifyLimit,
  name: string,
): Simplified | null {
  const bytes = encodeStl({ vertices: closed.vertices, triangles: kept });
  try {
    const mesh = repairMesh(decodeMesh(bytes, 'simplified.stl'), name);
    if (mesh.pieceCount !== closed.pieceCount || selfIntersection(mesh) !== null) return null;
    const enough = 'distance' in limit ? limit.distance : 0;
    return { bytes, mesh, bound: source.boundTo(mesh, enough) };
  } catch (error) {
    if (error instanceof BerthError) return null;
    throw error;
  }
}
