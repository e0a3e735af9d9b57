/**
 * Arm kinematics of a chain of joints in an articulated tree: pose and Jacobian of a named frame,
 * everything else at rest.
 */
import { BerthError } from '../base/errors.ts';
import type { Tree } from '../multibody/tree/tree.ts';
import type { ArmKinematics } from './inverse-kinematics.ts';

/** Kinematics of the joints between the base of a tree and one of its frames. It owns the state of the tree. */
export class TreeArm implements ArmKinematics {
  readonly joints: number;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly rateLimit: Float64Array;
  readonly pose: Float64Array = new Float64Array(7);
  readonly jacobian: Float64Array;
  /** Index of each joint among the positions and the rates of the tree, from the base outwards. */
  readonly positions: Int32Array;
  readonly rates: Int32Array;
  private readonly tree: Tree;
  private readonly frame: number;
  private readonly whole: Float64Array;

  /** @throws BERTH_UNSUPPORTED when a joint on the way to the frame is spherical or free */
  constructor(tree: Tree, frame: number) {
    this.tree = tree;
    this.frame = frame;
    const { links, frames } = tree.model;
    const chain: number[] = [];
    for (let i = frames[frame].link; i >= 0; i = links[i].parent) chain.unshift(i);
    const moved = chain.filter((i) => links[i].joint.kind !== 'fixed');
    const [lower, upper, limits]: [number[], number[], number[]] = [[], [], []];
    for (const i of moved) {
      const { joint, name } = links[i];
      if (joint.kind !== 'revolute' && joint.kind !== 'prismatic') {
        throw new BerthError(
          'BERTH_UNSUPPORTED',
          `Expected revolute and prismatic joints on the way to \`${frames[frame].name}\`, got ${joint.kind} at \`${name}\``,
        );
      }
      lower.push(joint.lower ?? -Infinity);
      upper.push(joint.upper ?? Infinity);
      limits.push(joint.rateLimit ?? Infinity);
    }
    this.joints = moved.length;
    this.lower = Float64Array.from(lower);
    this.upper = Float64Array.from(upper);
    this.rateLimit = Float64Array.from(limits);
    this.positions = Int32Array.from(moved, (i) => tree.layout.links[i].position);
    this.rates = Int32Array.from(moved, (i) => tree.layout.links[i].rate);
    this.jacobian = new Float64Array(6 * this.joints);
    this.whole = new Float64Array(6 * tree.n);
  }

  /** @alloc none */
  evaluate(position: Float64Array): void {
    const { tree, joints } = this;
    for (let j = 0; j < joints; j++) tree.q[this.positions[j]] = position[j];
    tree.refresh();
    const state = tree.frameState(this.frame);
    for (let a = 0; a < 7; a++) this.pose[a] = state[a];
    tree.frameJacobian(this.frame, this.whole);
    for (let a = 0; a < 6; a++) {
      for (let j = 0; j < joints; j++) {
        this.jacobian[a * joints + j] = this.whole[a * tree.n + this.rates[j]];
      }
    }
  }
}
