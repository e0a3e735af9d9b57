/**
 * Torques of a law that takes the arm for rigid, on rotors behind soft gears. Such a rotor is light beside what the law thinks it moves,
 * and a torque holds for a whole step: at the rates of the step's beginning it would swing up. So the law is taken at the rates that the
 * rotors will have, as joint-servo.ts does for single joints. With τ0 at the present rates and D = −∂τ/∂u h,
 *
 *   τ = τ0 − D a,  a_j = (τ_j − T_j)/J_j behind a gear (spring torque T, rotor inertia J), 0 elsewhere   ⇒   (J + D) a = τ0 − T
 *
 * At rest a = 0 and τ = τ0.
 */
import { factorize, solveFactored } from '../math/lu.ts';
import type { ArmJoints } from './arm-joints.ts';

/** Corrects the torques of a rigid-arm law for rotors behind soft gears. */
export class SoftDrives {
  /** Driven joints with a gear that gives way: their numbers among the driven. */
  readonly soft: Int32Array;
  /** In: D, driven × driven, row by row; columns of rigid drives do not count. */
  readonly slope: Float64Array;
  private readonly first: number;
  private readonly driven: number;
  private readonly inertia: Float64Array;
  private readonly matrix: Float64Array;
  private readonly pivots: Int32Array;
  private readonly acceleration: Float64Array;

  /** @param first joint that is driven */
  constructor(joints: ArmJoints, first: number) {
    const driven = joints.count - first;
    const soft = Array.from({ length: driven }, (_, j) => j).filter(
      (j) => joints.stiffness[first + j] > 0,
    );
    this.first = first;
    this.driven = driven;
    this.soft = Int32Array.from(soft);
    this.slope = new Float64Array(driven * driven);
    this.inertia = Float64Array.from(soft, (j) => joints.rotorInertia[first + j]);
    this.matrix = new Float64Array(soft.length * soft.length);
    this.pivots = new Int32Array(soft.length);
    this.acceleration = new Float64Array(soft.length);
  }

  /** torque (of the driven joints, τ0) := τ, with the spring torques of all joints. @alloc none */
  apply(torque: Float64Array, spring: Float64Array): void {
    const { soft, slope, driven, first, inertia, matrix, acceleration } = this;
    const n = soft.length;
    if (n === 0) return;
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < n; k++) matrix[n * i + k] = slope[driven * soft[i] + soft[k]];
      matrix[(n + 1) * i] += inertia[i];
      acceleration[i] = torque[soft[i]] - spring[first + soft[i]];
    }
    factorize(matrix, n, this.pivots);
    solveFactored(matrix, n, this.pivots, acceleration, 0);
    for (let j = 0; j < driven; j++) {
      for (let k = 0; k < n; k++) torque[j] -= slope[driven * j + soft[k]] * acceleration[k];
    }
  }
}
