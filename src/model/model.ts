/**
 * The plain description of a contact system: what a scenario compiles to and what `makeSystem` builds from.
 *
 * Everything is SI, radians and right-handed. Quaternions are (x, y, z, w), unit, rotating body vectors into the world.
 * Signs follow docs/conventions.md: the contact normal is the outward normal of body j and points from j to i.
 */

import type { ArmModel } from './arm-spec.ts';
import type { ConstraintModel } from './constraint-spec.ts';
import type { ContactModelSpec } from './contact-spec.ts';
import type { CellModel } from '../shapes/cell-model.ts';
import type { GrappleModel } from './grapple-spec.ts';
import type { Quadruple, Sextuple, Triple } from '../base/tuples.ts';
import type { TreeLinkModel, TreeModel } from './tree-model.ts';

export type * from '../shapes/cell-model.ts';
export type { ArmModel } from './arm-spec.ts';
export type { GrappleModel } from './grapple-spec.ts';
export type * from './constraint-spec.ts';
export type * from './contact-spec.ts';
export type * from './tree-model.ts';
export type * from '../base/tuples.ts';

/**
 * How a body moves.
 * - `dynamic`: Newton–Euler under gravity, contacts, springs and external wrench.
 * - `fixed`: never moves.
 * - `prescribed`: motion is set from outside (`setBodyMotion`) or by its initial twist, which stays constant.
 * - `accommodated`: twist follows a reference twist with a first-order lag (force–moment accommodation, see `ToolModel`).
 */
export type BodyMotion = 'dynamic' | 'fixed' | 'prescribed' | 'accommodated';

/** One rigid body and its state at time zero. The body frame has its origin at the centre of mass. */
export interface BodyModel {
  readonly name: string;
  readonly motion: BodyMotion;
  /** Mass, kg, > 0. Ignored unless `dynamic`. */
  readonly mass: number;
  /** Inertia about the centre of mass in the body frame (Ixx, Iyy, Izz, Ixy, Ixz, Iyz), kg m². */
  readonly inertia: Sextuple;
  /** A body that may translate but not rotate (zero inverse inertia). */
  readonly rotationLocked: boolean;
  /** World position of the centre of mass, m. */
  readonly position: Triple;
  readonly orientation: Quadruple;
  /** World velocity of the centre of mass, m/s. */
  readonly velocity: Triple;
  /** World angular velocity, rad/s. */
  readonly angularVelocity: Triple;
  /** What the body is made of for volumetric contacts, in the body frame; the cells do not overlap each other. None when left out. */
  readonly cells?: readonly CellModel[];
}

/** Linear spring from a body's centre of mass to a fixed world point, no rest length. */
export interface SpringModel {
  readonly body: string;
  readonly anchor: Triple;
  /** N/m, > 0 */
  readonly stiffness: number;
}

/**
 * The tool of a hardware-in-the-loop run: the payload body that touches, and the simulated arm that carries it under
 * force–moment accommodation. `Gonthier 2007, 5.1.4`: v_ref = v_cmd + dz(F)/g with F the contact force on the tool,
 * then v' = (v_ref − v)/T for each axis.
 */
export interface ToolModel {
  /** Body (`prescribed`) that carries the contact geometry. */
  readonly payload: string;
  /** Body (`accommodated`) that generates the set-point. Starts at the payload's pose. */
  readonly arm: string;
  /** Force gain, N per m/s, > 0. */
  readonly forceGain: number;
  /** Moment gain, N m per rad/s, > 0. */
  readonly momentGain: number;
  /** Force dead-band, N, >= 0. */
  readonly forceDeadband: number;
  /** Moment dead-band, N m, >= 0. */
  readonly momentDeadband: number;
  /** Tracking lag T, s, > 0. */
  readonly lag: number;
  /** Largest speed of the arm, m/s, and angular speed, rad/s. */
  readonly maximumSpeed: number;
  readonly maximumAngularSpeed: number;
  /** The arm as an articulated tree; left out, `arm` follows its reference twist itself. */
  readonly robot?: ArmModel;
}

/** One piece of the commanded twist: holds from `time` until the next piece. World frame. */
export interface CommandStep {
  readonly time: number;
  readonly twist: Sextuple;
}

/**
 * Integration method of a run. Fixed steps: `implicit-contact`, `symplectic-euler`, `ode3` (Bogacki–Shampine), `rk4`, `ode5`
 * (Dormand–Prince). Adaptive, with events located: `dormand-prince` 5(4) and, for stiff systems, `rosenbrock` (RODAS 4(3)).
 */
export type IntegratorKind =
  | 'implicit-contact'
  | 'symplectic-euler'
  | 'ode3'
  | 'rk4'
  | 'ode5'
  | 'dormand-prince'
  | 'rosenbrock';

/** The whole system. Order of bodies and contacts is the order of state and of evaluation. */
export interface SystemModel {
  readonly name: string;
  /** m/s² in the world frame. */
  readonly gravity: Triple;
  readonly bodies: readonly BodyModel[];
  /**
   * Articulated trees, passive but for the springs of their joints; none when left out. Their links count as bodies after those
   * above, in this order. The frame of a rigid link as a body has its origin at the centre of mass; that of a flexible one is its
   * end frame.
   */
  readonly trees?: readonly TreeModel[];
  readonly contacts: readonly ContactModelSpec[];
  readonly springs: readonly SpringModel[];
  /** None when left out; with `implicit-contact`. */
  readonly grapples?: readonly GrappleModel[];
  /** None when left out. */
  readonly constraints?: readonly ConstraintModel[];
  readonly tool: ToolModel | null;
  /** Commanded twist of the tool without an operator (`berth simulate`). */
  readonly command: readonly CommandStep[];
  readonly integrator: IntegratorKind;
  /** Fixed step, s; for adaptive methods the interval of results. */
  readonly step: number;
  /** Most sub-steps in one step; does not bound adaptive methods. */
  readonly maximumSubsteps: number;
  /** Allowed error of an adaptive step: absolute (SI unit of each value) + relative |value|; 1e-10 and 1e-8 when left out. */
  readonly absoluteTolerance?: number;
  readonly relativeTolerance?: number;
  /** `ode3`, `rk4` and `ode5` end a sub-step at each start and end of a contact; adaptive methods always do. */
  readonly locateEvents?: boolean;
  /** Run length of `berth simulate` without `--until`, s. */
  readonly duration: number;
}

/** Bodies, then links of trees: what names and indices of a system refer to, in their order. */
export function partModels({
  bodies,
  trees = [],
}: Pick<SystemModel, 'bodies' | 'trees'>): readonly (BodyModel | TreeLinkModel)[] {
  return [...bodies, ...trees.flatMap(({ links }) => links)];
}
