/**
 * What all control laws of an arm share: the arm as its controller knows it (rotors alone, straight links), the way from a twist to joint
 * rates, and where torques go. One law is chosen when the arm is built. docs/theory/arm.md, Control laws.
 */
import type { Tree } from '../multibody/tree/tree.ts';
import type { ArmJoints } from './arm-joints.ts';
import type { JointServo } from './joint-servo.ts';
import type { TwistResolver } from './twist-resolver.ts';

/** The arm before a step, brought up to date by who moves it. */
export interface ArmView {
  /** The arm itself: laws read its modes alone. */
  readonly tree: Tree;
  readonly joints: ArmJoints;
  /** First joint that is driven. */
  readonly first: number;
  /** The arm without flexibility at the positions and rates of the rotors; the frame of its tip, and its pose and twist. */
  readonly rigid: Tree;
  readonly frame: number;
  readonly tip: Float64Array;
  /** Rotors: positions, rates, torques of the springs on them. */
  readonly position: Float64Array;
  readonly rate: Float64Array;
  readonly spring: Float64Array;
  /** Body whose twist, at 7, the accommodation asks for. */
  readonly reference: Float64Array;
  readonly resolver: TwistResolver;
  /** Its torques are those of the law; its references what is told of them. */
  readonly servo: JointServo;
}

/** A control law. Fills `servo.torque` of its view. */
export interface ArmLaw {
  /** 1 when a torque was at its limit in the last step. */
  readonly limited: number;
  /** Torques for a step of timing[0] with this wrench on the tip. @alloc none */
  compute(wrench: Float64Array, timing: Float64Array): void;
  /** The arm was set to rest, with these torques of the joints' springs under this wrench: the reference is the one that holds it so. @alloc none */
  settle(load: Float64Array, wrench: Float64Array): void;
}
