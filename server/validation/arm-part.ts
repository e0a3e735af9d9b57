/** Kim's planar arm as a part of a system of elastic bodies: its only point is the tip. Its joints have no torque but what `torque` gives them. */
import { factorCholesky, solveLower, solveLowerTransposed } from '../../src/math/cholesky.ts';
import type { PointSubsystem } from '../../src/fem/subsystem.ts';
import { ARM_SIZE, MODE_STIFFNESS, PlanarArm } from './planar-arm.ts';

/** Coordinate of the first mode. */
const MODE = 3;

/** The arm without a mass at its tip. */
export class ArmPart implements PointSubsystem {
  readonly size = ARM_SIZE;
  readonly q: Float64Array = new Float64Array(ARM_SIZE);
  readonly rate: Float64Array = new Float64Array(ARM_SIZE);
  readonly acceleration: Float64Array = new Float64Array(ARM_SIZE);
  /** Of the spacecraft and both joints, N m; constant over a step. */
  readonly torque: Float64Array = new Float64Array(MODE);
  readonly arm: PlanarArm;
  /** Origin of the world that the other parts see, m: where they are near it, their places have more digits. */
  readonly origin: Float64Array = new Float64Array(2);
  private a0 = 0.5;
  private a1 = 0.5;
  private readonly effective = new Float64Array(ARM_SIZE * ARM_SIZE);
  private readonly mass = new Float64Array(ARM_SIZE * ARM_SIZE);
  private readonly zero = new Float64Array(1);

  /** @param damping of the links, part of critical */
  constructor(damping?: number) {
    this.arm = new PlanarArm(damping, 0);
  }

  setStep(a0: number, a1: number): void {
    this.a0 = a0;
    this.a1 = a1;
  }

  residual(out: Float64Array): void {
    const { arm, acceleration } = this;
    arm.evaluate(this.q, this.rate);
    for (let i = 0; i < ARM_SIZE; i++) {
      out[i] = i < MODE ? arm.bias[i] - this.torque[i] : arm.bias[i];
      for (let j = 0; j < ARM_SIZE; j++) out[i] += arm.mass[ARM_SIZE * i + j] * acceleration[j];
    }
  }

  prepare(): void {
    const { arm, effective } = this;
    arm.evaluate(this.q, this.rate);
    for (let e = 0; e < effective.length; e++) effective[e] = this.a0 * arm.mass[e];
    for (let i = MODE; i < ARM_SIZE; i++) {
      effective[(ARM_SIZE + 1) * i] += MODE_STIFFNESS + this.a1 * arm.dampingFactor;
    }
    factorCholesky(effective, effective, ARM_SIZE, this.zero);
  }

  solve(x: Float64Array, at: number): void {
    solveLower(this.effective, ARM_SIZE, x, at);
    solveLowerTransposed(this.effective, ARM_SIZE, x, at);
  }

  prepareMass(): void {
    this.arm.evaluate(this.q, this.rate);
    factorCholesky(this.mass, this.arm.mass, ARM_SIZE, this.zero);
  }

  solveMass(x: Float64Array, at: number): void {
    solveLower(this.mass, ARM_SIZE, x, at);
    solveLowerTransposed(this.mass, ARM_SIZE, x, at);
  }

  energies(out: Float64Array): void {
    const { arm, q, acceleration } = this;
    arm.evaluate(q, this.rate);
    out[1] = 0.5 * MODE_STIFFNESS * (q[MODE] * q[MODE] + q[MODE + 1] * q[MODE + 1]);
    out[0] = arm.energy - out[1];
    out[2] = 0;
    for (let i = 0; i < ARM_SIZE; i++) {
      for (let j = 0; j < ARM_SIZE; j++) {
        out[2] += 0.5 * acceleration[i] * arm.mass[ARM_SIZE * i + j] * acceleration[j];
      }
    }
  }

  position(_point: number, out: Float64Array, at: number): void {
    this.arm.evaluate(this.q, this.rate);
    out[at] = this.arm.tip[0] - this.origin[0];
    out[at + 1] = this.arm.tip[1] - this.origin[1];
  }

  addDirection(row: Float64Array, at: number, _point: number, direction: Float64Array): void {
    const { jacobian } = this.arm;
    this.arm.evaluate(this.q, this.rate);
    for (let i = 0; i < ARM_SIZE; i++) {
      row[at + i] += direction[0] * jacobian[i] + direction[1] * jacobian[ARM_SIZE + i];
    }
  }

  addBias(out: Float64Array, at: number, _point: number, direction: Float64Array): void {
    this.arm.evaluate(this.q, this.rate);
    const { jacobianBias } = this.arm;
    out[at] += direction[0] * jacobianBias[0] + direction[1] * jacobianBias[1];
  }
}
