/**
 * Forces of a patch by the class of each point: one linear system, then the classes again, from those of the last step.
 *
 * A point that sticks has w = 0 and three unknowns. One that slides has w_n = 0 and f = f_n (n + μ_d d), d against its slip w_t: the unknowns are f_n
 * and the turn of d, a step of Newton. The matrix is not symmetric, hence LU. Then: f_n < 0 opens; w_n < 0 closes and sticks; |f_t| > μ_s f_n slides
 * along f_t; a sliding point sticks when its trial f_t − A_tt⁻¹ w_t is within μ_d f_n: sliding, its friction would hold it. Between the two it stays
 * what it was.
 *
 * Factors stay while A and the classes do. Directions that turned since are a small change of the matrix: corrections by the old factors end
 * when they are rounding, or new factors are made. What is reached after `ROUNDS_MOST` rounds is the start of the sweeps. @alloc none
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
/** Round from which on a sliding point sticks only when its slip turns round. */
const FROZEN = 4;
/** Part of the depth that is rounding of a gap; change of a direction below which it stays. */
const ROUNDING = 1e-12;
const TURNED = 3e-10;
/** In place of μ_d = 0, of which no direction follows. */
const LEAST_SLIDING = 1e-9;
/**
 * Most corrections by old factors, the part of the largest unknown below which one is rounding, and above which the first is too large for
 * them to end in time.
 */
const CORRECTIONS = 3;
const CORRECTED = 1e-12;
const FAR = 1e-5;
/** Kinds of unknowns: forces along t1, t2 and n of a point that sticks; turn and normal force of one that slides. */
const TURN = 3;
const DRAG = 4;

/** Solves for the gathered points. */
export class PatchClassSolver {
  private readonly points: PatchPoints;
  private readonly problem: PatchProblem;
  private readonly friction: PatchFriction;
  private readonly matrix: Float64Array;
  private readonly unknowns: Float64Array;
  private readonly right: Float64Array;
  private readonly residual: Float64Array;
  private readonly pivots: Int32Array;
  /** Of each unknown: its place in the list, its kind, and what it adds to its own row. */
  private readonly owner: Int32Array;
  private readonly kind: Int32Array;
  private readonly extra: Float64Array;
  /** Direction of the friction of each gathered point, two numbers along its tangents. */
  private readonly directions: Float64Array;
  /** A of the vector of an unknown. */
  private readonly column: Float64Array;
  /** Of the factors: [stamp of A, number of unknowns], owners and kinds. */
  private readonly made: Float64Array;
  private readonly madeOwner: Int32Array;
  private readonly madeKind: Int32Array;
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
    this.right = columns.doubles(n);
    this.residual = columns.doubles(n);
    this.pivots = columns.integers(n);
    this.owner = columns.integers(n);
    this.kind = columns.integers(n);
    this.extra = columns.doubles(n);
    this.directions = columns.doubles(2 * problem.most);
    this.column = columns.doubles(n);
    this.made = columns.doubles(2);
    this.madeOwner = columns.integers(n);
    this.madeKind = columns.integers(n);
    this.deepest = columns.doubles(1);
  }

  /** Fills forces and states as far as classes lead; points are prepared. Returns whether they settle. */
  solve(): boolean {
    const { problem } = this;
    this.begin();
    for (let round = 0; round < ROUNDS_MOST; round++) {
      problem.readout[ROUNDS]++;
      if (!this.solveLinear()) return false;
      this.fillPlaces();
      if (!this.classify(round >= FROZEN)) return true;
    }
    return false;
  }

  /** Classes of the last step; points that come stick. */
  private begin(): void {
    const { problem, points, directions, deepest } = this;
    const { list, states } = problem;
    const { forces, offsets } = points;
    deepest[0] = 0;
    for (let k = 0; k < problem.count[0]; k++) {
      const depth = -offsets[3 * k + 2];
      if (depth > deepest[0]) deepest[0] = depth;
      const p = forces[3 * k];
      const q = forces[3 * k + 1];
      const size = Math.sqrt(p * p + q * q);
      if (states[list[k]] === OPEN || !(size > 0)) states[list[k]] = STICK;
      directions[2 * k] = size > 0 ? p / size : 0;
      directions[2 * k + 1] = size > 0 ? q / size : 0;
    }
    this.fillPlaces();
  }

  /** w of the gathered points: zero where all stick. The turn of one that begins to slide reads it in the next round. */
  private fillPlaces(): void {
    const { points } = this;
    if (this.allStick()) points.holdPlaces();
    else points.fillPlaces();
  }

  /** Whether every gathered point sticks. */
  private allStick(): boolean {
    const { list, states, count } = this.problem;
    for (let k = 0; k < count[0]; k++) if (states[list[k]] !== STICK) return false;
    return true;
  }

  /** Number of unknowns, with what they are. */
  private number(): number {
    const { problem, owner, kind, extra } = this;
    const { list, states } = problem;
    let n = 0;
    for (let k = 0; k < problem.count[0]; k++) {
      const state = states[list[k]];
      if (state === OPEN) continue;
      if (state === STICK) {
        for (let a = 0; a < 3; a++) {
          owner[n] = k;
          kind[n] = a;
          extra[n++] = 0;
        }
        continue;
      }
      owner[n] = k;
      kind[n] = TURN;
      this.fillExtra(k, n++);
      owner[n] = k;
      kind[n] = DRAG;
      extra[n++] = 0;
    }
    return n;
  }

  /** The turn of d as an unknown: −d·w/(μ_d f_n) on the diagonal, since the row e turns with d. */
  private fillExtra(k: number, n: number): void {
    const { points, friction, directions, extra } = this;
    const { forces, places } = points;
    const load = forces[3 * k + 2];
    const back = places[3 * k] * directions[2 * k] + places[3 * k + 1] * directions[2 * k + 1];
    extra[n] =
      back < 0 && load > 0 ? -back / (Math.max(friction.sliding, LEAST_SLIDING) * load) : 0;
  }

  /** Forces of the present classes. Returns whether there are any. */
  private solveLinear(): boolean {
    const { points, problem, matrix, unknowns, right, pivots, made, owner, kind } = this;
    const n = this.number();
    this.test(points.offsets, right, n);
    for (let i = 0; i < n; i++) {
      right[i] = -right[i];
      unknowns[i] = right[i];
    }
    if (!this.isMade(n) || !this.correct(n)) {
      this.fillMatrix(n);
      made[0] = 0;
      if (!factorize(matrix, n, pivots)) return false;
      made[0] = problem.stamp[0];
      made[1] = n;
      for (let i = 0; i < n; i++) {
        this.madeOwner[i] = owner[i];
        this.madeKind[i] = kind[i];
        unknowns[i] = right[i];
      }
      solveFactored(matrix, n, pivots, unknowns, 0);
    }
    this.spread(n);
    return true;
  }

  /** Whether there are factors of this A and these classes. */
  private isMade(n: number): boolean {
    const { problem, made, owner, kind, madeOwner, madeKind } = this;
    if (made[0] !== problem.stamp[0] || made[1] !== n) return false;
    for (let i = 0; i < n; i++) {
      if (owner[i] !== madeOwner[i] || kind[i] !== madeKind[i]) return false;
    }
    return true;
  }

  /** Whether the matrix of the factors is this one: no direction in it. */
  private isSame(n: number): boolean {
    const { kind } = this;
    for (let i = 0; i < n; i++) if (kind[i] >= TURN) return false;
    return true;
  }

  /** Solves by old factors and corrections. Returns whether these became rounding. */
  private correct(n: number): boolean {
    const { points, matrix, unknowns, right, residual, pivots, extra, column } = this;
    solveFactored(matrix, n, pivots, unknowns, 0);
    if (this.isSame(n)) return true;
    for (let pass = 0; pass < CORRECTIONS; pass++) {
      this.spread(n);
      points.multiply(points.forces, column);
      this.test(column, residual, n);
      for (let i = 0; i < n; i++) residual[i] = right[i] - residual[i] - extra[i] * unknowns[i];
      solveFactored(matrix, n, pivots, residual, 0);
      let largest = 0;
      let change = 0;
      for (let i = 0; i < n; i++) {
        unknowns[i] += residual[i];
        const size = Math.abs(unknowns[i]);
        const step = Math.abs(residual[i]);
        if (size > largest) largest = size;
        if (step > change) change = step;
      }
      if (change <= CORRECTED * largest) return true;
      if (change > FAR * largest) return false;
    }
    return false;
  }

  /** out := the rows of the unknowns times vectors of the points. */
  private test(vectors: Float64Array, out: Float64Array, n: number): void {
    const { owner, kind, directions } = this;
    for (let i = 0; i < n; i++) {
      const k = owner[i];
      const o = 3 * k;
      const what = kind[i];
      if (what === TURN) {
        out[i] = directions[2 * k] * vectors[o + 1] - directions[2 * k + 1] * vectors[o];
      } else out[i] = vectors[o + (what === DRAG ? 2 : what)];
    }
  }

  /** Forces of the points from the unknowns. */
  private spread(n: number): void {
    const { points, problem, friction, owner, kind, directions, unknowns } = this;
    const { forces } = points;
    for (let i = 0; i < 3 * problem.count[0]; i++) forces[i] = 0;
    for (let j = 0; j < n; j++) {
      const k = owner[j];
      const o = 3 * k;
      const x = unknowns[j];
      const what = kind[j];
      if (what === TURN) {
        forces[o] -= directions[2 * k + 1] * x;
        forces[o + 1] += directions[2 * k] * x;
      } else if (what === DRAG) {
        forces[o] += friction.sliding * directions[2 * k] * x;
        forces[o + 1] += friction.sliding * directions[2 * k + 1] * x;
        forces[o + 2] += x;
      } else forces[o + what] += x;
    }
  }

  private fillMatrix(n: number): void {
    const { points, problem, friction, matrix, owner, kind, directions, column, extra } = this;
    const a = points.matrix;
    const rows = 3 * problem.count[0];
    for (let j = 0; j < n; j++) {
      const k = owner[j];
      const what = kind[j];
      let p = what === 0 ? 1 : 0;
      let q = what === 1 ? 1 : 0;
      let r = what === 2 ? 1 : 0;
      if (what === TURN) {
        p = -directions[2 * k + 1];
        q = directions[2 * k];
      } else if (what === DRAG) {
        p = friction.sliding * directions[2 * k];
        q = friction.sliding * directions[2 * k + 1];
        r = 1;
      }
      if (what < TURN) {
        for (let i = 0, at = 3 * k + what; i < rows; i++, at += rows) column[i] = a[at];
      } else {
        for (let i = 0, at = 3 * k; i < rows; i++, at += rows) {
          column[i] = a[at] * p + a[at + 1] * q + a[at + 2] * r;
        }
      }
      for (let i = 0; i < n; i++) {
        const l = owner[i];
        const row = kind[i];
        matrix[n * i + j] =
          row === TURN
            ? directions[2 * l] * column[3 * l + 1] - directions[2 * l + 1] * column[3 * l]
            : column[3 * l + (row === DRAG ? 2 : row)];
      }
      matrix[n * j + j] += extra[j];
    }
  }

  /** New classes and directions. Returns whether anything changed. */
  private classify(frozen: boolean): boolean {
    const { problem, points, deepest } = this;
    const { list, states } = problem;
    const { forces, places } = points;
    let changed = false;
    for (let k = 0; k < problem.count[0]; k++) {
      if (states[list[k]] === OPEN) {
        if (places[3 * k + 2] >= -ROUNDING * deepest[0]) continue;
        states[list[k]] = STICK;
        changed = true;
      } else if (forces[3 * k + 2] < 0) {
        states[list[k]] = OPEN;
        changed = true;
      } else if (this.turn(k, frozen)) changed = true;
    }
    return changed;
  }

  /** Class and direction of a point that touches, from its trial. Returns whether they changed. */
  private turn(k: number, frozen: boolean): boolean {
    const { problem, points, friction, directions } = this;
    const { list, states } = problem;
    const { forces, places, matrix } = points;
    const p = forces[3 * k];
    const q = forces[3 * k + 1];
    const load = forces[3 * k + 2];
    const slid = states[list[k]] === SLIDE;
    const size = Math.sqrt(p * p + q * q);
    if (slid) {
      const at = (9 * problem.count[0] + 3) * k;
      const next = at + 3 * problem.count[0];
      const wp = places[3 * k];
      const wq = places[3 * k + 1];
      const pp = matrix[at];
      const pq = matrix[at + 1];
      const qq = matrix[next + 1];
      const det = pp * qq - pq * pq;
      const sp = p - (qq * wp - pq * wq) / det;
      const sq = q - (pp * wq - pq * wp) / det;
      const most = friction.sliding * load;
      const back = frozen ? wp * p + wq * q > 0 : !(sp * sp + sq * sq > most * most);
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
