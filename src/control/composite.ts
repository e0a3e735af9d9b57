/**
 * Composite control of an arm with flexible links: a slow impedance controls the rigid motion, a
 * fast regulator drives the elastic forces to those of that motion. `Kim 1999, (5.15), (5.26)`.
 * docs/theory/arm-control.md.
 *
 *   τ = τ̄ + τ_f,  τ_f = −F (η1, η2),  η1 = K_ff q_f − z̄1,  η2 = K_ff q̇_f/√k
 *
 * z̄1 is printed as H_ff⁻¹H_fr (f̄_r + τ̄) + f̄_f with H = M⁻¹. Since H_ff⁻¹H_fr = −M_fr M_rr⁻¹,
 * that is f̄_f − M_fr q̈_r with the acceleration q̈_r that the rigid arm has under τ̄: the elastic
 * force that accelerates the modes with the rigid motion. This form needs no inverse of M.
 */
import { factorCholesky, solveLower, solveLowerTransposed } from '../math/cholesky.ts';
import { ImpedanceController } from './impedance.ts';
import type { ImpedanceModel } from '../model/control-spec.ts';

/** An arm and both control loops. */
export interface CompositeModel {
  /** Number of joints, and of modes. Joints come first in all arrays. */
  readonly rigid: number;
  readonly flexible: number;
  /** Stiffness of each mode, N/m. */
  readonly stiffness: readonly number[];
  readonly impedance: ImpedanceModel;
  /** F and k of `designFastRegulator`; null: the slow loop alone. */
  readonly fast: { readonly gain: Float64Array; readonly scale: number } | null;
}

/**
 * Composite controller. Fill the inputs of `slow`, call `compute`, read `torque`. All arrays of
 * `compute` belong to the arm with straight links: rigid kinematics and dynamics at the measured
 * joint angles, without the rates of the modes.
 */
export class CompositeController {
  readonly slow: ImpedanceController;
  /** Joint torques τ. */
  readonly torque: Float64Array;
  /** Elastic forces z̄1 of the slow motion, N. */
  readonly slowForce: Float64Array;
  private readonly rigid: number;
  private readonly flexible: number;
  private readonly stiffness: Float64Array;
  private readonly gain: Float64Array | null;
  private readonly rate: number;
  private readonly rigidMass: Float64Array;
  private readonly rigidBias: Float64Array;
  private readonly rigidJacobian: Float64Array;
  private readonly factors: Float64Array;
  private readonly acceleration: Float64Array;
  private readonly deviation: Float64Array;
  private readonly tolerance = new Float64Array(1);

  constructor(model: CompositeModel) {
    const { rigid, flexible } = model;
    const rows = model.impedance.mass.length;
    this.slow = new ImpedanceController(rigid, model.impedance);
    this.rigid = rigid;
    this.flexible = flexible;
    this.stiffness = Float64Array.from(model.stiffness);
    this.gain = model.fast === null ? null : model.fast.gain;
    this.rate = model.fast === null ? 0.5 : 1 / Math.sqrt(model.fast.scale);
    this.torque = new Float64Array(rigid);
    this.slowForce = new Float64Array(flexible);
    this.rigidMass = new Float64Array(rigid * rigid);
    this.rigidBias = new Float64Array(rigid);
    this.rigidJacobian = new Float64Array(rows * rigid);
    this.factors = new Float64Array(rigid * rigid);
    this.acceleration = new Float64Array(rigid);
    this.deviation = new Float64Array(2 * flexible);
  }

  /**
   * Computes the torques for M (size × size, size = joints + modes), the task Jacobian (rows ×
   * size), J̇u (rows) and the bias (size). `flexure` holds the modal coordinates, then their rates.
   * @returns 0 when M is not positive definite @alloc none
   */
  compute(
    mass: Float64Array,
    jacobian: Float64Array,
    jacobianBias: Float64Array,
    bias: Float64Array,
    flexure: Float64Array,
  ): number {
    const r = this.rigid;
    const size = r + this.flexible;
    const rows = this.slow.error.length;
    for (let i = 0; i < r; i++) {
      this.rigidBias[i] = bias[i];
      for (let j = 0; j < r; j++) this.rigidMass[i * r + j] = mass[i * size + j];
    }
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < r; j++) this.rigidJacobian[i * r + j] = jacobian[i * size + j];
    }
    const { slow, torque } = this;
    const ok = slow.compute(this.rigidMass, this.rigidJacobian, jacobianBias, this.rigidBias);
    for (let i = 0; i < r; i++) torque[i] = slow.torque[i];
    if (ok === 0) return 0;
    this.computeSlowForce(mass, jacobian, bias);
    if (this.gain !== null) this.addFastTorque(this.gain, flexure);
    return 1;
  }

  private computeSlowForce(mass: Float64Array, jacobian: Float64Array, bias: Float64Array): void {
    const r = this.rigid;
    const size = r + this.flexible;
    const { wrench, torque } = this.slow;
    const { acceleration, factors, slowForce } = this;
    for (let i = 0; i < r; i++) {
      let sum = torque[i] - bias[i];
      for (let a = 0; a < wrench.length; a++) sum += jacobian[a * size + i] * wrench[a];
      acceleration[i] = sum;
    }
    factorCholesky(factors, this.rigidMass, r, this.tolerance);
    solveLower(factors, r, acceleration, 0);
    solveLowerTransposed(factors, r, acceleration, 0);
    for (let f = 0; f < this.flexible; f++) {
      const row = r + f;
      let sum = -bias[row];
      for (let a = 0; a < wrench.length; a++) sum += jacobian[a * size + row] * wrench[a];
      for (let i = 0; i < r; i++) sum -= mass[row * size + i] * acceleration[i];
      slowForce[f] = sum;
    }
  }

  private addFastTorque(gain: Float64Array, flexure: Float64Array): void {
    const f = this.flexible;
    const { deviation, stiffness, torque } = this;
    for (let i = 0; i < f; i++) {
      deviation[i] = stiffness[i] * flexure[i] - this.slowForce[i];
      deviation[f + i] = stiffness[i] * flexure[f + i] * this.rate;
    }
    for (let i = 0; i < this.rigid; i++) {
      let sum = torque[i];
      for (let j = 0; j < 2 * f; j++) sum -= gain[i * 2 * f + j] * deviation[j];
      torque[i] = sum;
    }
  }
}
