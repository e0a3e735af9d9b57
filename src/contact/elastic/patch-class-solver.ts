/**
 * Forces of a patch by the class of each point: one linear system, then the classes again, from those of the last step.
 *
 * A point that sticks has w = 0 and three unknowns. One that slides has w_n = 0 and f = f_n (n + μ_d d), d against its slip w_t: the unknowns are f_n
 * and the turn of d, a step of Newton. The matrix is not symmetric, hence LU. Then: f_n < 0 opens; w_n < 0 closes and sticks; |f_t| > μ_s f_n slides along f_t; a sliding
 * point sticks when its trial f_t − A_tt⁻¹ w_t is within μ_s f_n. What is reached after `ROUNDS_MOST` rounds is the
 * start of the sweeps, which have the same fixed point. @alloc none
 */
import type { Columns } from '../../math/columns.ts';
import { factorize, solveFactored } from '../../math/lu.ts';
import type { PatchPoints } from './patch-points.ts';
import {
  OPEN,
  type PatchFriction,
  type PatchProblem,
  ROUNDS,
  SLIDE,
  STICK,
} from './patch-problem.ts';

const ROUNDS_MOST = 12;
/** Round from which on a sliding point sticks only when its slip turns round: μ_s ≠ μ_d may go round. */
const FROZEN = 4;
/** Part of the depth that is rounding of a gap; change of a direction below which it stays. */
const ROUNDING = 1e-12;
const TURNED = 3e-10;
/** In place of μ_d = 0, of which no direction follows. */
const LEAST_SLIDING = 1e-9;

/** Solves for the gathered points. */
export class PatchClassSolver {
  private readonly points: PatchPoints;
  private readonly problem: PatchProblem;
  private readonly friction: PatchFriction;
  private readonly matrix: Float64Array;
  private readonly unknowns: Float64Array;
  private readonly pivots: Int32Array;
  /** Of each unknown: its place in the list, the vector that it multiplies, the vector that its row tests. */
  private readonly owner: Int32Array;
  private readonly along: Float64Array;
  private readonly test: Float64Array;
  private readonly extra: Float64Array;
  /** Direction of the friction of each gathered point, two numbers along its tangents. */
  private readonly directions: Float64Array;
  private readonly rigid: Float64Array;
  /** [largest depth without forces] */
  private readonly deepest: Float64Array;

  constructor(points: PatchPoints, friction: PatchFriction, columns: Columns) {
    const { problem } = points;
    const n = 3 * problem.most;
    this.points = points;
    this.problem = problem;
    this.friction = friction;
    this.matrix = columns.doubles(n * n);
    this.unknowns = columns.doubles(n);
    this.pivots = columns.integers(n);
    this.owner = columns.integers(n);
    this.along = columns.doubles(3 * n);
    this.test = columns.doubles(3 * n);
    this.extra = columns.doubles(n + 1);
    this.directions = columns.doubles(2 * problem.most);
    this.rigid = columns.doubles(12);
    this.deepest = columns.doubles(1);
  }

  /** Fills `force` and `states` as far as classes lead. Returns whether they settle. */
  solve(): boolean {
    const { problem } = this;
    this.begin();
    for (let round = 0; round < ROUNDS_MOST; round++) {
      problem.readout[ROUNDS]++;
      if (!this.solveLinear()) return false;
      if (!this.classify(round >= FROZEN)) return true;
    }
    return false;
  }

  /** Classes of the last step; points that come stick. */
  private begin(): void {
    const { problem, points, directions, deepest } = this;
    const { list, states, force, offsets, normals } = problem;
    const { tangents } = points;
    deepest[0] = 0;
    for (let k = 0; k < problem.count[0]; k++) {
      const o = 3 * list[k];
      let depth = 0;
      let p = 0;
      let q = 0;
      for (let a = 0; a < 3; a++) {
        depth -= offsets[o + a] * normals[o + a];
        p += force[o + a] * tangents[6 * k + a];
        q += force[o + a] * tangents[6 * k + 3 + a];
      }
      if (depth > deepest[0]) deepest[0] = depth;
      const size = Math.sqrt(p * p + q * q);
      if (states[list[k]] === OPEN || !(size > 0)) states[list[k]] = STICK;
      directions[2 * k] = size > 0 ? p / size : 0;
      directions[2 * k + 1] = size > 0 ? q / size : 0;
    }
  }

  /** Number of unknowns, with their vectors. */
  private number(): number {
    const { problem, points, friction, owner, along, test, extra, directions } = this;
    const { list, states, normals } = problem;
    const { tangents } = points;
    let n = 0;
    for (let k = 0; k < problem.count[0]; k++) {
      const state = states[list[k]];
      if (state === OPEN) continue;
      const o = 3 * list[k];
      const t = 6 * k;
      extra[n] = 0;
      extra[n + 1] = 0;
      if (state === STICK) {
        for (let side = 0; side < 6; side += 3) {
          owner[n] = k;
          for (let a = 0; a < 3; a++) {
            along[3 * n + a] = tangents[t + side + a];
            test[3 * n + a] = tangents[t + side + a];
          }
          n++;
        }
      } else {
        this.numberDirection(k, n);
        n++;
      }
      extra[n] = 0;
      owner[n] = k;
      for (let a = 0; a < 3; a++) {
        const drag =
          directions[2 * k] * tangents[t + a] + directions[2 * k + 1] * tangents[t + 3 + a];
        along[3 * n + a] = normals[o + a] + (state === SLIDE ? friction.sliding * drag : 0);
        test[3 * n + a] = normals[o + a];
      }
      n++;
    }
    return n;
  }

  /** The turn of d as an unknown: vector e across d, row e, and −d·w/(μ_d f_n) on the diagonal, since e turns with d. */
  private numberDirection(k: number, n: number): void {
    const { problem, points, friction, owner, along, test, extra, directions } = this;
    const { list, normals, force } = problem;
    const { tangents, place } = points;
    const o = 3 * list[k];
    const t = 6 * k;
    const dp = directions[2 * k];
    const dq = directions[2 * k + 1];
    points.fillPlace(k);
    let load = 0;
    let back = 0;
    owner[n] = k;
    for (let a = 0; a < 3; a++) {
      load += force[o + a] * normals[o + a];
      back += place[a] * (dp * tangents[t + a] + dq * tangents[t + 3 + a]);
      along[3 * n + a] = dp * tangents[t + 3 + a] - dq * tangents[t + a];
      test[3 * n + a] = along[3 * n + a];
    }
    extra[n] =
      back < 0 && load > 0 ? -back / (Math.max(friction.sliding, LEAST_SLIDING) * load) : 0;
  }

  /** Forces of the present classes. Returns whether there are any. */
  private solveLinear(): boolean {
    const { problem, matrix, unknowns, pivots, owner, along, test, extra } = this;
    const { list, force, offsets, block } = problem;
    const m = problem.count[0];
    const n = this.number();
    for (let j = 0; j < n; j++) {
      const q = 3 * owner[j];
      const x = along[3 * j];
      const y = along[3 * j + 1];
      const z = along[3 * j + 2];
      if (problem.moves[0] !== 0) this.moveBy(j);
      for (let i = 0; i < n; i++) {
        let sum = 0;
        for (let a = 0; a < 3; a++) {
          const row = 3 * m * (3 * owner[i] + a) + q;
          sum += test[3 * i + a] * (block[row] * x + block[row + 1] * y + block[row + 2] * z);
        }
        matrix[n * i + j] = sum;
      }
      if (problem.moves[0] !== 0) this.addMoved(j, n);
      matrix[n * j + j] += extra[j];
    }
    for (let i = 0; i < n; i++) {
      const o = 3 * list[owner[i]];
      unknowns[i] = 0;
      for (let a = 0; a < 3; a++) unknowns[i] -= test[3 * i + a] * offsets[o + a];
    }
    if (!factorize(matrix, n, pivots)) return false;
    solveFactored(matrix, n, pivots, unknowns, 0);
    for (let k = 0; k < m; k++) force.fill(0, 3 * list[k], 3 * list[k] + 3);
    for (let j = 0; j < n; j++) {
      const o = 3 * list[owner[j]];
      for (let a = 0; a < 3; a++) force[o + a] += unknowns[j] * along[3 * j + a];
    }
    problem.sumWrench();
    return true;
  }

  /** rigid[6..] := W Jᵀ of the vector of an unknown. */
  private moveBy(j: number): void {
    const { problem, owner, along, rigid } = this;
    const { points } = problem.constants;
    const o = 3 * problem.list[owner[j]];
    for (let a = 0; a < 3; a++) {
      const b = (a + 1) % 3;
      const c = (a + 2) % 3;
      rigid[a] = along[3 * j + a];
      rigid[3 + a] = points[o + b] * along[3 * j + c] - points[o + c] * along[3 * j + b];
    }
    for (let i = 0; i < 6; i++) {
      let sum = 0;
      for (let k = 0; k < 6; k++) sum += problem.mobility[6 * i + k] * rigid[k];
      rigid[6 + i] = sum;
    }
  }

  /** Adds J W Jᵀ to column j. */
  private addMoved(j: number, n: number): void {
    const { problem, matrix, owner, test, rigid } = this;
    const { points } = problem.constants;
    for (let i = 0; i < n; i++) {
      const o = 3 * problem.list[owner[i]];
      for (let a = 0; a < 3; a++) {
        const b = (a + 1) % 3;
        const c = (a + 2) % 3;
        matrix[n * i + j] +=
          test[3 * i + a] *
          (rigid[6 + a] + rigid[9 + b] * points[o + c] - rigid[9 + c] * points[o + b]);
      }
    }
  }

  /** New classes and directions. Returns whether anything changed. */
  private classify(frozen: boolean): boolean {
    const { problem, points, deepest } = this;
    const { list, states, normals, force } = problem;
    const { place } = points;
    let changed = false;
    for (let k = 0; k < problem.count[0]; k++) {
      const o = 3 * list[k];
      let load = 0;
      for (let a = 0; a < 3; a++) load += force[o + a] * normals[o + a];
      if (states[list[k]] === OPEN) {
        points.fillPlace(k);
        const gap = place[0] * normals[o] + place[1] * normals[o + 1] + place[2] * normals[o + 2];
        if (gap >= -ROUNDING * deepest[0]) continue;
        states[list[k]] = STICK;
        changed = true;
      } else if (load < 0) {
        states[list[k]] = OPEN;
        changed = true;
      } else if (this.turn(k, frozen)) changed = true;
    }
    return changed;
  }

  /** Class and direction of a point that touches, from its trial. Returns whether they changed. */
  private turn(k: number, frozen: boolean): boolean {
    const { problem, points, friction, directions } = this;
    const { list, states, normals, force } = problem;
    const { tangents, own, place } = points;
    const o = 3 * list[k];
    const t = 6 * k;
    const w = 9 * k;
    points.fillPlace(k);
    let load = 0;
    let p = 0;
    let q = 0;
    let wp = 0;
    let wq = 0;
    let pp = 0;
    let pq = 0;
    let qq = 0;
    for (let a = 0; a < 3; a++) {
      load += force[o + a] * normals[o + a];
      p += force[o + a] * tangents[t + a];
      q += force[o + a] * tangents[t + 3 + a];
      wp += place[a] * tangents[t + a];
      wq += place[a] * tangents[t + 3 + a];
      for (let b = 0; b < 3; b++) {
        const value = own[w + 3 * a + b];
        pp += tangents[t + a] * value * tangents[t + b];
        pq += tangents[t + a] * value * tangents[t + 3 + b];
        qq += tangents[t + 3 + a] * value * tangents[t + 3 + b];
      }
    }
    const det = pp * qq - pq * pq;
    const slid = states[list[k]] === SLIDE;
    const size = Math.sqrt(p * p + q * q);
    if (slid) {
      const sp = (qq * wp - pq * wq) / det;
      const sq = (pp * wq - pq * wp) / det;
      const back = frozen
        ? wp * p + wq * q > 0
        : !(
            (p - sp) * (p - sp) + (q - sq) * (q - sq) >
            friction.static * friction.static * load * load
          );
      if (back) {
        states[list[k]] = STICK;
        return true;
      }
    } else if (!(size > friction.static * load)) {
      return false;
    }
    states[list[k]] = SLIDE;
    const dp = p / size;
    const dq = q / size;
    const turned =
      Math.abs(dp - directions[2 * k]) > TURNED || Math.abs(dq - directions[2 * k + 1]) > TURNED;
    directions[2 * k] = dp;
    directions[2 * k + 1] = dq;
    return !slid || turned;
  }
}
