/**
 * What a constraint offers to those who solve for its forces: rows c(q, t) = 0 with
 *
 *   ċ = J (v1, w1, v2, w2) + c_t,   c̈ = J (v̇1, ẇ1, v̇2, ẇ2) − Q
 *
 * Velocities are those of the origins of the two bodies, world axes. A positive multiplier pushes the first body along the row.
 */
import type { ContactBody } from '../contact/contact-body.ts';
import type { UnilateralModel } from '../model/constraint-spec.ts';

/** Numbers of a row of J: v1, w1, v2, w2. */
export const ROW = 12;

/** What a constraint that may open keeps in the arena: whether it is open, and how often it opened and met again since time zero. */
export const OPEN = 0;
export const RELEASES = 1;
export const LANDINGS = 2;
export const UNILATERAL_MEMORY = 3;

/** A constraint of one row that only pushes. */
export interface Unilateral extends UnilateralModel {
  /** UNILATERAL_MEMORY numbers of the arena. */
  readonly memory: Float64Array;
}

/** The place of two surfaces that touch. */
export interface SurfaceTouch {
  /** [Newton steps for it since it was made] */
  readonly work: Float64Array;
  /** out[at] := the smaller sum of the curvatures of both there, 1/m. @alloc none */
  writeLeastCurvature(out: Float64Array, at: number): void;
  /** Columns of TOUCH_READOUT there. @alloc none */
  writeTouch(out: Float64Array, at: number): void;
}

/** One constraint between two bodies, either of which may be the world. Positions are read from the bodies, time from a cell. */
export interface Constraint {
  readonly name: string;
  /** Null for the world. */
  readonly first: ContactBody | null;
  readonly second: ContactBody | null;
  /** What each row holds, such as `translation z`. */
  readonly rows: readonly string[];
  /** 1 for a row in rad, 0 for one in m. */
  readonly turns: Uint8Array;
  /** Whether it has no point of contact any more, at the last poses that were finite: its gap is NaN, and the step fails. */
  readonly lost: boolean;
  /** Null for one that holds both ways. */
  readonly unilateral: Unilateral | null;
  /** Where two surfaces touch; null without surfaces. */
  readonly touch: SurfaceTouch | null;
  /** gaps[at..] := c, m or rad. @alloc none */
  writeGaps(gaps: Float64Array, at: number): void;
  /** jacobian[ROW at..] := J, drift[at..] := c_t. @alloc none */
  writeRows(jacobian: Float64Array, drift: Float64Array, at: number): void;
  /** out[at..] := where the force on the first body acts, world, m. @alloc none */
  writePlace(out: Float64Array, at: number): void;
  /** curvature[at..] := Q, from the present velocities. @alloc none */
  writeCurvature(curvature: Float64Array, at: number): void;
}
