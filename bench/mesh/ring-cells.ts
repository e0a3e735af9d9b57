/** Convex pieces of the ring, as `berth decompose` makes them, for Berth and for engines that take hulls. */
import { decomposeMesh } from '../../config/decompose-mesh.ts';
import { repairMesh } from '../../src/shapes/mesh-repair.ts';
import { ringMesh, type Size } from './ring-scene.ts';

/** Hollows of 0.5 % of the width may be filled. */
const LIMITS = { depth: 0.005, volume: 0.05, cells: 200 };

/** Corners of each piece. */
export async function ringPieces(
  size: Size,
): Promise<readonly (readonly (readonly [number, number, number])[])[]> {
  const name = `ring of ${size} triangles`;
  const { cells } = await decomposeMesh(repairMesh(ringMesh(size), name), LIMITS, name);
  return cells;
}
