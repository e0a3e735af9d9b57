/**
 * Limits the torques of a task-space law. Servos hold the joints that are not driven. A driven
 * joint beyond its range gets the servo torque when that brings it back more strongly.
 */
import type { ArmView } from './arm-law.ts';

/** Limiter of the torques of a task-space law. */
export class GuardedTorque {
  /** 1 when a torque was at its limit in the last step. */
  limited = 0;
  private readonly view: ArmView;
  private readonly lower: Float64Array;
  private readonly upper: Float64Array;

  /** @param margin distance from a joint limit at which the joint counts as beyond it */
  constructor(view: ArmView, margin: number) {
    const { joints } = view;
    this.view = view;
    this.lower = joints.lower.map((value) => value + margin);
    this.upper = joints.upper.map((value) => value - margin);
  }

  /**
   * Marks the driven joints beyond their range that these torques would push further out, compared
   * with torques that hold still.
   * @returns their number @alloc none
   */
  findHeld(wanted: Float64Array, still: Float64Array, held: Uint8Array): number {
    const { lower, upper } = this;
    const { first, position } = this.view;
    let count = 0;
    for (let j = 0; j < wanted.length; j++) {
      const x = position[first + j];
      const push = wanted[j] - still[j];
      held[j] = (x > upper[first + j] && push > 0) || (x < lower[first + j] && push < 0) ? 1 : 0;
      count += held[j];
    }
    return count;
  }

  /** Fills the torques of all servos from the torques wanted of the driven joints. @alloc none */
  apply(wanted: Float64Array, timing: Float64Array): void {
    const { view, lower, upper } = this;
    const { servo, joints, first, position } = view;
    const { reference, referenceRate, torque } = servo;
    for (let j = first; j < torque.length; j++) {
      const x = position[j];
      reference[j] = x < lower[j] ? lower[j] : x > upper[j] ? upper[j] : x;
    }
    for (let j = 0; j < torque.length; j++) referenceRate[j] = 0;
    servo.compute(position, view.rate, view.spring, timing);
    this.limited = 0;
    for (let j = 0; j < torque.length; j++) {
      const most = joints.effortLimit[j];
      if (j >= first) {
        const asked = wanted[j - first];
        const back = torque[j];
        const x = position[j];
        if (x > upper[j]) torque[j] = asked < back ? asked : back;
        else if (x < lower[j]) torque[j] = asked > back ? asked : back;
        else torque[j] = asked;
      }
      if (torque[j] > most) torque[j] = most;
      else if (torque[j] < -most) torque[j] = -most;
      if (torque[j] === most || torque[j] === -most) this.limited = 1;
    }
  }
}
