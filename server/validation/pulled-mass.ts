/** A point mass on a floor that a spring pulls along: the smallest part that can touch, stick and slip. */
import type { PointSubsystem } from '../../src/fem/subsystem.ts';

/** Coordinates x and y; M = m I, a spring along x, constant load along y. */
export class PulledMass implements PointSubsystem {
  readonly size = 2;
  readonly q: Float64Array = new Float64Array(2);
  readonly rate: Float64Array = new Float64Array(2);
  readonly acceleration: Float64Array = new Float64Array(2);
  /** Force on the mass beside that of the spring at x, N. */
  readonly load: Float64Array = new Float64Array(2);
  private readonly mass: number;
  private readonly stiffness: number;
  private a0 = 0.5;

  /** @param mass kg @param stiffness N/m @param press force that presses it on the floor, N */
  constructor(mass: number, stiffness: number, press: number) {
    this.mass = mass;
    this.stiffness = stiffness;
    this.load[1] = -press;
  }

  setStep(a0: number): void {
    this.a0 = a0;
  }

  residual(out: Float64Array): void {
    out[0] = this.mass * this.acceleration[0] + this.stiffness * this.q[0] - this.load[0];
    out[1] = this.mass * this.acceleration[1] - this.load[1];
  }

  prepare(): void {
    // constant
  }

  solve(x: Float64Array, at: number): void {
    x[at] /= this.stiffness + this.a0 * this.mass;
    x[at + 1] /= this.a0 * this.mass;
  }

  prepareMass(): void {
    // constant
  }

  solveMass(x: Float64Array, at: number): void {
    x[at] /= this.mass;
    x[at + 1] /= this.mass;
  }

  energies(out: Float64Array): void {
    const { q, rate, acceleration, mass } = this;
    out[0] = 0.5 * mass * (rate[0] * rate[0] + rate[1] * rate[1]);
    out[1] = 0.5 * this.stiffness * q[0] * q[0];
    out[2] = 0.5 * mass * (acceleration[0] * acceleration[0] + acceleration[1] * acceleration[1]);
  }

  position(_point: number, out: Float64Array, at: number): void {
    out[at] = this.q[0];
    out[at + 1] = this.q[1];
  }

  addDirection(row: Float64Array, at: number, _point: number, direction: Float64Array): void {
    row[at] += direction[0];
    row[at + 1] += direction[1];
  }

  addBias(): void {
    // positions are the coordinates
  }
}
