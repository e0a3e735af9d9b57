/**
 * The plain description of an articulated chain: links joined one after the other, the first to a fixed base. Everything is SI.
 *
 * The frame of a link has its origin at its centre of mass, as that of a body. Joint axes are given in the frame of their link.
 */
import type { Triple } from './contact-spec.ts';

/** One turning axis. */
export interface RevoluteJointModel {
  readonly kind: 'revolute';
  /** Unit axis. */
  readonly axis: Triple;
  /** Angle of the link against its parent at time zero, rad, right-handed about the axis. */
  readonly angle: number;
  /** rad/s */
  readonly rate: number;
}

/** Two axes through one point, the first carried by the parent, the second by the link: R = R(axis 1, angle 1) R(axis 2, angle 2). */
export interface UniversalJointModel {
  readonly kind: 'universal';
  /** Unit axes, not parallel; both in the frame of the link at angles zero. */
  readonly axes: readonly [Triple, Triple];
  readonly angles: readonly [number, number];
  readonly rates: readonly [number, number];
}

/** Every joint. */
export type JointModel = RevoluteJointModel | UniversalJointModel;

/** One link and the joint that carries it. Its name stands beside those of the bodies: contacts and springs may use it. */
export interface LinkModel {
  readonly name: string;
  /** kg, > 0 */
  readonly mass: number;
  /**
   * Inertia about the centre of mass in the link's frame (Ixx, Iyy, Izz, Ixy, Ixz, Iyz), kg m². May be 0 about axes that the link
   * cannot turn about or where its own mass gives enough (a point mass, a thin rod); never negative.
   */
  readonly inertia: readonly [number, number, number, number, number, number];
  readonly joint: JointModel;
  /** The joint in the frame of the parent link, or of the base for the first link, m. */
  readonly jointInParent: Triple;
  /** The joint in the frame of this link, m. */
  readonly jointInLink: Triple;
  /** Quaternion (x, y, z, w) that turns vectors of this link into its parent's frame when the joint angles are zero; none when left out. */
  readonly orientation?: readonly [number, number, number, number];
}

/** A chain of links on a fixed base. */
export interface ChainModel {
  readonly name: string;
  /** Origin of the base frame, world, m. */
  readonly position: Triple;
  /** Quaternion (x, y, z, w) of the base frame. */
  readonly orientation: readonly [number, number, number, number];
  /** At least one, from the base outwards. */
  readonly links: readonly LinkModel[];
}
