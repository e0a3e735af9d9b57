/**
 * Interface of the control laws of an arm. The arm's model decides which law is made.
 * docs/theory/arm.md, Control laws.
 */
import type { Tree } from '../multibody/tree/tree.ts';
import type { ArmJoints } from './arm-joints.ts';
import type { JointServo } from './joint-servo.ts';
import type { TwistResolver } from './twist-resolver.ts';

/** What a control law reads of its arm. The arm updates it before each step. */
export interface ArmView {
  /** The flexible arm. Laws read its modes only. */
  readonly tree: Tree;
  readonly joints: ArmJoints;
  /** Index of the first driven joint. */
  readonly first: number;
  /** The rigid arm at positions and rates of the rotors; index, pose and twist of its tip frame. */
  readonly rigid: Tree;
  readonly frame: number;
  readonly tip: Float64Array;
  /** Positions and rates of the rotors, and spring torques on them. */
  readonly position: Float64Array;
  readonly rate: Float64Array;
  readonly spring: Float64Array;
  /** Reference motion; the twist at 7 is what the accommodation demands. */
  readonly reference: Float64Array;
  readonly resolver: TwistResolver;
  /** Servos. A law writes their torques; the readout shows their references. */
  readonly servo: JointServo;
}

/** A control law. `compute` fills `servo.torque` of its view. */
export interface ArmLaw {
  /** 1 when a torque was at its limit in the last step. */
  readonly limited: number;
  /** Computes the torques for a step of timing[0] with this wrench on the tip. @alloc none */
  compute(wrench: Float64Array, timing: Float64Array): void;
  /** Sets the reference so that it holds the resting arm under these spring torques and this wrench. @alloc none */
  settle(load: Float64Array, wrench: Float64Array): void;
}
