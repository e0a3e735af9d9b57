/**
 * Cartesian impedance control with inertia-weighted pseudo-inverse: the end-effector answers a
 * wrench like a mass on a spring and damper, whatever the arm's own inertia. `Kim 1999,
 * (5.28)–(5.39)`. docs/theory/arm-control.md.
 *
 *   A ë + K_d ė + K_p e = w,  e = x − x_ref                                     w: wrench on the end-effector
 *   a = ẍ_ref + A⁻¹ (K_d (ẋ_ref − ẋ) + K_p (x_ref − x) + w)
 *   τ = Jᵀ Γ (a − J̇u) + bias − Jᵀ w,  Γ = (J M⁻¹ Jᵀ)⁻¹                         M u' + bias = τ + Jᵀ w
 *
 * Then ẍ = a, with the least kinetic energy of all such joint motions. Γ comes from the singular
 * values σ of L⁻¹ Jᵀ √A (M = L Lᵀ): σ² is the ratio of apparent to real mass in a direction. In a direction
 * with a small one the arm can hardly move. There 1/σ² becomes 1/(σ² + λ²), λ² = ε² (1 − σ²/ε²) below σ = ε:
 * `Maciejewski & Klein 1988`, J. Robotic Systems 5, 527–552.
 */
import type { ImpedanceModel } from '../model/control-spec.ts';
import { BerthError } from '../base/errors.ts';
import { factorCholesky, solveLower } from '../math/cholesky.ts';
import { SingularValues } from '../math/singular-values.ts';

/** Square root of the mass ratio below which a direction is damped. */
const SINGULAR_RATIO = 0.02;

/** Impedance of a task of 1 … 6 rows with n joints. Fill the inputs, call `compute`, read `torque`. */
export class ImpedanceController {
  /** x_ref − x and its rate; orientation rows are a rotation vector in the world. */
  readonly error: Float64Array;
  readonly errorRate: Float64Array;
  /** ẍ_ref. */
  readonly referenceAcceleration: Float64Array;
  /** Wrench on the end-effector in the rows of the task. */
  readonly wrench: Float64Array;
  /** Joint torques. */
  readonly torque: Float64Array;
  /** Acceleration a of the end-effector. */
  readonly acceleration: Float64Array;
  /** Number of damped directions, and the smallest singular value. */
  damped = 0;
  smallest = 0.5;
  private readonly joints: number;
  private readonly rows: number;
  private readonly model: ImpedanceModel;
  private readonly factors: Float64Array;
  private readonly weighted: Float64Array;
  private readonly column: Float64Array;
  private readonly decomposition: SingularValues;
  private readonly demand: Float64Array;
  private readonly push: Float64Array;
  private readonly tolerance = new Float64Array(1);

  constructor(joints: number, model: ImpedanceModel) {
    const rows = model.mass.length;
    if (rows < 1 || rows > joints) {
      throw new BerthError(
        'BERTH_PARAMETER_RANGE',
        `Expected an impedance of 1 … ${joints} rows for ${joints} joints, got ${rows}`,
      );
    }
    checkRows('mass', model.mass, rows, false);
    checkRows('damping', model.damping, rows, true);
    checkRows('stiffness', model.stiffness, rows, true);
    this.joints = joints;
    this.rows = rows;
    this.model = model;
    this.error = new Float64Array(rows);
    this.errorRate = new Float64Array(rows);
    this.referenceAcceleration = new Float64Array(rows);
    this.wrench = new Float64Array(rows);
    this.acceleration = new Float64Array(rows);
    this.demand = new Float64Array(rows);
    this.push = new Float64Array(rows);
    this.torque = new Float64Array(joints);
    this.factors = new Float64Array(joints * joints);
    this.weighted = new Float64Array(joints * rows);
    this.column = new Float64Array(joints);
    this.decomposition = new SingularValues(joints, rows);
  }

  /**
   * Computes the torques for the mass matrix M (n × n), the Jacobian J (rows × n), J̇u (rows) and
   * the bias (n).
   * @returns 1, or 0 when M is not positive definite; the torque is then zero @alloc none
   */
  compute(
    mass: Float64Array,
    jacobian: Float64Array,
    jacobianBias: Float64Array,
    bias: Float64Array,
  ): number {
    const n = this.joints;
    const m = this.rows;
    const { model, acceleration, wrench, torque, demand, push } = this;
    for (let i = 0; i < m; i++) {
      acceleration[i] =
        this.referenceAcceleration[i] +
        (model.damping[i] * this.errorRate[i] + model.stiffness[i] * this.error[i] + wrench[i]) /
          model.mass[i];
    }
    if (factorCholesky(this.factors, mass, n, this.tolerance) === 0) {
      torque.fill(0);
      return 0;
    }
    this.decompose(jacobian);
    for (let i = 0; i < m; i++) demand[i] = acceleration[i] - jacobianBias[i];
    this.inertiaTimes(demand, push);
    for (let j = 0; j < n; j++) {
      let sum = bias[j];
      for (let i = 0; i < m; i++) sum += jacobian[i * n + j] * (push[i] - wrench[i]);
      torque[j] = sum;
    }
    return 1;
  }

  /** Computes the singular values of L⁻¹ Jᵀ √A. */
  private decompose(jacobian: Float64Array): void {
    const n = this.joints;
    const m = this.rows;
    const column = this.column;
    for (let i = 0; i < m; i++) {
      const root = Math.sqrt(this.model.mass[i]);
      for (let j = 0; j < n; j++) column[j] = jacobian[i * n + j] * root;
      solveLower(this.factors, n, column, 0);
      for (let j = 0; j < n; j++) this.weighted[j * m + i] = column[j];
    }
    this.decomposition.decompose(this.weighted);
  }

  /** out := Γ v = √A V Σ⁻² Vᵀ √A v, damped. Call `compute` first. @alloc none */
  inertiaTimes(vector: Float64Array, out: Float64Array): void {
    const m = this.rows;
    const { values, right } = this.decomposition;
    this.damped = 0;
    this.smallest = values[m - 1];
    for (let i = 0; i < m; i++) out[i] = 0;
    for (let k = 0; k < m; k++) {
      let along = 0;
      for (let i = 0; i < m; i++) {
        const root = Math.sqrt(this.model.mass[i]);
        along += right[i * m + k] * root * vector[i];
      }
      const square = values[k] * values[k];
      const threshold = SINGULAR_RATIO * SINGULAR_RATIO;
      // below the threshold, σ² + λ² is the threshold itself
      const divisor = square < threshold ? threshold : square;
      if (square < threshold) this.damped++;
      for (let i = 0; i < m; i++) {
        out[i] += (Math.sqrt(this.model.mass[i]) * right[i * m + k] * along) / divisor;
      }
    }
  }
}

function checkRows(name: string, values: readonly number[], rows: number, zero: boolean): void {
  if (values.length !== rows) {
    throw new BerthError(
      'BERTH_MISMATCH',
      `Expected ${rows} values of \`${name}\`, got ${values.length}`,
      { field: name },
    );
  }
  for (const value of values) {
    if ((value > 0 || (zero && value === 0)) && value < Infinity) continue;
    throw new BerthError(
      'BERTH_PARAMETER_RANGE',
      `Expected every \`${name}\` of an impedance to be ${zero ? '>= 0' : '> 0'}, got ${value}`,
      { field: name },
    );
  }
}
