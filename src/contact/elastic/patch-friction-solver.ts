/**
 * Forces of a patch with Coulomb friction: block Gauss–Seidel over the points, from the forces of `PatchClassSolver`. Of a compliance that
 * moves the whole face, as the bending of a finger does, sweeps alone would take hundreds; here they confirm, or go on where classes go round.
 *
 * Per point and sweep: f_n ← max(0, f_n − w_n/A_nn); trial t ← f_t − A_tt⁻¹ w_t; where |t| > μ_s f_n the point slides: |f_t| = μ_d f_n against its
 * slip, w_t = A_tt (f_t − t) = −λ f_t with λ ≥ 0 (slip.ts). Once classes settled, else from sweep 10 on, a point keeps its class, since μ_s ≠ μ_d may go round; one that
 * slides has then at most μ_d f_n. Friction takes the energy λ f_t · f_t. Shortening t in place of that would turn the force away from the slip where A_tt
 * differs by direction, as that of a finger does. @alloc none
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
  /** Change of f at a point; [largest change, largest force] of a sweep. */
  private readonly change: Float64Array;
  private readonly largest: Float64Array;
  /** [A_pp, A_pq, A_qq, t_p, t_q] of a point along its tangents; its force comes in place of t. */
  private readonly tangential: Float64Array;

  constructor(problem: PatchProblem, friction: PatchFriction, columns: Columns) {
    this.problem = problem;
    this.friction = friction;
    this.points = new PatchPoints(problem, columns);
    this.classes = new PatchClassSolver(this.points, friction, columns);
    this.change = columns.doubles(3);
    this.largest = columns.doubles(2);
    this.tangential = columns.doubles(5);
  }

  /** Fills `force` and `states`. */
  solve(): void {
    const { problem, largest } = this;
    const { readout } = problem;
    this.points.prepare();
    const kept = this.classes.solve();
    problem.sumWrench();
    readout[UNSETTLED] = 1;
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      readout[ROUNDS]++;
      largest[0] = 0;
      largest[1] = 0;
      for (let k = 0; k < problem.count[0]; k++) this.relax(k, kept || sweep >= FROZEN);
      if (largest[0] > SETTLED * largest[1]) continue;
      readout[UNSETTLED] = 0;
      break;
    }
    this.release();
  }

  /** A point that kept its class at the limit of sticking does not hold: it slides. */
  private release(): void {
    const { problem, friction } = this;
    const { force, normals, list, states } = problem;
    for (let k = 0; k < problem.count[0]; k++) {
      const o = 3 * list[k];
      if (states[list[k]] !== STICK) continue;
      let load = 0;
      let square = 0;
      for (let a = 0; a < 3; a++) {
        load += force[o + a] * normals[o + a];
        square += force[o + a] * force[o + a];
      }
      const most = friction.static * load;
      if (square - load * load >= most * most * AT_LIMIT) states[list[k]] = SLIDE;
    }
  }

  /** One point of one sweep. */
  private relax(k: number, frozen: boolean): void {
    const { problem, points, change, friction, tangential } = this;
    const { own, tangents, place } = points;
    const { force, normals, list, states } = problem;
    const o = 3 * list[k];
    const t = 6 * k;
    const w = 9 * k;
    points.fillPlace(k);
    const nx = normals[o];
    const ny = normals[o + 1];
    const nz = normals[o + 2];
    const before = force[o] * nx + force[o + 1] * ny + force[o + 2] * nz;
    const gap = place[0] * nx + place[1] * ny + place[2] * nz;
    // A n, its normal part, and what the change of the normal force does to w
    const ax = own[w] * nx + own[w + 1] * ny + own[w + 2] * nz;
    const ay = own[w + 3] * nx + own[w + 4] * ny + own[w + 5] * nz;
    const az = own[w + 6] * nx + own[w + 7] * ny + own[w + 8] * nz;
    const next = before - gap / (ax * nx + ay * ny + az * nz);
    const load = next > 0 ? next : 0;
    const step = load - before;
    let p = 0;
    let q = 0;
    for (let a = 0; a < 3; a++) {
      p += force[o + a] * tangents[t + a];
      q += force[o + a] * tangents[t + 3 + a];
    }
    const oldP = p;
    const oldQ = q;
    if (load > 0) {
      const t0 = tangents[t];
      const t1 = tangents[t + 1];
      const t2 = tangents[t + 2];
      const s0 = tangents[t + 3];
      const s1 = tangents[t + 4];
      const s2 = tangents[t + 5];
      const wx = place[0] + step * ax;
      const wy = place[1] + step * ay;
      const wz = place[2] + step * az;
      const wp = wx * t0 + wy * t1 + wz * t2;
      const wq = wx * s0 + wy * s1 + wz * s2;
      const ux = own[w] * t0 + own[w + 1] * t1 + own[w + 2] * t2;
      const uy = own[w + 3] * t0 + own[w + 4] * t1 + own[w + 5] * t2;
      const uz = own[w + 6] * t0 + own[w + 7] * t1 + own[w + 8] * t2;
      const vx = own[w] * s0 + own[w + 1] * s1 + own[w + 2] * s2;
      const vy = own[w + 3] * s0 + own[w + 4] * s1 + own[w + 5] * s2;
      const vz = own[w + 6] * s0 + own[w + 7] * s1 + own[w + 8] * s2;
      const pp = ux * t0 + uy * t1 + uz * t2;
      const pq = ux * s0 + uy * s1 + uz * s2;
      const qq = vx * s0 + vy * s1 + vz * s2;
      const det = pp * qq - pq * pq;
      p -= (qq * wp - pq * wq) / det;
      q -= (pp * wq - pq * wp) / det;
      const size = Math.sqrt(p * p + q * q);
      const slides = frozen ? states[list[k]] === SLIDE : size > friction.static * load;
      const most = (slides ? friction.sliding : friction.static) * load;
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
    } else {
      states[list[k]] = OPEN;
      for (let a = 0; a < 3; a++) change[a] = -force[o + a];
      this.apply(o);
      return;
    }
    change[0] = step * nx + (p - oldP) * tangents[t] + (q - oldQ) * tangents[t + 3];
    change[1] = step * ny + (p - oldP) * tangents[t + 1] + (q - oldQ) * tangents[t + 4];
    change[2] = step * nz + (p - oldP) * tangents[t + 2] + (q - oldQ) * tangents[t + 5];
    this.apply(o);
  }

  /** Adds the change to the force of a point, and to what the body as a whole does. */
  private apply(o: number): void {
    const { problem, change, largest } = this;
    const { force, wrench, constants } = problem;
    const { points } = constants;
    for (let a = 0; a < 3; a++) {
      const b = (a + 1) % 3;
      const c = (a + 2) % 3;
      force[o + a] += change[a];
      wrench[a] += change[a];
      wrench[3 + a] += points[o + b] * change[c] - points[o + c] * change[b];
      const moved = Math.abs(change[a]);
      const size = Math.abs(force[o + a]);
      if (moved > largest[0]) largest[0] = moved;
      if (size > largest[1]) largest[1] = size;
    }
    if (problem.moves[0] !== 0) problem.sumMotion();
  }
}
