/**
 * Inverse kinematics of an arm from a seed: Levenberg–Marquardt with damping proportional to the
 * error (`Sugihara 2011`, IEEE Trans. Robotics 27, 984–991). It converges at singularities too, and
 * to the nearest pose when the pose is out of reach. Joints stay within their limits. When a seed
 * fails, the search restarts from a fixed sequence of other points.
 *
 * It is for start poses and slow loops: the number of steps varies. Nothing is allocated after
 * construction.
 */
import { factorCholesky, solveLower, solveLowerTransposed } from '../math/cholesky.ts';
import { computePoseError } from './pose-error.ts';

/** Kinematics of an arm, for inverse kinematics. */
export interface ArmKinematics {
  /** Number of joints, and their ranges. */
  readonly joints: number;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Pose p(3), q(4) of the end and its Jacobian (6 × joints). `evaluate` fills them. */
  readonly pose: Float64Array;
  readonly jacobian: Float64Array;
  evaluate(position: Float64Array): void;
}

/** Residual error below which a pose counts as reached, m and rad. */
const REACHED = 1e-9;
const STEPS = 100;
const STARTS = 64;
/** Constant part of the damping, relative to the largest diagonal element. It keeps the matrix regular. */
const LEAST_DAMPING = 1e-12;

/** Inverse kinematics of one arm. */
export class InverseKinematics {
  /** Joint positions of the solution, or the best ones found. */
  readonly position: Float64Array;
  /** Remaining error, m and rad combined. */
  distance = Infinity;
  angle = Infinity;
  /** Steps taken over all starts. */
  steps = 0;
  private readonly arm: ArmKinematics;
  private readonly length: number;
  private readonly trial: Float64Array;
  private readonly error = new Float64Array(6);
  private readonly matrix: Float64Array;
  private readonly step: Float64Array;
  private readonly free: Uint8Array;
  private readonly tolerance = new Float64Array(1);
  private smallest = Infinity;

  /** @param length length that makes rotations comparable with displacements, about the reach of the arm, m */
  constructor(arm: ArmKinematics, length: number) {
    this.arm = arm;
    this.length = length;
    this.position = new Float64Array(arm.joints);
    this.trial = new Float64Array(arm.joints);
    this.matrix = new Float64Array(arm.joints * arm.joints);
    this.step = new Float64Array(arm.joints);
    this.free = new Uint8Array(arm.joints);
  }

  /**
   * Searches for the pose p(3), q(4) from `seed`. `position` holds the best result. @returns
   * whether the pose was reached
   */
  solve(pose: Float64Array, seed: Float64Array): boolean {
    this.smallest = Infinity;
    this.steps = 0;
    for (let start = 0; start < STARTS; start++) {
      this.startFrom(seed, start);
      this.descend(pose);
      if (this.distance < REACHED && this.angle < REACHED) return true;
    }
    return false;
  }

  /** One sentence on why the last pose was not reached. */
  explain(): string {
    return (
      `The pose is out of reach: the nearest one found within the joint limits is ${this.distance.toPrecision(3)} m and ` +
      `${this.angle.toPrecision(3)} rad away`
    );
  }

  /**
   * Selects a start: first the seed, then points of a Halton sequence over the ranges. A joint
   * without limits gets a turn about the seed.
   */
  private startFrom(seed: Float64Array, start: number): void {
    const { lower, upper } = this.arm;
    for (let j = 0; j < this.trial.length; j++) {
      let x = seed[j];
      if (start > 0) {
        const bounded = upper[j] - lower[j] < Infinity;
        const from = bounded ? lower[j] : seed[j] - Math.PI;
        x = from + halton(start, j) * (bounded ? upper[j] - lower[j] : 2 * Math.PI);
      }
      this.trial[j] = x < lower[j] ? lower[j] : x > upper[j] ? upper[j] : x;
    }
  }

  private descend(pose: Float64Array): void {
    const { arm, trial, error, length, step } = this;
    let before = Infinity;
    let stalled = 0;
    for (let n = 0; n < STEPS; n++) {
      this.steps++;
      arm.evaluate(trial);
      computePoseError(error, pose, 0, arm.pose, 0);
      for (let a = 0; a < 3; a++) error[a] /= length;
      let square = 0;
      for (let a = 0; a < 6; a++) square += error[a] * error[a];
      this.keep(square);
      if (this.distance < REACHED && this.angle < REACHED) return;
      stalled = square > 0.999 * before ? stalled + 1 : 0;
      if (stalled > 5) return;
      before = square;
      if (!this.findStep(square)) return;
      for (let j = 0; j < trial.length; j++) {
        // half a radian at most, because the Jacobian is valid near the present position only
        const d = step[j] > 0.5 ? 0.5 : step[j] < -0.5 ? -0.5 : step[j];
        const x = trial[j] + d;
        trial[j] = x < arm.lower[j] ? arm.lower[j] : x > arm.upper[j] ? arm.upper[j] : x;
      }
    }
  }

  private keep(square: number): void {
    if (!(square < this.smallest)) return;
    this.smallest = square;
    const e = this.error;
    this.distance = this.length * Math.sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    this.angle = Math.sqrt(e[3] * e[3] + e[4] * e[4] + e[5] * e[5]);
    for (let j = 0; j < this.trial.length; j++) this.position[j] = this.trial[j];
  }

  /** step := (JᵀJ + λ)⁻¹Jᵀe over the joints that are not pushed beyond a limit. */
  private findStep(square: number): boolean {
    const { arm, trial, step, free } = this;
    const n = arm.joints;
    free.fill(1);
    for (let round = 0; round < n; round++) {
      if (!this.solveStep(square)) return false;
      let blocked = 0;
      for (let j = 0; j < n; j++) {
        const out =
          (trial[j] >= arm.upper[j] && step[j] > 0) || (trial[j] <= arm.lower[j] && step[j] < 0);
        if (free[j] === 1 && out) {
          free[j] = 0;
          blocked++;
        }
      }
      if (blocked === 0) return true;
    }
    return true;
  }

  private solveStep(square: number): boolean {
    const { arm, matrix, step, error, free, length } = this;
    const n = arm.joints;
    const jacobian = arm.jacobian;
    let largest = 0;
    for (let i = 0; i < n; i++) {
      step[i] = 0;
      for (let a = 0; a < 6; a++) {
        const unit = a < 3 ? 1 / length : 1;
        step[i] += free[i] * jacobian[a * n + i] * unit * error[a];
      }
      for (let j = 0; j <= i; j++) {
        let sum = 0;
        for (let a = 0; a < 6; a++) {
          const unit = a < 3 ? 1 / (length * length) : 1;
          sum += jacobian[a * n + i] * jacobian[a * n + j] * unit;
        }
        matrix[i * n + j] = free[i] * free[j] * sum;
      }
      if (matrix[i * n + i] > largest) largest = matrix[i * n + i];
    }
    const damping = 0.5 * square + LEAST_DAMPING * largest;
    for (let i = 0; i < n; i++) matrix[i * n + i] += free[i] === 1 ? damping : 1;
    if (factorCholesky(matrix, matrix, n, this.tolerance) === 0) return false;
    solveLower(matrix, n, step, 0);
    solveLowerTransposed(matrix, n, step, 0);
    return true;
  }
}

const PRIMES = [2, 3, 5, 7, 11, 13, 17, 19];

/** Element `index` of the Halton sequence of one joint, 0 … 1. */
function halton(index: number, joint: number): number {
  const base = PRIMES[joint % PRIMES.length];
  let value = 0;
  let part = 1 / base;
  for (let rest = index; rest > 0; rest = Math.floor(rest / base)) {
    value += part * (rest % base);
    part /= base;
  }
  return value;
}
