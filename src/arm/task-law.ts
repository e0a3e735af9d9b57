/** Common part of the laws in the task space: the reference, and the inputs of an impedance. docs/theory/arm.md. */
import { ArmReadout, type ArmImpedance, type ArmModel, taskAxes } from '../model/arm-spec.ts';
import type { ImpedanceController } from '../control/impedance.ts';
import { computePoseError } from '../control/pose-error.ts';
import { advanceQuaternion } from '../math/quaternion.ts';
import type { RigidBody } from '../multibody/body.ts';
import type { ArmView } from './arm-law.ts';
import { PoseReference, REFERENCE_MEMORY } from './pose-reference.ts';

const SECOND = Float64Array.of(1);

/** Number of arena values of a law in the task space. */
export const TASK_MEMORY: number = REFERENCE_MEMORY;

/** Reference and task rows of a law in the task space. */
export class TaskReference {
  /** Task rows among the six of a twist, and the other rows. */
  readonly axes: Uint8Array;
  readonly others: Uint8Array;
  private readonly view: ArmView;
  private readonly stiffness: Float64Array;
  private readonly slow: ImpedanceController;
  private readonly place: PoseReference;
  private readonly error = new Float64Array(6);
  private readonly pose = new Float64Array(7);
  private readonly turn = new Float64Array(3);

  /**
   * @param slow impedance whose inputs are filled
   * @param tip tip of the arm, where the wrench acts
   */
  constructor(
    model: ArmModel,
    impedance: ArmImpedance,
    slow: ImpedanceController,
    view: ArmView,
    target: RigidBody | null,
    tip: Float64Array,
    memory: Float64Array,
  ) {
    const axes = taskAxes(model);
    this.axes = Uint8Array.from(axes);
    this.others = Uint8Array.from([0, 1, 2, 3, 4, 5].filter((a) => !axes.includes(a)));
    this.view = view;
    this.slow = slow;
    this.stiffness = Float64Array.from(impedance.rows.stiffness);
    const { gravity } = view.rigid;
    this.place = new PoseReference(impedance, this.axes, target, tip, gravity, memory);
  }

  /** Fills error, error rate, reference acceleration and wrench of the impedance. @alloc none */
  evaluate(wrench: Float64Array, timing: Float64Array): void {
    const { view, place, slow, axes, error } = this;
    const { tip, resolver } = view;
    place.evaluate(view.reference, 7, wrench, timing);
    resolver.resolve(place.twist, 0, timing);
    place.slow(resolver.readout, ArmReadout.rateScale);
    computePoseError(error, place.pose, 0, tip, 0);
    for (let r = 0; r < axes.length; r++) {
      const a = axes[r];
      slow.error[r] = error[a];
      slow.errorRate[r] = place.twist[a] - tip[7 + a];
      slow.referenceAcceleration[r] = place.acceleration[a];
      slow.wrench[r] = wrench[a];
    }
  }

  /** Advances the reference. The command does not advance it while a torque is at its limit. @alloc none */
  advance(timing: Float64Array, limited: number): void {
    const { slow, axes, stiffness } = this;
    const { reference } = this.view;
    let pull = 0.0;
    for (let r = 0; r < axes.length; r++) {
      pull += stiffness[r] * slow.error[r] * reference[7 + axes[r]];
    }
    this.place.advance(timing, limited === 1 && pull > 0 ? 1 : 0);
  }

  /**
   * Moves the reference so that the springs of the impedance hold this wrench at the present rotor
   * positions. @alloc none
   */
  settle(wrench: Float64Array): void {
    const { axes, stiffness, error, pose, turn } = this;
    const { tip } = this.view;
    for (let a = 0; a < 6; a++) error[a] = 0;
    for (let r = 0; r < axes.length; r++) {
      if (stiffness[r] > 0) error[axes[r]] = -wrench[axes[r]] / stiffness[r];
    }
    for (let a = 0; a < 3; a++) {
      pose[a] = tip[a] + error[a];
      turn[a] = error[3 + a];
    }
    for (let a = 3; a < 7; a++) pose[a] = tip[a];
    advanceQuaternion(pose, 3, pose, 3, turn, 0, SECOND);
    this.place.settle(pose);
  }
}
