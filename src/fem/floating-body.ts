/**
 * An elastic body in the plane in a floating frame, `Kim 1999, (2.1)–(2.41)`: q = {p, θ, u}, r = p + R (x̂ + Φ u).
 *
 * With z = x̂ + û, b = ü + θ̈ S z + 2 θ̇ S u̇ − θ̇² z, A, T, N, h, t of `elastic-basis.ts` and s = N z:
 *
 * p:  m p̈ + R (N ü + θ̈ S s + 2 θ̇ S N u̇ − θ̇² s)
 * θ:  (S s)ᵀ Rᵀ p̈ + (t + T u)ᵀ ü + θ̈ zᵀ M z + 2 θ̇ (h + A u)ᵀ u̇
 * u:  A ü + θ̈ (t + T u) + 2 θ̇ T u̇ − θ̇² (h + A u) + Nᵀ Rᵀ p̈ + C u̇ + K u
 *
 * C = α A + β K on the elastic coordinates alone (2.51), so that free flight is not damped. The frame is fixed to the body by
 * holding three components of the mesh: without that M has three zero eigenvalues.
 *
 * K + a0 M + a1 C has a constant block over u, factored once. Each solution adds the three rows of p and θ by their Schur
 * complement; p is taken in axes of the body, where its rows do not depend on θ.
 */
import { ANGLE, sinCos } from '../math/elementary/circular.ts';
import type { BasisSolver, ElasticBasis } from './elastic-basis.ts';
import type { PointSubsystem, TurningSubsystem } from './subsystem.ts';

/** Place of the angle, and of the first elastic coordinate. */
const TURN = 2;
const ELASTIC = 3;

/** Rayleigh damping C = α M + β K, 1/s and s. */
export interface RayleighDamping {
  readonly alpha: number;
  readonly beta: number;
}

/** Both constants for a part ζ of critical damping at two frequencies, rad/s: 2 ζ ω = α + β ω², `Kim 1999, (2.54)`. */
export function rayleighDamping(ratio: number, low: number, high: number): RayleighDamping {
  return { alpha: (2 * ratio * low * high) / (low + high), beta: (2 * ratio) / (low + high) };
}

/** Where a body is at first; angles in rad. */
export interface BodyStart {
  readonly position: readonly [number, number];
  readonly angle: number;
  readonly velocity: readonly [number, number];
  readonly angularVelocity: number;
}

/** The rows of p and θ around a factored elastic block, for one factor of the mass. */
class Border {
  private readonly basis: ElasticBasis;
  private readonly solver: BasisSolver;
  private readonly factor: number;
  /** K⁻¹ times the columns of p (two) and θ. */
  private readonly columns: readonly Float64Array[];
  private readonly turnColumn: Float64Array;
  /** Schur complement of p and θ, row by row, then its Cholesky factor. */
  private readonly fixed = new Float64Array(4);
  private readonly schur = new Float64Array(9);
  private readonly head = new Float64Array(3);

  constructor(basis: ElasticBasis, stiffness: number, mass: number, factor: number) {
    this.basis = basis;
    this.factor = factor;
    this.solver = basis.makeSolver(stiffness, mass);
    const n = basis.size;
    this.turnColumn = new Float64Array(n);
    this.columns = Array.from({ length: 3 }, () => new Float64Array(n));
    for (let c = 0; c < 2; c++) {
      for (let e = 0; e < n; e++) this.columns[c][e] = factor * basis.mean[n * c + e];
      this.solver.solve(this.columns[c], 0);
    }
    for (let r = 0; r < 2; r++) {
      for (let c = 0; c < 2; c++) {
        let sum = r === c ? factor * basis.totalMass : 0;
        for (let e = 0; e < n; e++) sum -= factor * basis.mean[n * r + e] * this.columns[c][e];
        this.fixed[2 * r + c] = sum;
      }
    }
  }

  /** turn = t + T u, first = s, polar[0] = zᵀ M z at the present shape. */
  prepare(turn: Float64Array, first: Float64Array, polar: Float64Array): void {
    const { basis, factor, turnColumn, schur } = this;
    const n = basis.size;
    const column = this.columns[2];
    for (let e = 0; e < n; e++) {
      turnColumn[e] = factor * turn[e];
      column[e] = turnColumn[e];
    }
    this.solver.solve(column, 0);
    let x = -factor * first[1];
    let y = factor * first[0];
    let last = factor * polar[0];
    for (let e = 0; e < n; e++) {
      x -= factor * basis.mean[e] * column[e];
      y -= factor * basis.mean[n + e] * column[e];
      last -= turnColumn[e] * column[e];
    }
    // Cholesky factor of [fixed, (x, y); (x, y), last], by rows
    schur[0] = Math.sqrt(this.fixed[0]);
    schur[3] = this.fixed[2] / schur[0];
    schur[4] = Math.sqrt(this.fixed[3] - schur[3] * schur[3]);
    schur[6] = x / schur[0];
    schur[7] = (y - schur[6] * schur[3]) / schur[4];
    schur[8] = Math.sqrt(last - schur[6] * schur[6] - schur[7] * schur[7]);
  }

  /** Solves with p in axes of the body; x from `at` on. */
  solve(x: Float64Array, at: number): void {
    const { basis, factor, head, schur, turnColumn, columns } = this;
    const n = basis.size;
    this.solver.solve(x, at + ELASTIC);
    for (let r = 0; r < 3; r++) head[r] = x[at + r];
    for (let e = 0; e < n; e++) {
      const value = x[at + ELASTIC + e];
      head[0] -= factor * basis.mean[e] * value;
      head[1] -= factor * basis.mean[n + e] * value;
      head[2] -= turnColumn[e] * value;
    }
    head[0] /= schur[0];
    head[1] = (head[1] - schur[3] * head[0]) / schur[4];
    head[2] = (head[2] - schur[6] * head[0] - schur[7] * head[1]) / (schur[8] * schur[8]);
    head[1] = (head[1] - schur[7] * head[2]) / schur[4];
    head[0] = (head[0] - schur[3] * head[1] - schur[6] * head[2]) / schur[0];
    for (let r = 0; r < 3; r++) x[at + r] = head[r];
    for (let e = 0; e < n; e++) {
      x[at + ELASTIC + e] -=
        columns[0][e] * head[0] + columns[1][e] * head[1] + columns[2][e] * head[2];
    }
  }
}

/** A body in a floating frame. */
export class FloatingBody implements PointSubsystem, TurningSubsystem {
  readonly size: number;
  readonly q: Float64Array;
  readonly rate: Float64Array;
  readonly acceleration: Float64Array;
  /** Constant generalized force, N and N m. */
  readonly load: Float64Array;
  readonly basis: ElasticBasis;
  private readonly damping: RayleighDamping;
  private readonly massBorder: Border;
  private border: Border | null = null;
  private readonly u: Float64Array;
  private readonly du: Float64Array;
  private readonly ddu: Float64Array;
  /** h + A u, t + T u, and products with rates and accelerations. */
  private readonly heavy: Float64Array;
  private readonly turned: Float64Array;
  private readonly image: Float64Array;
  private readonly first = new Float64Array(2);
  private readonly polar = new Float64Array(1);
  /** sin θ, cos θ. */
  private readonly turn = new Float64Array(2);
  private readonly local = new Float64Array(2);

  constructor(
    basis: ElasticBasis,
    start: BodyStart,
    damping: RayleighDamping = { alpha: 0, beta: 0 },
  ) {
    const n = basis.size;
    this.basis = basis;
    this.damping = damping;
    this.size = ELASTIC + n;
    this.q = new Float64Array(this.size);
    this.rate = new Float64Array(this.size);
    this.acceleration = new Float64Array(this.size);
    this.load = new Float64Array(this.size);
    this.q.set([...start.position, start.angle]);
    this.rate.set([...start.velocity, start.angularVelocity]);
    this.u = this.q.subarray(ELASTIC);
    this.du = this.rate.subarray(ELASTIC);
    this.ddu = this.acceleration.subarray(ELASTIC);
    this.heavy = new Float64Array(n);
    this.turned = new Float64Array(n);
    this.image = new Float64Array(n);
    this.massBorder = new Border(basis, 0, 1, 1);
  }

  setStep(a0: number, a1: number): void {
    const { alpha, beta } = this.damping;
    this.border = new Border(this.basis, 1 + a1 * beta, a0 + a1 * alpha, a0);
  }

  prepare(): void {
    this.deform();
    this.border!.prepare(this.turned, this.first, this.polar);
  }

  solve(x: Float64Array, at: number): void {
    this.bordered(this.border!, x, at);
  }

  prepareMass(): void {
    this.deform();
    this.massBorder.prepare(this.turned, this.first, this.polar);
  }

  solveMass(x: Float64Array, at: number): void {
    this.bordered(this.massBorder, x, at);
  }

  residual(out: Float64Array): void {
    this.deform();
    const { basis, q, rate, acceleration: a, load, u, du, ddu, heavy, turned, image, first } = this;
    const { alpha, beta } = this.damping;
    const s = this.turn[0];
    const c = this.turn[1];
    const n = basis.size;
    const w = rate[TURN];
    const ww = w * w;
    const turning = a[TURN];
    // p̈ in axes of the body
    const ax = c * a[0] + s * a[1];
    const ay = c * a[1] - s * a[0];
    const { mean } = basis;
    let fx = basis.totalMass * ax - turning * first[1] - ww * first[0];
    let fy = basis.totalMass * ay + turning * first[0] - ww * first[1];
    let moment = first[0] * ay - first[1] * ax + turning * this.polar[0];
    for (let e = 0; e < n; e++) {
      fx += mean[e] * ddu[e] - 2 * w * mean[n + e] * du[e];
      fy += mean[n + e] * ddu[e] + 2 * w * mean[e] * du[e];
      moment += turned[e] * ddu[e] + 2 * w * heavy[e] * du[e];
      out[ELASTIC + e] = turning * turned[e] - ww * heavy[e] + mean[e] * ax + mean[n + e] * ay;
    }
    out[0] = c * fx - s * fy;
    out[1] = s * fx + c * fy;
    out[TURN] = moment;
    basis.massTimes(ddu, image);
    for (let e = 0; e < n; e++) out[ELASTIC + e] += image[e];
    basis.turnTimes(du, image);
    for (let e = 0; e < n; e++) out[ELASTIC + e] += 2 * w * image[e];
    basis.stiffnessTimes(u, image);
    for (let e = 0; e < n; e++) out[ELASTIC + e] += image[e];
    if (alpha !== 0) {
      basis.massTimes(du, image);
      for (let e = 0; e < n; e++) out[ELASTIC + e] += alpha * image[e];
    }
    if (beta !== 0) {
      basis.stiffnessTimes(du, image);
      for (let e = 0; e < n; e++) out[ELASTIC + e] += beta * image[e];
    }
    for (let e = 0; e < q.length; e++) out[e] -= load[e];
  }

  energies(out: Float64Array): void {
    this.deform();
    out[0] = 0;
    this.addForm(this.rate, this.du, out, 0);
    this.basis.stiffnessTimes(this.u, this.image);
    out[1] = 0;
    for (let e = 0; e < this.basis.size; e++) out[1] += 0.5 * this.u[e] * this.image[e];
    out[2] = 0;
    this.addForm(this.acceleration, this.ddu, out, 2);
  }

  /** Linear momentum, N s, and angular momentum about the origin of the world, N m s, to out[0..2]. @alloc none */
  momentum(out: Float64Array): void {
    this.deform();
    const { basis, rate, du, first, turned } = this;
    const s = this.turn[0];
    const c = this.turn[1];
    const n = basis.size;
    const w = rate[TURN];
    const vx = c * rate[0] + s * rate[1];
    const vy = c * rate[1] - s * rate[0];
    let fx = basis.totalMass * vx - w * first[1];
    let fy = basis.totalMass * vy + w * first[0];
    let moment = first[0] * vy - first[1] * vx + w * this.polar[0];
    for (let e = 0; e < n; e++) {
      fx += basis.mean[e] * du[e];
      fy += basis.mean[n + e] * du[e];
      moment += turned[e] * du[e];
    }
    out[0] = c * fx - s * fy;
    out[1] = s * fx + c * fy;
    out[2] = moment + this.q[0] * out[1] - this.q[1] * out[0];
  }

  position(point: number, out: Float64Array, at: number): void {
    const { local, turn, q } = this;
    this.locate(point);
    this.orient();
    out[at] = q[0] + turn[1] * local[0] - turn[0] * local[1];
    out[at + 1] = q[1] + turn[0] * local[0] + turn[1] * local[1];
  }

  addDirection(row: Float64Array, at: number, point: number, direction: Float64Array): void {
    const { local, turn } = this;
    this.orient();
    this.locate(point);
    const bx = turn[1] * direction[0] + turn[0] * direction[1];
    const by = turn[1] * direction[1] - turn[0] * direction[0];
    row[at] += direction[0];
    row[at + 1] += direction[1];
    row[at + TURN] += local[0] * by - local[1] * bx;
    local[0] = bx;
    local[1] = by;
    this.basis.addNode(row, at + ELASTIC, point, local);
  }

  addBias(out: Float64Array, at: number, point: number, direction: Float64Array): void {
    const { local, turn, rate } = this;
    this.orient();
    const bx = turn[1] * direction[0] + turn[0] * direction[1];
    const by = turn[1] * direction[1] - turn[0] * direction[0];
    const w = rate[TURN];
    this.locate(point);
    out[at] -= w * w * (bx * local[0] + by * local[1]);
    local.fill(0);
    this.basis.addDisplacement(point, rate, ELASTIC, local, 0);
    out[at] += 2 * w * (by * local[0] - bx * local[1]);
  }

  angle(out: Float64Array, at: number): void {
    out[at] = this.q[TURN];
  }

  addTurn(row: Float64Array, at: number, factor: number): void {
    row[at + TURN] += factor;
  }

  /** local := z of a node. */
  private locate(point: number): void {
    this.local[0] = this.basis.coordinates[2 * point];
    this.local[1] = this.basis.coordinates[2 * point + 1];
    this.basis.addDisplacement(point, this.q, ELASTIC, this.local, 0);
  }

  /** Fills `turn`. */
  private orient(): void {
    ANGLE[0] = this.q[TURN];
    const slots = sinCos();
    this.turn[0] = slots[0];
    this.turn[1] = slots[1];
  }

  /** Fills what depends on q. */
  private deform(): void {
    const { basis, u, heavy, turned, first, polar } = this;
    const n = basis.size;
    this.orient();
    basis.massTimes(u, heavy);
    basis.turnTimes(u, turned);
    polar[0] = basis.polarMoment[0];
    first[0] = basis.firstMoment[0];
    first[1] = basis.firstMoment[1];
    for (let e = 0; e < n; e++) {
      polar[0] += (2 * basis.massOfShape[e] + heavy[e]) * u[e];
      heavy[e] += basis.massOfShape[e];
      turned[e] += basis.turnOfShape[e];
      first[0] += basis.mean[e] * u[e];
      first[1] += basis.mean[n + e] * u[e];
    }
  }

  /** out[at] += ½ vᵀ M v; dv is the elastic part of v. */
  private addForm(v: Float64Array, dv: Float64Array, out: Float64Array, at: number): void {
    const { basis, first, turned, image } = this;
    const s = this.turn[0];
    const c = this.turn[1];
    const n = basis.size;
    const w = v[TURN];
    const vx = c * v[0] + s * v[1];
    const vy = c * v[1] - s * v[0];
    let sum = 0.5 * basis.totalMass * (vx * vx + vy * vy);
    sum += w * (first[0] * vy - first[1] * vx) + 0.5 * w * w * this.polar[0];
    basis.massTimes(dv, image);
    for (let e = 0; e < n; e++) {
      sum += dv[e] * (0.5 * image[e] + basis.mean[e] * vx + basis.mean[n + e] * vy + w * turned[e]);
    }
    out[at] += sum;
  }

  /** Solves with p in axes of the world. */
  private bordered(border: Border, x: Float64Array, at: number): void {
    const s = this.turn[0];
    const c = this.turn[1];
    const px = x[at];
    const py = x[at + 1];
    x[at] = c * px + s * py;
    x[at + 1] = c * py - s * px;
    border.solve(x, at);
    const bx = x[at];
    const by = x[at + 1];
    x[at] = c * bx - s * by;
    x[at + 1] = s * bx + c * by;
  }
}
