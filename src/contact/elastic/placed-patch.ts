/** A reduced face in another frame: points, normals, compliance and modes turn with it. For set-up. */
import type { Quadruple, Triple } from '../../base/tuples.ts';
import { rotationOf } from '../../math/quaternion.ts';
import type { PatchModel } from '../../model/patch-spec.ts';

/** The face with the origin of its frame at `position`, m, and its vectors turned by `orientation`. */
export function placedPatch(
  patch: PatchModel,
  position: Triple,
  orientation: Quadruple,
): PatchModel {
  const r = new Float64Array(9);
  rotationOf(r, Float64Array.from(orientation), 0);
  const turned = (vectors: readonly number[]): number[] =>
    vectors.map((_, k) => {
      const [o, a] = [k - (k % 3), 3 * (k % 3)];
      return r[a] * vectors[o] + r[a + 1] * vectors[o + 1] + r[a + 2] * vectors[o + 2];
    });
  const n = patch.points.length;
  // rows by their columns, then columns by their rows: R C Rᵀ
  const half = turned([...patch.compliance]);
  const across = Array.from({ length: n }, (_, i) =>
    turned(Array.from({ length: n }, (_row, j) => half[n * j + i])),
  );
  const placed = (points: readonly number[]): number[] =>
    turned(points).map((x, k) => x + position[k % 3]);
  const { surface } = patch;
  return {
    ...(surface === undefined
      ? {}
      : { surface: { ...surface, vertices: placed(surface.vertices) } }),
    points: placed(patch.points),
    normals: turned(patch.normals),
    areas: patch.areas,
    compliance: Array.from({ length: n * n }, (_, e) => {
      const [i, j] = [Math.floor(e / n), e % n];
      // symmetric to the last bit
      return 0.5 * (across[i][j] + across[j][i]);
    }),
    modes: patch.modes.map((mode) => ({
      ...mode,
      shape: turned(mode.shape),
      participation: mode.participation,
    })),
  };
}
