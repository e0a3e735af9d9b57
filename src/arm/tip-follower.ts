/**
 * Moves the tip of an arm to a measured pose by inverse kinematics on the flexible tree.
 * docs/theory/arm.md. The arm is at rest, bent by a wrench and its weight.
 */
import { computePoseError } from '../control/pose-error.ts';
import type { Tree } from '../multibody/tree/tree.ts';
import type { ArmJoints } from './arm-joints.ts';
import { JointStep } from './joint-step.ts';

/** Iterations per step. They end below the first error and succeed below the second, m and rad. */
const ITERATIONS = 3;
const REACHED = 1e-9;
const CLOSE = 1e-5;

/** Inverse kinematics of a flexible arm at rest. The joints before `first` hold. */
export class TipFollower {
  private readonly tree: Tree;
  private readonly joints: ArmJoints;
  private readonly frame: number;
  private readonly tip: Float64Array;
  private readonly first: number;
  private readonly step: JointStep;
  /** Generalized forces of gravity; they stay zero without gravity. */
  private readonly weight: Float64Array;
  private readonly jacobian: Float64Array;
  private readonly jointJacobian: Float64Array;
  private readonly error = new Float64Array(6);
  private readonly reached = Float64Array.of(REACHED);
  private readonly close = Float64Array.of(CLOSE);

  /** @param length length that makes rotations comparable with displacements, about the reach of the arm, m */
  constructor(tree: Tree, joints: ArmJoints, frame: number, first: number, length: number) {
    this.tree = tree;
    this.joints = joints;
    this.frame = frame;
    this.tip = tree.frameState(frame);
    this.first = first;
    this.step = new JointStep(joints.count - first, length);
    this.weight = new Float64Array(tree.n);
    this.jacobian = new Float64Array(6 * tree.n);
    this.jointJacobian = new Float64Array(6 * joints.count);
  }

  /**
   * Moves the joints towards `pose`, p(3) q(4), under `wrench`; load := joint torques needed.
   * @returns 1 when the tip is there @alloc none
   */
  moveTo(pose: Float64Array, wrench: Float64Array, load: Float64Array): number {
    const { tree, joints, jacobian, weight, error, step, first } = this;
    this.stop();
    for (let k = 0; k < ITERATIONS; k++) {
      tree.frameJacobian(this.frame, jacobian);
      this.computeWeight();
      joints.bend(tree.q, tree.u, jacobian, wrench, weight, load);
      tree.refresh();
      computePoseError(error, pose, 0, this.tip, 0);
      if (isSmall(error, this.reached)) break;
      this.measure();
      step.resolve(error);
      for (let j = first; j < joints.count; j++) {
        const at = joints.position[j];
        const wanted = tree.q[at] + step.change[j - first];
        const { lower, upper } = joints;
        tree.q[at] = wanted < lower[j] ? lower[j] : wanted > upper[j] ? upper[j] : wanted;
      }
      joints.bend(tree.q, tree.u, jacobian, wrench, weight, load);
      tree.refresh();
    }
    computePoseError(error, pose, 0, this.tip, 0);
    return isSmall(error, this.close) ? 1 : 0;
  }

  /** Sets the joint rates so that the tip rests in the world while the base moves. @alloc none */
  hold(): void {
    const { tree, joints, error, step, first } = this;
    tree.frameJacobian(this.frame, this.jacobian);
    this.measure();
    for (let a = 0; a < 6; a++) error[a] = -this.tip[7 + a];
    step.resolve(error);
    for (let j = first; j < joints.count; j++) {
      const rate = step.change[j - first];
      tree.u[joints.rate[j]] = rate;
      tree.u[joints.rotorRate[j]] = rate;
    }
    tree.refresh();
  }

  /** Stops the tree, so that its bias is its weight. */
  private stop(): void {
    if (!this.isHeavy()) return;
    this.tree.u.fill(0);
    this.tree.refresh();
  }

  private computeWeight(): void {
    if (this.isHeavy()) this.tree.computeWeight(this.weight);
  }

  private isHeavy(): boolean {
    const { gravity } = this.tree;
    return gravity[0] !== 0 || gravity[1] !== 0 || gravity[2] !== 0;
  }

  /** Decomposes the Jacobian of the flexible arm. */
  private measure(): void {
    const { tree, joints, jacobian, jointJacobian, first } = this;
    const driven = joints.count - first;
    for (let a = 0; a < 6; a++) {
      for (let j = first; j < joints.count; j++) {
        jointJacobian[a * driven + j - first] = jacobian[a * tree.n + joints.rate[j]];
      }
    }
    this.step.measure(jointJacobian);
  }
}

function isSmall(error: Float64Array, most: Float64Array): boolean {
  for (let a = 0; a < 6; a++) if (!(Math.abs(error[a]) <= most[0])) return false;
  return true;
}
