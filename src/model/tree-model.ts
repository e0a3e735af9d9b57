/**
 * The plain description of an articulated tree: links joined to their parents by joints, some of them flexible beams. SI, radians,
 * right-handed; docs/theory/trees.md.
 *
 * The frame of a link lies at its joint and moves with it. Where a child begins is given in the end frame of its parent. That is,
 * for a rigid link, its own frame; for a flexible one, the frame at the tip of the bent beam. Parents come before their children.
 */
import type { Quadruple, Sextuple, Triple } from '../base/tuples.ts';
import type { CellModel } from '../shapes/cell-model.ts';

/** Friction of a joint by the bristle law, in N m (revolute) or N (prismatic). `Gonthier 2007, (3.28)–(3.42)` for one degree of freedom. */
export interface JointFrictionModel {
  /** Largest friction at rest, and while it slides. */
  readonly stiction: number;
  readonly coulomb: number;
  /** Of the bristles, N m/rad and N m s/rad. */
  readonly bristleStiffness: number;
  readonly bristleDamping: number;
  /** N m s/rad. */
  readonly viscous: number;
  /** Speed over which stiction falls to the Coulomb level, rad/s; time to regain it at rest, s. */
  readonly stribeckSpeed: number;
  readonly dwellTime: number;
}

/** Actuator: its rotor, reflected to the joint, and what lies between rotor and link. */
export interface JointDriveModel {
  /** Reflected to the joint, kg m² or kg, > 0. */
  readonly rotorInertia: number;
  /** Gear and joint flexibility, N m/rad and N m s/rad; null: the rotor is fixed to the link and adds to its inertia. */
  readonly stiffness: number | null;
  readonly damping: number;
  /** Largest torque, N m or N; Infinity for an ideal actuator. */
  readonly effortLimit: number;
}

/** Spring and damper side by side in one freedom of a joint: effort −K (x − rest) − D x'. Each of them may be 0. */
export interface JointSpringModel {
  /** N m/rad or N/m, >= 0. */
  readonly stiffness: number;
  /** N m s/rad or N s/m, >= 0. */
  readonly damping: number;
  /** Position without effort, rad or m. */
  readonly rest: number;
}

/** What revolute and prismatic joints share. */
interface AxisJointModel {
  /** Unit vector in the frame of the link. */
  readonly axis: Triple;
  /** At time zero, rad and rad/s or m and m/s. */
  readonly position: number;
  readonly rate: number;
  /** Range, and largest speed; infinite when left out. Told to controllers: the dynamics does not stop there. */
  readonly lower?: number;
  readonly upper?: number;
  readonly rateLimit?: number;
  /** Largest torque or force of a joint without a drive of its own; infinite when left out. Servos keep to it. */
  readonly effortLimit?: number;
  readonly spring?: JointSpringModel;
  readonly friction?: JointFrictionModel;
  readonly drive?: JointDriveModel;
}

/** Two axes through one point, the first carried by the parent, the second by the link: R = R(axis 1, angle 1) R(axis 2, angle 2). */
export interface UniversalJointModel {
  readonly kind: 'universal';
  /** Unit axes, not parallel; both in the frame of the link at angles zero. */
  readonly axes: readonly [Triple, Triple];
  /** At time zero, rad and rad/s. */
  readonly angles: readonly [number, number];
  readonly rates: readonly [number, number];
  /** Of each axis. */
  readonly springs?: readonly [JointSpringModel, JointSpringModel];
}

/**
 * How a link moves against the end frame of its parent. Rates: `spherical` the angular velocity of the link against its parent in
 * the frame of the parent's end. `free`: velocity of the link's origin, then that angular velocity, both in the frame of the
 * parent's end.
 */
export type TreeJointModel =
  | { readonly kind: 'fixed' }
  | ({ readonly kind: 'revolute' } & AxisJointModel)
  | ({ readonly kind: 'prismatic' } & AxisJointModel)
  | UniversalJointModel
  | {
      readonly kind: 'spherical';
      readonly orientation: Quadruple;
      readonly angularVelocity: Triple;
    }
  | {
      readonly kind: 'free';
      readonly position: Triple;
      readonly orientation: Quadruple;
      readonly velocity: Triple;
      readonly angularVelocity: Triple;
    };

/**
 * A uniform Euler–Bernoulli beam along +x of the link's frame, from the joint to (length, 0, 0), clamped at the joint. Its
 * deflection in y and z is a sum of clamped–free modes. `Kim 1999, (3.3)–(3.10)`. Its mass is that of the link, its centre lies at
 * length/2.
 */
export interface FlexibleBeamModel {
  readonly length: number;
  /** E I, N m², of bending in the xy plane (deflection y) and in the xz plane (deflection z); > 0. */
  readonly bendingStiffness: readonly [number, number];
  /** Modes in each of these planes, 0 … 6. */
  readonly modes: readonly [number, number];
  /** Part of critical damping of every mode, >= 0. */
  readonly damping: number;
  /** Whether centrifugal force stiffens the beam. */
  readonly centrifugalStiffening: boolean;
  /** Modal coordinates and rates at time zero, y modes then z modes, m and m/s; zero when left out. */
  readonly deflection?: readonly number[];
  readonly deflectionRate?: readonly number[];
}

/** One link. */
export interface TreeLinkModel {
  readonly name: string;
  /** Index of the parent, −1 for the base. */
  readonly parent: number;
  /** Where the joint lies in the end frame of the parent, and how the link's frame is turned there at zero. */
  readonly position: Triple;
  readonly orientation: Quadruple;
  readonly joint: TreeJointModel;
  /** kg, >= 0; what hangs on a link without mass must have some. */
  readonly mass: number;
  /** Centre of mass in the frame of the link. For a flexible link (length/2, 0, 0). */
  readonly center: Triple;
  /** About the centre of mass, axes of the link (Ixx, Iyy, Izz, Ixy, Ixz, Iyz), kg m². Of a flexible link Ixx alone counts: its torsional inertia. */
  readonly inertia: Sextuple;
  readonly beam?: FlexibleBeamModel;
  /**
   * What the link is made of for volumetric contacts, in its frame as a body: axes of the link, origin at the centre of mass (of a
   * flexible link the end frame). Of links in a contact system; none when left out.
   */
  readonly cells?: readonly CellModel[];
  /** What it is drawn as where it has no cells, in the same frame. */
  readonly drawing?: readonly CellModel[];
}

/** A named frame, fixed to the end frame of a link: tool, wrist, camera. */
export interface TreeFrameModel {
  readonly name: string;
  readonly link: number;
  readonly position: Triple;
  readonly orientation: Quadruple;
}

/** A tree and where its base stands in the world. */
export interface TreeModel {
  readonly name: string;
  readonly position: Triple;
  readonly orientation: Quadruple;
  readonly links: readonly TreeLinkModel[];
  readonly frames: readonly TreeFrameModel[];
}

/** A circular orbit, seen from the frame that turns with it. */
export interface OrbitModel {
  /** Angular rate, rad/s. */
  readonly rate: number;
  /** Unit vectors of the world: away from the Earth, and the orbit's normal, square to it. */
  readonly radial: Triple;
  readonly normal: Triple;
}
