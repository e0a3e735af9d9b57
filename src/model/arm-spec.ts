/**
 * The simulated arm of a tool as an articulated tree: the content of `ToolModel.robot`. SI, radians; docs/theory/arm.md.
 */
import type {
  ComputedTorqueModel,
  ImpedanceModel,
  PathPoint,
  ResolvedRateModel,
} from './control-spec.ts';
import type { OrbitModel, TreeModel } from './tree-model.ts';
import { type CodeIndices, codesOf, indicesOf, type NameIndices } from '../base/name-indices.ts';
import type { Triple } from '../base/tuples.ts';

/** Servo of a joint on its rotor: natural frequency and damping ratio about the inertia that the joint moves at the start. */
export interface ArmServoModel {
  /** rad/s, > 0. */
  readonly bandwidth: number;
  readonly dampingRatio: number;
}

/** A base that sways: a sin(w t + f) along each axis of the world, and about one, less what that is at time zero. */
export interface BaseSwayModel {
  /** m, rad/s and rad along x, y, z. */
  readonly amplitude: Triple;
  readonly rate: Triple;
  readonly phase: Triple;
  /** About a unit vector of the world, through the origin of the base: rad, rad/s, rad. */
  readonly turn: {
    readonly axis: Triple;
    readonly amplitude: number;
    readonly rate: number;
    readonly phase: number;
  };
}

/** Rows of the task of an arm: velocity of the tool point, then angular velocity, world. The index is the row. */
export const TASK_AXES = ['x', 'y', 'z', 'rx', 'ry', 'rz'] as const;

/**
 * Correction of the reference for a steady force error, `Kim 1999, (6.9)`: along a direction in the axes of the target, until the arm
 * pushes with this force.
 */
export interface ArmForceCorrection {
  /** Unit vector. */
  readonly direction: Triple;
  /** N, that the arm exerts along it. */
  readonly force: number;
  /** When it begins, s of the clock of the law. */
  readonly start: number;
  /** `integral`: an error of f adds f/(K_p time) per second. `repeated`: (6.9) as printed, each time that so much time is over, s. */
  readonly kind: 'integral' | 'repeated';
  readonly time: number;
}

/** Impedance and reference of the tool point. */
export interface ArmImpedance {
  /** One value a row of `axes`. */
  readonly rows: ImpedanceModel;
  /** Body that the reference goes with, (6.7); null: the world. */
  readonly target: string | null;
  /** Path in the axes of the target, (6.8), m; from where the tool point starts. Null: the command alone moves the reference. */
  readonly path: readonly PathPoint[] | null;
  readonly correction: ArmForceCorrection | null;
  /** Rate at which the motion of the joints that leaves the rows alone dies out, 1/s; of the law `impedance`. */
  readonly selfMotionDamping: number;
}

/** Regulator of the elastic forces, of `designFastRegulator`. */
export interface ArmFastLoop {
  /** F, joints × 2 modes, row by row, and the k that belongs to it. */
  readonly gain: readonly number[];
  readonly scale: number;
}

/** How the arm is made to follow its reference twist. docs/theory/arm.md. */
export type ArmControlModel =
  | { readonly law: 'resolved-rate' }
  | { readonly law: 'computed-torque'; readonly gains: ComputedTorqueModel }
  | { readonly law: 'impedance'; readonly impedance: ArmImpedance }
  | {
      readonly law: 'composite';
      readonly impedance: ArmImpedance;
      readonly fast: ArmFastLoop;
    };

/**
 * An arm. Its joints are revolute, prismatic or fixed; the first may be free: a spacecraft that floats, and all else hangs on it.
 */
export interface ArmModel {
  /** The tree, payload included; its joints at their starts. */
  readonly tree: TreeModel;
  /** The world goes round the Earth, its axes too; left out, it rests. Gravity is then zero. */
  readonly orbit?: OrbitModel;
  /** How others move the base; left out, it stands, or floats when the first joint is free. */
  readonly sway?: BaseSwayModel;
  /** Frame of the tree that is the tool point: origin and axes of the payload. */
  readonly tip: string;
  /** Of the joints, base to tip. */
  readonly jointNames: readonly string[];
  /** One per joint, base to tip. */
  readonly servos: readonly ArmServoModel[];
  /** Joints that move the tip, up to 8 counted from it, no fewer than `axes`; the others hold. */
  readonly driven: number;
  /** Rows of the task that the arm follows, indices of TASK_AXES; all six when left out. */
  readonly axes?: readonly number[];
  /** Resolved rates when left out. */
  readonly control?: ArmControlModel;
  /** How a twist of the tip becomes rates of the driven joints; ranges and largest rates are those of the tree. */
  readonly rate: Omit<ResolvedRateModel, 'lower' | 'upper' | 'rateLimit' | 'axes'>;
}

/** Rows of the task that an arm follows. */
export function taskAxes({ axes }: Pick<ArmModel, 'axes'>): readonly number[] {
  return axes ?? TASK_AXES.map((_, row) => row);
}

/** Number of joints that an arm drives. */
export function jointCount({ tree }: Pick<ArmModel, 'tree'>): number {
  return tree.links.filter(({ joint }) => joint.kind === 'revolute' || joint.kind === 'prismatic')
    .length;
}

/** Whether its base gives way. */
export function isFloating({ tree }: Pick<ArmModel, 'tree'>): boolean {
  return tree.links[0].joint.kind === 'free';
}

/** States of an arm: the index is the value in a row. */
export const ARM_STATUSES = [
  'nominal',
  'rate_limited', // a joint is at its largest rate
  'near_joint_limit',
  'leaving_singularity', // slowed on the way out of a singularity, and on the way in
  'near_singularity',
  'at_joint_limit', // stopped, because a joint is at its limit or a singularity is too near
  'at_singularity',
  'effort_limited',
  'not_reached',
] as const;
/** Index of each of them. */
export const ArmStatus: CodeIndices<typeof ARM_STATUSES> = codesOf(ARM_STATUSES);

/** Columns of `ArmDrive.readArm`. */
export const ARM_READOUT = [
  'status', // index in ARM_STATUSES
  'condition', // condition number of the scaled Jacobian
  'manipulability', // product of its singular values
  'rateScale', // part of the reference twist that the joints follow
  'deflectionX', // of the flexible tip against the rigid arm with the rotors' positions, m, world
  'deflectionY',
  'deflectionZ',
  'deflectionAngle', // rad
  'brake', // 1 when the brakes hold
] as const;
/** Index of each of them. */
export const ArmReadout: NameIndices<typeof ARM_READOUT> = indicesOf(ARM_READOUT);

/** Columns of `ArmDrive.readJoint`: rad or m, N m or N. */
export const JOINT_READOUT = [
  'position',
  'rate',
  'reference', // where the servo holds it
  'torque',
  'deflection', // rotor against link
  'margin', // way to the nearer limit; infinite without limits
  'bending', // deflection of the link's tip, m; 0 for a rigid link
] as const;
/** Index of each of them. */
export const JointReadout: NameIndices<typeof JOINT_READOUT> = indicesOf(JOINT_READOUT);
