/**
 * Contact without friction of points on an elastic body: 0 ≤ f ⊥ C f + g ≥ 0, C symmetric positive definite, g the gaps without forces.
 *
 * Active set: f_a = −C_aa⁻¹ g_a; points with f < 0 leave, points with gaps below −1e-13 of the largest come. Allocates.
 */
import { factorCholesky, solveLower, solveLowerTransposed } from '../math/cholesky.ts';

/** Most changes of the set, and the part of the largest gap that is rounding. */
const ROUNDS = 100;
const ROUNDING = 1e-13;

/** Forces at the points, N; null when the set does not settle. @param compliance row by row, m/N @param gaps m */
export function normalForces(compliance: Float64Array, gaps: Float64Array): Float64Array | null {
  const n = gaps.length;
  const size = gaps.reduce((most, gap) => Math.max(most, Math.abs(gap)), 0);
  let active = Array.from({ length: n }, (_, i) => i).filter((i) => gaps[i] < 0);
  const forces = new Float64Array(n);
  for (let round = 0; round < ROUNDS; round++) {
    const m = active.length;
    const factor = new Float64Array(m * m);
    const found = new Float64Array(m);
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < m; j++) factor[m * i + j] = compliance[n * active[i] + active[j]];
      found[i] = -gaps[active[i]];
    }
    factorCholesky(factor, factor, m, new Float64Array(1));
    solveLower(factor, m, found, 0);
    solveLowerTransposed(factor, m, found, 0);
    forces.fill(0);
    for (let i = 0; i < m; i++) forces[active[i]] = found[i];
    const next: number[] = [];
    for (let i = 0; i < n; i++) {
      let gap = gaps[i];
      for (let j = 0; j < n; j++) gap += compliance[n * i + j] * forces[j];
      if (forces[i] > 0 || (forces[i] === 0 && gap < -ROUNDING * size)) next.push(i);
    }
    if (next.length === m && next.every((point, i) => point === active[i])) return forces;
    active = next;
  }
  return null;
}
