/**
 * A rigid flat plate pressed on a reduced face along its mean normal, without friction: 0 ≤ f ⊥ C_nn f + g − δ ≥ 0. The force is a
 * piecewise linear function of the depth δ, its slope k = 1ᵀ C_aa⁻¹ 1 over the points that touch. For set-up; allocates.
 */
import { BerthError } from '../base/errors.ts';
import { factorCholesky, solveLower } from '../math/cholesky.ts';
import type { PatchModel } from '../model/patch-spec.ts';
import { normalForces } from './normal-contact.ts';

/** Most steps of Newton, and the part of the force at which they end. */
const ROUNDS = 100;
const EXACT = 1e-10;

/** Stiffness dF/dδ at a force, N/m. @throws BerthError when the points do not settle */
export function pressStiffness({ points, normals, compliance }: PatchModel, force: number): number {
  const n = points.length / 3;
  const along = [0, 1, 2].map((axis) =>
    Array.from({ length: n }, (_, p) => normals[3 * p + axis]).reduce((a, b) => a + b, 0),
  );
  const size = Math.sqrt(along.reduce((sum, x) => sum + x * x, 0));
  const normal = along.map((x) => x / size);
  const c = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      for (let a = 0; a < 3; a++) {
        for (let b = 0; b < 3; b++) {
          c[n * i + j] += normal[a] * compliance[3 * n * (3 * i + a) + 3 * j + b] * normal[b];
        }
      }
    }
  }
  const heights = Array.from({ length: n }, (_, p) =>
    normal.reduce((sum, x, axis) => sum + x * points[3 * p + axis], 0),
  );
  const top = Math.max(...heights);
  let depth = force * c[0];
  for (let round = 0; round < ROUNDS; round++) {
    const gaps = Float64Array.from(heights, (height) => top - height - depth);
    const forces = normalForces(c, gaps);
    if (forces === null) break;
    const active = [...forces.keys()].filter((p) => forces[p] > 0);
    const stiffness = stiffnessOf(c, n, active);
    const missing = force - forces.reduce((sum, f) => sum + f, 0);
    if (Math.abs(missing) <= EXACT * force) return stiffness;
    depth += missing / stiffness;
  }
  const message = `Expected the points of the contact face to settle under ${force} N, got none that do`;
  throw new BerthError('BERTH_MISMATCH', message, { field: 'contact' });
}

/** 1ᵀ C_aa⁻¹ 1. */
function stiffnessOf(c: Float64Array, n: number, active: readonly number[]): number {
  const m = active.length;
  const factor = Float64Array.from({ length: m * m }, (_, e) => {
    return c[n * active[Math.floor(e / m)] + active[e % m]];
  });
  factorCholesky(factor, factor, m, new Float64Array(1));
  const ones = new Float64Array(m).fill(1);
  solveLower(factor, m, ones, 0);
  return ones.reduce((sum, x) => sum + x * x, 0);
}
