/**
 * One step of inverse kinematics: the change of the joints for a small displacement and rotation of
 * the tip. The angular rows of the Jacobian are scaled by a length l, so that metres and radians
 * compare.
 *
 *   dq = Σ σ/(σ² + λ²) r (l·dx),   λ² = ε² − σ_min² below σ_min = ε        `Maciejewski & Klein 1988`
 *
 * An arm with fewer than six joints reaches the closest change.
 */
import { factorCholesky } from '../math/cholesky.ts';
import { SingularValues } from '../math/singular-values.ts';

/** A direction is damped when its singular value is below this part of the largest. */
const EDGE = 1 / 30;

/** One damped step of inverse kinematics. */
export class JointStep {
  /** Change of the joints. */
  readonly change: Float64Array;
  /** [product of the singular values of the scaled Jacobian]. */
  readonly manipulability: Float64Array = new Float64Array(1);
  private readonly count: number;
  private readonly length: Float64Array;
  private readonly decomposition: SingularValues;
  private readonly matrix: Float64Array;
  /** Number of singular values. */
  private readonly rank: number;
  /** Whether the stored matrix is joints × task; then left vectors belong to joints. */
  private readonly upright: boolean;
  private readonly task = new Float64Array(6);
  private readonly square: Float64Array;
  /** Rows of the twist that count for the manipulability. */
  private readonly axes: Uint8Array;
  private readonly tolerance = new Float64Array(1);

  /** @param axes rows of the twist that the arm can move, no more than joints; default all six */
  constructor(joints: number, length: number, axes: readonly number[] = [0, 1, 2, 3, 4, 5]) {
    this.count = joints;
    this.axes = Uint8Array.from(axes);
    this.square = new Float64Array(axes.length * axes.length);
    this.length = Float64Array.of(length);
    this.upright = joints >= 6;
    this.rank = this.upright ? 6 : joints;
    this.decomposition = this.upright
      ? new SingularValues(joints, 6)
      : new SingularValues(6, joints);
    this.matrix = new Float64Array(6 * joints);
    this.change = new Float64Array(joints);
  }

  /** Decomposes a Jacobian, 6 × joints. @alloc none */
  measure(jacobian: Float64Array): void {
    const { matrix, upright } = this;
    const n = this.count;
    const length = this.length[0];
    for (let a = 0; a < 6; a++) {
      const scale = a < 3 ? 1 : length;
      for (let j = 0; j < n; j++) {
        matrix[upright ? 6 * j + a : n * a + j] = scale * jacobian[n * a + j];
      }
    }
    this.decomposition.decompose(matrix);
  }

  /**
   * Computes √det(J Jᵀ) of the task rows of a Jacobian, 6 × joints, with scaled angular rows
   * (`Yoshikawa 1985`). @alloc none
   */
  measureManipulability(jacobian: Float64Array): void {
    const { square, axes, count: n } = this;
    const rows = axes.length;
    const length = this.length[0];
    for (let r = 0; r < rows; r++) {
      const a = axes[r];
      for (let c = 0; c <= r; c++) {
        const b = axes[c];
        let sum = 0.0;
        for (let j = 0; j < n; j++) sum += jacobian[n * a + j] * jacobian[n * b + j];
        square[rows * r + c] = sum * (a < 3 ? 1 : length) * (b < 3 ? 1 : length);
      }
    }
    factorCholesky(square, square, rows, this.tolerance);
    let product = 1.0;
    for (let r = 0; r < rows; r++) product *= square[(rows + 1) * r];
    this.manipulability[0] = product > 0 ? product : 0;
  }

  /** Fills `change` for a displacement and a rotation vector. Call `measure` first. @alloc none */
  resolve(way: Float64Array): void {
    const { task, change, rank, upright } = this;
    const n = this.count;
    const length = this.length[0];
    const { values: sigma, left, right } = this.decomposition;
    const ofTask = upright ? right : left;
    const ofJoints = upright ? left : right;
    for (let a = 0; a < 6; a++) task[a] = a < 3 ? way[a] : length * way[a];
    const edge = EDGE * sigma[0];
    const least = sigma[rank - 1];
    const damping = least < edge ? edge * edge - least * least : 0;
    for (let j = 0; j < n; j++) change[j] = 0;
    for (let k = 0; k < rank; k++) {
      let along = 0.0;
      for (let a = 0; a < 6; a++) along += ofTask[rank * a + k] * task[a];
      const gain = sigma[k] > 0 ? (sigma[k] * along) / (sigma[k] * sigma[k] + damping) : 0;
      for (let j = 0; j < n; j++) change[j] += ofJoints[rank * j + k] * gain;
    }
  }
}
