/**
 * Bristle friction in the steps of a tree: docs/theory/joint-friction.md, `Tree.step`. It brakes what the motor of a joint turns: the
 * rotor behind a flexible gear, else the joint.
 *
 * A step changes the rates by 2 δ, A δ = h/2 (τ + …), A = M + h/2 D + h²/4 K. So a friction torque T adds h A⁻¹ T to the rates at
 * its end. The mobility of the law is the part of A⁻¹ of these rates at the start of the step, and stiff gears are in it.
 */
import { JOINT_FRICTION_STATES, JointFriction } from './joint-friction.ts';
import type { TreeFactors } from './tree-factors.ts';
import { layoutTree } from './tree-layout.ts';
import type { JointFrictionModel, TreeModel } from '../../model/tree-model.ts';

interface RubbingJoint {
  readonly model: JointFrictionModel;
  /** Places among the rates and the positions. */
  readonly place: number;
  readonly position: number;
}

function rubbingJoints(model: TreeModel): RubbingJoint[] {
  const { links } = layoutTree(model);
  return model.links.flatMap(({ joint }, i) => {
    if (joint.kind !== 'revolute' && joint.kind !== 'prismatic') return [];
    if (joint.friction === undefined) return [];
    const { rate, rotorRate, position, rotorPosition } = links[i];
    const rigid = rotorRate < 0;
    return [
      {
        model: joint.friction,
        place: rigid ? rate : rotorRate,
        position: rigid ? position : rotorPosition,
      },
    ];
  });
}

/** States that the friction of a tree needs; 0 when no joint has any. */
export function treeFrictionStates(model: TreeModel): number {
  return JOINT_FRICTION_STATES * rubbingJoints(model).length;
}

/** Bristle friction of the joints of one tree. */
export class TreeFriction {
  readonly law: JointFriction;
  private readonly places: Int32Array;
  private readonly positions: Int32Array;
  private readonly before: Float64Array;
  private readonly rates: Float64Array;
  private readonly mobility: Float64Array;
  private readonly column: Float64Array;

  /** @param states `treeFrictionStates` values, in the arena */
  constructor(model: TreeModel, states: Float64Array) {
    const joints = rubbingJoints(model);
    const n = joints.length;
    this.law = new JointFriction(
      joints.map((joint) => joint.model),
      states,
    );
    this.places = Int32Array.from(joints, ({ place }) => place);
    this.positions = Int32Array.from(joints, ({ position }) => position);
    this.before = new Float64Array(n);
    this.rates = new Float64Array(n);
    this.mobility = new Float64Array(n * n);
    this.column = new Float64Array(layoutTree(model).rates);
  }

  /**
   * Torques for a step of timing[0] from the rates `u`, in which half the change without friction would be `half`; `factors` are those
   * of A. @alloc none
   */
  solve(factors: TreeFactors, u: Float64Array, half: Float64Array, timing: Float64Array): void {
    const { law, places, before, rates, mobility, column } = this;
    const n = places.length;
    for (let k = 0; k < n; k++) {
      before[k] = u[places[k]];
      rates[k] = before[k] + 2 * half[places[k]];
      for (let i = 0; i < column.length; i++) column[i] = 0;
      column[places[k]] = 1;
      factors.solve(column);
      for (let i = 0; i < n; i++) mobility[n * i + k] = column[places[i]];
    }
    law.solve(before, rates, mobility, timing);
  }

  /** half += h/2 A⁻¹ T, `factors` those of A. @alloc none */
  addHalfChange(factors: TreeFactors, half: Float64Array, timing: Float64Array): void {
    const { law, places, column } = this;
    for (let i = 0; i < column.length; i++) column[i] = 0;
    for (let k = 0; k < places.length; k++) column[places[k]] = 0.5 * timing[0] * law.torque[k];
    factors.solve(column);
    for (let i = 0; i < column.length; i++) half[i] += column[i];
  }

  /** sum[0] += what the torques of the last step took from the positions `before` to `after`, J. @alloc none */
  addLoss(before: Float64Array, after: Float64Array, sum: Float64Array): void {
    const { law, positions } = this;
    for (let k = 0; k < positions.length; k++) {
      sum[0] -= law.torque[k] * (after[positions[k]] - before[positions[k]]);
    }
  }
}
