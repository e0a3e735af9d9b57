/**
 * Forces of a patch without friction: active set over the gathered points, from that of the last step.
 *
 * f_a = −(A_nn)_aa⁻¹ g_a; points with f < 0 leave, points that overlap come. A_nn is symmetric positive definite, so that the solution is
 * unique. A_nn and its factors stay while the block and the active set do. @alloc none
 */
import type { Columns } from '../../math/columns.ts';
import { factorCholesky, solveLower, solveLowerTransposed } from '../../math/cholesky.ts';
import { OPEN, type PatchProblem, ROUNDS, SLIDE, UNSETTLED } from './patch-problem.ts';

/** Most changes of the set, and the part of the largest depth below which a gap is rounding. */
const CHANGES = 60;
const ROUNDING = 1e-13;

/** Solves for the gathered points. */
export class PatchNormalSolver {
  private readonly problem: PatchProblem;
  /** A_nn and the factors of its active part; gaps and forces; the active set. */
  private readonly matrix: Float64Array;
  private readonly factors: Float64Array;
  private readonly gaps: Float64Array;
  private readonly loads: Float64Array;
  private readonly found: Float64Array;
  private readonly active: Int32Array;
  private readonly inside: Int32Array;
  /** [`stamp` of the problem for A_nn, for the factors], and the active set of the factors. */
  private readonly made: Float64Array;
  private readonly madeActive: Int32Array;
  private readonly madeCount: Int32Array;
  private readonly tolerance: Float64Array;

  constructor(problem: PatchProblem, columns: Columns) {
    const { most } = problem;
    this.problem = problem;
    this.matrix = columns.doubles(most * most);
    this.factors = columns.doubles(most * most);
    this.gaps = columns.doubles(most);
    this.loads = columns.doubles(most);
    this.found = columns.doubles(most);
    this.active = columns.integers(most);
    this.inside = columns.integers(most);
    this.made = columns.doubles(2);
    this.madeActive = columns.integers(most);
    this.madeCount = columns.integers(1);
    this.tolerance = columns.doubles(1);
  }

  /** Fills `force` and `states`. */
  solve(): void {
    const { problem, gaps, loads, inside } = this;
    const { list, force, normals, states, readout } = problem;
    const m = problem.count[0];
    this.takeGaps();
    this.fillMatrix();
    let deepest = 0;
    for (let k = 0; k < m; k++) {
      const depth = -gaps[k];
      if (depth > deepest) deepest = depth;
      inside[k] = loads[k] > 0 || gaps[k] < 0 ? 1 : 0;
    }
    readout[UNSETTLED] = 1;
    for (let round = 0; round < CHANGES; round++) {
      readout[ROUNDS]++;
      this.solveActive();
      if (this.changeSet(ROUNDING * deepest)) continue;
      readout[UNSETTLED] = 0;
      break;
    }
    for (let k = 0; k < m; k++) {
      const p = list[k];
      const load = loads[k] > 0 ? loads[k] : 0;
      for (let a = 0; a < 3; a++) force[3 * p + a] = load * normals[3 * p + a];
      // without friction a touching point slides
      states[p] = load > 0 ? SLIDE : OPEN;
    }
    problem.sumWrench();
  }

  private takeGaps(): void {
    const { problem, gaps, loads } = this;
    const { list, normals, offsets, force } = problem;
    for (let k = 0; k < problem.count[0]; k++) {
      const o = 3 * list[k];
      let gap = 0;
      let load = 0;
      for (let a = 0; a < 3; a++) {
        gap += normals[o + a] * offsets[o + a];
        load += normals[o + a] * force[o + a];
      }
      gaps[k] = gap;
      loads[k] = load;
    }
  }

  private fillMatrix(): void {
    const { problem, matrix, made } = this;
    const { list, block, normals, stamp } = problem;
    const m = problem.count[0];
    if (made[0] === stamp[0]) return;
    made[0] = stamp[0];
    for (let i = 0; i < m; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = 0;
        const n = 3 * list[j];
        for (let a = 0; a < 3; a++) {
          const row = 3 * m * (3 * i + a) + 3 * j;
          sum +=
            normals[3 * list[i] + a] *
            (block[row] * normals[n] +
              block[row + 1] * normals[n + 1] +
              block[row + 2] * normals[n + 2]);
        }
        matrix[m * i + j] = sum;
        matrix[m * j + i] = sum;
      }
    }
  }

  /** Whether there are factors of this A_nn and these points. */
  private isMade(size: number): boolean {
    const { problem, made, active, madeActive, madeCount } = this;
    if (made[1] !== problem.stamp[0] || madeCount[0] !== size) return false;
    for (let i = 0; i < size; i++) if (active[i] !== madeActive[i]) return false;
    return true;
  }

  private solveActive(): void {
    const { matrix, factors, gaps, loads, found, active, inside, tolerance } = this;
    const m = this.problem.count[0];
    let size = 0;
    for (let k = 0; k < m; k++) {
      loads[k] = 0;
      if (inside[k] === 1) active[size++] = k;
    }
    for (let i = 0; i < size; i++) found[i] = -gaps[active[i]];
    if (!this.isMade(size)) {
      for (let i = 0; i < size; i++) {
        this.madeActive[i] = active[i];
        for (let j = 0; j < size; j++) factors[size * i + j] = matrix[m * active[i] + active[j]];
      }
      this.madeCount[0] = size;
      this.made[1] = this.problem.stamp[0];
      factorCholesky(factors, factors, size, tolerance);
    }
    solveLower(factors, size, found, 0);
    solveLowerTransposed(factors, size, found, 0);
    for (let i = 0; i < size; i++) loads[active[i]] = found[i];
  }

  /** Drops points that pull and adds points that overlap. Returns whether there were any. */
  private changeSet(rounding: number): boolean {
    const { matrix, gaps, loads, inside } = this;
    const m = this.problem.count[0];
    let changed = false;
    for (let k = 0; k < m; k++) {
      if (inside[k] === 1) {
        if (loads[k] >= 0) continue;
        inside[k] = 0;
        changed = true;
        continue;
      }
      let gap = gaps[k];
      for (let j = 0; j < m; j++) gap += matrix[m * k + j] * loads[j];
      if (gap >= -rounding) continue;
      inside[k] = 1;
      changed = true;
    }
    return changed;
  }
}
