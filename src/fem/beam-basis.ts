/**
 * A slender beam in the plane as an elastic body in its floating frame: x̂ = (x, 0) from its root, û = (0, Σ φ_k(x) u_k) with clamped–free modes
 * `Kim 1999, (3.3)–(3.10), (3.26)–(3.31)`; what bending takes from its length is neglected. The frame stays tangent to the root, so a beam
 * whose root turns freely has its clamped modes in a turning frame.
 *
 * A = m 1,  T = 0,  N = (0, m ∫φ),  h = 0,  t = m l ∫xφ,  K = EI/l³ ∫φ''²,  integrals over unit length with ∫φ² = 1.
 */
import { positive } from '../base/parameter-checks.ts';
import type { BasisSolver, ElasticBasis } from './elastic-basis.ts';

/** Points of a beam. */
export const BEAM_ROOT = 0;
export const BEAM_TIP = 1;

/** Numbers of clamped–free modes of unit length. */
export interface BeamShapes {
  /** φ at the tip. */
  readonly tip: Float64Array;
  /** ∫φ, ∫xφ, ∫φ''². */
  readonly mean: Float64Array;
  readonly lever: Float64Array;
  readonly curvature: Float64Array;
}

/** A uniform beam. */
export interface BeamData {
  /** m, kg, N m². */
  readonly length: number;
  readonly mass: number;
  readonly bendingStiffness: number;
}

/** The beam over its modes. */
export class BeamBasis implements ElasticBasis {
  readonly size: number;
  readonly totalMass: number;
  readonly firstMoment: Float64Array;
  readonly polarMoment: Float64Array;
  readonly mean: Float64Array;
  readonly massOfShape: Float64Array;
  readonly turnOfShape: Float64Array;
  readonly coordinates: Float64Array;
  private readonly tip: Float64Array;
  private readonly stiffness: Float64Array;

  constructor({ length, mass, bendingStiffness }: BeamData, shapes: BeamShapes) {
    positive('length', length);
    positive('mass', mass);
    positive('bendingStiffness', bendingStiffness);
    const n = shapes.tip.length;
    this.size = n;
    this.totalMass = mass;
    this.firstMoment = Float64Array.of((mass * length) / 2, 0);
    this.polarMoment = Float64Array.of((mass * length * length) / 3);
    this.mean = new Float64Array(2 * n);
    this.massOfShape = new Float64Array(n);
    for (let k = 0; k < n; k++) this.mean[n + k] = mass * shapes.mean[k];
    this.turnOfShape = shapes.lever.map((value) => mass * length * value);
    this.coordinates = Float64Array.of(0, 0, length, 0);
    this.tip = shapes.tip;
    this.stiffness = shapes.curvature.map(
      (value) => (bendingStiffness * value) / (length * length * length),
    );
  }

  massTimes(x: Float64Array, y: Float64Array): void {
    for (let k = 0; k < this.size; k++) y[k] = this.totalMass * x[k];
  }

  turnTimes(_x: Float64Array, y: Float64Array): void {
    y.fill(0, 0, this.size);
  }

  stiffnessTimes(x: Float64Array, y: Float64Array): void {
    for (let k = 0; k < this.size; k++) y[k] = this.stiffness[k] * x[k];
  }

  makeSolver(k: number, m: number): BasisSolver {
    const diagonal = this.stiffness.map((value) => k * value + m * this.totalMass);
    return {
      solve(x, at) {
        for (let e = 0; e < diagonal.length; e++) x[at + e] /= diagonal[e];
      },
    };
  }

  addDisplacement(
    node: number,
    u: Float64Array,
    from: number,
    out: Float64Array,
    at: number,
  ): void {
    if (node === BEAM_ROOT) return;
    for (let k = 0; k < this.size; k++) out[at + 1] += this.tip[k] * u[from + k];
  }

  addNode(row: Float64Array, at: number, node: number, direction: Float64Array): void {
    if (node === BEAM_ROOT) return;
    for (let k = 0; k < this.size; k++) row[at + k] += direction[1] * this.tip[k];
  }
}
