/**
 * Torques of a rigid-arm law on rotors behind soft gears. Such a rotor is much lighter than the
 * inertia in the law. A torque that holds for a whole step would make it unstable. The law
 * therefore uses the rates at the end of the step, as joint-servo.ts does. With τ0 at the present
 * rates and D = −∂τ/∂u h,
 *
 *   τ = τ0 − D a,  a_j = (τ_j − T_j)/J_j behind a gear (spring torque T, rotor inertia J), 0 elsewhere   ⇒   (J + D) a = τ0 − T
 *
 * At rest a = 0 and τ = τ0.
 */
import { factorize, solveFactored } from '../math/lu.ts';
import type { ArmJoints } from './arm-joints.ts';

/** Correction of the torques of a rigid-arm law for soft gears. */
export class SoftDrives {
  /** Indices of the joints with a soft gear among the driven joints. */
  readonly soft: Int32Array;
  /** In: D, driven × driven, row by row. Columns of rigid drives are ignored. */
  readonly slope: Float64Array;
  private readonly first: number;
  private readonly driven: number;
  private readonly inertia: Float64Array;
  private readonly matrix: Float64Array;
  private readonly pivots: Int32Array;
  private readonly acceleration: Float64Array;

  /** @param first index of the first driven joint */
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

  /** Replaces the torques τ0 of the driven joints by τ; `spring` holds the spring torques of all joints. @alloc none */
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
