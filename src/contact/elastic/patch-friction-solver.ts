/**
 * Forces of a patch with Coulomb friction: `PatchClassSolver`, and where classes go round, block Gauss–Seidel over the points from there. Of a
 * compliance that moves the whole face, as the bending of a finger does, sweeps alone would take hundreds.
 *
 * Per point and sweep: f_n ← max(0, f_n − w_n/A_nn); trial t ← f_t − A_tt⁻¹ w_t; the point slides where |t| > μ_s f_n, one that slides goes on where
 * |t| > μ_d f_n. Then |f_t| = μ_d f_n against its slip, w_t = A_tt (f_t − t) = −λ f_t with λ ≥ 0 (slip.ts). From sweep 10 on a point keeps its class; one
 * that slides has then at most μ_d f_n. Friction takes the energy λ f_t · f_t. Shortening t in place of that would turn the force away from the slip
 * where A_tt differs by direction, as that of a finger does. @alloc none
 */
import type { Columns } from '../../math/columns.ts';
import { PatchClassSolver } from './patch-class-solver.ts';
import { PatchPoints } from './patch-points.ts';
import { opposeSlip } from './slip.ts';
import {
  OPEN,
  type PatchFriction,
  type PatchProblem,
  ROUNDS,
  SLIDE,
  STICK,
  UNSETTLED,
} from './patch-problem.ts';

/** Most sweeps; the sweep from which on classes stay; the change, of the largest force, that ends them. */
const SWEEPS = 30;
const FROZEN = 10;
const SETTLED = 1e-9;
/** Square of the part of the limit from which on a sticking point is at it. */
const AT_LIMIT = 1 - 1e-12;

/** Solves for the gathered points. */
export class PatchFrictionSolver {
  private readonly problem: PatchProblem;
  private readonly friction: PatchFriction;
  private readonly points: PatchPoints;
  private readonly classes: PatchClassSolver;
  /** [largest change, largest force] of a sweep. */
  private readonly largest: Float64Array;
  /** [A_pp, A_pq, A_qq, t_p, t_q] of a point along its tangents; its force comes in place of t. */
  private readonly tangential: Float64Array;

  constructor(problem: PatchProblem, friction: PatchFriction, columns: Columns) {
    this.problem = problem;
    this.friction = friction;
    this.points = new PatchPoints(problem, columns);
    this.classes = new PatchClassSolver(this.points, friction, columns);
    this.largest = columns.doubles(2);
    this.tangential = columns.doubles(5);
  }

  /** Fills `force` and `states`. */
  solve(): void {
    const { problem, points } = this;
    points.prepare();
    problem.readout[UNSETTLED] = 0;
    if (!this.classes.solve()) this.sweep();
    points.give();
    problem.sumWrench();
  }

  private sweep(): void {
    const { problem, largest } = this;
    const { readout } = problem;
    readout[UNSETTLED] = 1;
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      readout[ROUNDS]++;
      largest[0] = 0;
      largest[1] = 0;
      for (let k = 0; k < problem.count[0]; k++) this.relax(k, sweep >= FROZEN);
      if (largest[0] > SETTLED * largest[1]) continue;
      readout[UNSETTLED] = 0;
      break;
    }
    this.release();
  }

  /** A point that kept its class at the limit of sticking does not hold: it slides. */
  private release(): void {
    const { problem, points, friction } = this;
    const { list, states } = problem;
    const { forces } = points;
    for (let k = 0; k < problem.count[0]; k++) {
      if (states[list[k]] !== STICK) continue;
      const p = forces[3 * k];
      const q = forces[3 * k + 1];
      const most = friction.static * forces[3 * k + 2];
      if (p * p + q * q >= most * most * AT_LIMIT) states[list[k]] = SLIDE;
    }
  }

  /** One point of one sweep. */
  private relax(k: number, frozen: boolean): void {
    const { problem, points, friction, tangential } = this;
    const { list, states } = problem;
    const { forces, places, matrix } = points;
    const stride = 3 * problem.count[0];
    const o = 3 * k;
    const row = (stride + 1) * o;
    points.fillPlace(k);
    const before = forces[o + 2];
    const next = before - places[o + 2] / matrix[row + 2 * stride + 2];
    if (!(next > 0)) {
      states[list[k]] = OPEN;
      this.set(o, 0, 0, 0);
      return;
    }
    // w under the new normal force
    const step = next - before;
    const wp = places[o] + step * matrix[row + 2];
    const wq = places[o + 1] + step * matrix[row + stride + 2];
    const pp = matrix[row];
    const pq = matrix[row + 1];
    const qq = matrix[row + stride + 1];
    const det = pp * qq - pq * pq;
    let p = forces[o] - (qq * wp - pq * wq) / det;
    let q = forces[o + 1] - (pp * wq - pq * wp) / det;
    const size = Math.sqrt(p * p + q * q);
    const slid = states[list[k]] === SLIDE;
    const slides = frozen ? slid : size > (slid ? friction.sliding : friction.static) * next;
    const most = (slides ? friction.sliding : friction.static) * next;
    if (size > most) {
      tangential[0] = pp;
      tangential[1] = pq;
      tangential[2] = qq;
      tangential[3] = p;
      tangential[4] = q;
      opposeSlip(tangential, most);
      p = tangential[3];
      q = tangential[4];
    }
    states[list[k]] = slides ? SLIDE : STICK;
    this.set(o, p, q, next);
  }

  /** The force of a point. */
  private set(o: number, p: number, q: number, n: number): void {
    const { forces } = this.points;
    this.compare(forces[o], p);
    this.compare(forces[o + 1], q);
    this.compare(forces[o + 2], n);
    forces[o] = p;
    forces[o + 1] = q;
    forces[o + 2] = n;
  }

  private compare(from: number, to: number): void {
    const { largest } = this;
    const moved = Math.abs(to - from);
    const size = Math.abs(to);
    if (moved > largest[0]) largest[0] = moved;
    if (size > largest[1]) largest[1] = size;
  }
}
