/**
 * Composite control of a flexible arm (`Kim 1999, (5.26)`, src/control/composite.ts).
 * docs/theory/arm.md.
 *
 * An impedance controls the rigid motion. A regulator drives the elastic forces of the links to
 * those of the rigid motion. The law measures the modes. Gears are rigid and all joints are driven.
 */
import type { ArmFastLoop, ArmImpedance, ArmModel } from '../model/arm-spec.ts';
import { CompositeController } from '../control/composite.ts';
import type { RigidBody } from '../multibody/body.ts';
import { treeFreedoms } from '../multibody/tree/tree-layout.ts';
import { Tree } from '../multibody/tree/tree.ts';
import type { ArmLaw, ArmView } from './arm-law.ts';
import { GuardedTorque } from './guarded-torque.ts';
import { TaskReference } from './task-law.ts';
import { TreeDynamics } from './tree-dynamics.ts';

/** Composite control law of an arm with flexible links. */
export class CompositeLaw implements ArmLaw {
  limited = 0;
  private readonly view: ArmView;
  private readonly law: CompositeController;
  private readonly task: TaskReference;
  /** The arm with its modes at rest and undeformed. */
  private readonly straight: Tree;
  private readonly dynamics: TreeDynamics;
  private readonly guard: GuardedTorque;
  private readonly whole: Float64Array;
  private readonly drift = new Float64Array(6);
  private readonly jacobian: Float64Array;
  private readonly jacobianBias: Float64Array;
  private readonly flexure: Float64Array;

  constructor(
    model: ArmModel,
    impedance: ArmImpedance,
    fast: ArmFastLoop,
    view: ArmView,
    target: RigidBody | null,
    tip: Float64Array,
    memory: Float64Array,
  ) {
    const { positions, rates } = treeFreedoms(model.tree);
    const { joints } = view;
    const rows = impedance.rows.mass.length;
    this.view = view;
    this.straight = new Tree(model.tree, new Float64Array(positions + rates));
    this.straight.gravity.set(view.rigid.gravity);
    this.law = new CompositeController({
      rigid: joints.count,
      flexible: rates - joints.count,
      stiffness: Array.from(joints.modeStiffness),
      impedance: impedance.rows,
      fast: { gain: Float64Array.from(fast.gain), scale: fast.scale },
    });
    this.task = new TaskReference(model, impedance, this.law.slow, view, target, tip, memory);
    this.dynamics = new TreeDynamics(model, this.straight);
    this.guard = new GuardedTorque(view, model.rate.limitMargin);
    this.whole = new Float64Array(6 * rates);
    this.jacobian = new Float64Array(rows * rates);
    this.jacobianBias = new Float64Array(rows);
    this.flexure = new Float64Array(2 * (rates - joints.count));
  }

  /** @alloc none */
  compute(wrench: Float64Array, timing: Float64Array): void {
    const { law, task, guard, dynamics } = this;
    task.evaluate(wrench, timing);
    this.updateDynamics(wrench);
    law.compute(dynamics.mass, this.jacobian, this.jacobianBias, dynamics.bias, this.flexure);
    guard.apply(law.torque, timing);
    this.limited = guard.limited;
    task.advance(timing, guard.limited);
  }

  /** @alloc none */
  settle(_load: Float64Array, wrench: Float64Array): void {
    this.task.settle(wrench);
    this.limited = 0;
  }

  /**
   * Sets the straight arm to the joint positions and rates, and reads the modes. Joints come before
   * modes in a tree.
   */
  private updateDynamics(wrench: Float64Array): void {
    const { straight, dynamics, whole, drift, jacobian, jacobianBias, flexure } = this;
    const { tree, frame, position, rate } = this.view;
    const { axes, others } = this.task;
    const n = straight.n;
    const joints = position.length;
    const modes = n - joints;
    for (let j = 0; j < joints; j++) {
      straight.q[j] = position[j];
      straight.u[j] = rate[j];
    }
    for (let i = 0; i < modes; i++) {
      flexure[i] = tree.q[joints + i];
      flexure[modes + i] = tree.u[joints + i];
    }
    straight.refresh();
    dynamics.compute();
    straight.frameJacobian(frame, whole);
    straight.frameBias(frame, drift);
    for (let i = 0; i < n; i++) {
      for (let r = 0; r < others.length; r++) {
        dynamics.bias[i] -= whole[n * others[r] + i] * wrench[others[r]];
      }
    }
    for (let r = 0; r < axes.length; r++) {
      jacobianBias[r] = drift[axes[r]];
      for (let i = 0; i < n; i++) jacobian[n * r + i] = whole[n * axes[r] + i];
    }
  }
}
