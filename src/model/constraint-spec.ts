/** The plain descriptions of constraints between bodies, and of the motions that they may impose. SI, radians; docs/theory/locks.md. */
import type { Quadruple, Triple } from '../base/tuples.ts';
import type { SurfaceSpec } from '../shapes/surfaces/surface-spec.ts';
import type { PathPoint } from './control-spec.ts';

/** A frame that is fixed to a body or a link, or to the world. */
export interface MarkerModel {
  /** Null for the world. */
  readonly body: string | null;
  /** Of the marker in the frame of the body: origin at the centre of mass. */
  readonly position: Triple;
  readonly orientation: Quadruple;
}

/**
 * A value as a function of time.
 * - `constant`: value.
 * - `ramp`: value at time zero, then a constant rate.
 * - `sine`: offset + amplitude sin(2π frequency t + phase).
 * - `cycloidal`: through points of one coordinate, at rest at each of them; src/control/cycloidal-path.ts.
 */
export type MotionLawModel =
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'ramp'; readonly value: number; readonly rate: number }
  | {
      readonly kind: 'sine';
      readonly offset: number;
      readonly amplitude: number;
      /** Hz, > 0. */
      readonly frequency: number;
      readonly phase: number;
    }
  | { readonly kind: 'cycloidal'; readonly points: readonly PathPoint[] };

/** Axis of a marker. */
export type MarkerAxis = 'x' | 'y' | 'z';

/** A motion that a lock imposes along or about an axis of the second marker, m or rad. The axis has to be among its rows. */
export interface ImposedMotion {
  readonly axis: MarkerAxis;
  readonly law: MotionLawModel;
}

/**
 * A lock: the first marker keeps its place and its attitude in the second one, in the rows that are named.
 * `Tasora, (5)`; rotation: `e = q_Δ* ∘ q_s* ∘ q_2* ∘ q_1 ∘ q_p`.
 */
export interface LockModel {
  readonly kind: 'lock';
  readonly name: string;
  readonly first: MarkerModel;
  readonly second: MarkerModel;
  /** Axes of the second marker along which the first one does not move, and about which it does not turn. */
  readonly translation: readonly MarkerAxis[];
  readonly rotation: readonly MarkerAxis[];
  /** Whether the x axis of the first marker stays square to the y axis of the second one: the row of a Cardano joint. */
  readonly square?: boolean;
  readonly translationMotion?: ImposedMotion;
  readonly rotationMotion?: ImposedMotion;
}

/** A surface of a body, or of the world. */
export interface SlidingSurfaceModel {
  /** Null for the world. */
  readonly body: string | null;
  /** In the frame of the body: origin at the centre of mass. Its outward normal points out of the body. */
  readonly surface: SurfaceSpec;
}

/** Two smooth surfaces that touch in a point and stay in touch, without friction; they may slide and roll. `Tasora`. */
export interface SlidingModel {
  readonly kind: 'sliding';
  readonly name: string;
  readonly first: SlidingSurfaceModel;
  readonly second: SlidingSurfaceModel;
  /** Parameters u and v of both surfaces from which the point of contact at the start is found. */
  readonly start: Quadruple;
  /** Surfaces that only press: they part where they would have to pull, and meet again. Left out, they stay in touch. */
  readonly unilateral?: UnilateralModel;
}

/** How surfaces meet again. */
export interface UnilateralModel {
  /** Speed apart after the impact over the one before, 0 to 1. */
  readonly restitution: number;
  /** Impacts up to this speed, m/s, have no restitution: the contact closes. */
  readonly smallVelocity: number;
}

/** Every kind of constraint. */
export type ConstraintModel = LockModel | SlidingModel;

/** Whether a motion that a constraint imposes may do work on bodies. */
export function isDriven(constraint: ConstraintModel): boolean {
  return (
    constraint.kind === 'lock' &&
    (constraint.translationMotion !== undefined || constraint.rotationMotion !== undefined)
  );
}
