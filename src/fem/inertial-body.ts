/**
 * An elastic body whose nodal displacements are measured in the world: M ü + C u̇ + K u = f. For supports, half sections and motions of
 * small angles; it is an independent check of the floating frame.
 */
import type { BasisSolver, ElasticBasis } from './elastic-basis.ts';
import type { RayleighDamping } from './floating-body.ts';
import type { PointSubsystem } from './subsystem.ts';

/** A body in the world. */
export class InertialBody implements PointSubsystem {
  readonly size: number;
  readonly q: Float64Array;
  readonly rate: Float64Array;
  readonly acceleration: Float64Array;
  /** Constant force, N. */
  readonly load: Float64Array;
  readonly basis: ElasticBasis;
  private readonly damping: RayleighDamping;
  private readonly mass: BasisSolver;
  private effective: BasisSolver | null = null;
  private readonly image: Float64Array;

  constructor(basis: ElasticBasis, damping: RayleighDamping = { alpha: 0, beta: 0 }) {
    this.basis = basis;
    this.damping = damping;
    this.size = basis.size;
    this.q = new Float64Array(basis.size);
    this.rate = new Float64Array(basis.size);
    this.acceleration = new Float64Array(basis.size);
    this.load = new Float64Array(basis.size);
    this.image = new Float64Array(basis.size);
    this.mass = basis.makeSolver(0, 1);
  }

  /** Gives every node the same velocity along a direction, m/s. */
  launch(velocity: readonly [number, number]): void {
    this.rate.fill(0);
    const direction = Float64Array.from(velocity);
    for (let node = 0; node < this.basis.coordinates.length / 2; node++) {
      this.basis.addNode(this.rate, 0, node, direction);
    }
  }

  setStep(a0: number, a1: number): void {
    const { alpha, beta } = this.damping;
    this.effective = this.basis.makeSolver(1 + a1 * beta, a0 + a1 * alpha);
  }

  prepare(): void {
    // constant
  }

  solve(x: Float64Array, at: number): void {
    this.effective!.solve(x, at);
  }

  prepareMass(): void {
    // constant
  }

  solveMass(x: Float64Array, at: number): void {
    this.mass.solve(x, at);
  }

  residual(out: Float64Array): void {
    const { basis, image, load, size } = this;
    const { alpha, beta } = this.damping;
    basis.massTimes(this.acceleration, out);
    basis.stiffnessTimes(this.q, image);
    for (let e = 0; e < size; e++) out[e] += image[e] - load[e];
    if (alpha !== 0) {
      basis.massTimes(this.rate, image);
      for (let e = 0; e < size; e++) out[e] += alpha * image[e];
    }
    if (beta !== 0) {
      basis.stiffnessTimes(this.rate, image);
      for (let e = 0; e < size; e++) out[e] += beta * image[e];
    }
  }

  energies(out: Float64Array): void {
    this.form(this.rate, out, 0);
    this.basis.stiffnessTimes(this.q, this.image);
    out[1] = 0;
    for (let e = 0; e < this.size; e++) out[1] += 0.5 * this.q[e] * this.image[e];
    this.form(this.acceleration, out, 2);
  }

  position(point: number, out: Float64Array, at: number): void {
    out[at] = this.basis.coordinates[2 * point];
    out[at + 1] = this.basis.coordinates[2 * point + 1];
    this.basis.addDisplacement(point, this.q, 0, out, at);
  }

  addDirection(row: Float64Array, at: number, point: number, direction: Float64Array): void {
    this.basis.addNode(row, at, point, direction);
  }

  addBias(): void {
    // positions are linear in the coordinates
  }

  /** out[at] := ½ vᵀ M v. */
  private form(v: Float64Array, out: Float64Array, at: number): void {
    this.basis.massTimes(v, this.image);
    out[at] = 0;
    for (let e = 0; e < this.size; e++) out[at] += 0.5 * v[e] * this.image[e];
  }
}
