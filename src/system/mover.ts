/**
 * What moves: a rigid body by itself, or the links of an articulated system together. Dynamics and steppers hold one list of movers;
 * contacts, springs, external wrenches and rows see the parts.
 */
import type { ContactBody } from '../contact/contact-body.ts';

/** A body or a link, as contacts and others see it. */
export interface Part extends ContactBody {
  readonly name: string;
  /** Whether it moves under forces. */
  readonly dynamic: boolean;
  /** out[at..at+5] := acceleration of its origin and angular acceleration, by the last derivative of its mover. @alloc none */
  writeAcceleration(out: Float64Array, at: number): void;
}

/** Kinetic energy, potential energy in gravity, energy of springs inside, J. */
export const KINETIC = 0;
export const POTENTIAL = 1;
export const STRAIN = 2;

/**
 * One entry of the list. A step calls, in this order: `prepare`, before contacts ask how parts answer impulses; `applyForces` under the
 * smooth forces on the parts; `applyWrenches` under explicit contact forces; `addLoss`, when implicit contacts have pushed the parts;
 * `advancePose`, `refresh`.
 */
export interface Mover {
  readonly name: string;
  readonly parts: readonly Part[];
  /** Whether it never moves: a step then has nothing to ask of it. */
  readonly still: boolean;
  /** Whether the tool sets its pose: a step then leaves it alone. */
  readonly led: boolean;
  /** Everything of it that evolves, in the arena, and the velocities in that. */
  readonly state: Float64Array;
  readonly velocities: Float64Array;
  /** By how much the velocities are larger than those by which `advancePose` moves, in this step; see face-parts.ts. */
  readonly lag: Float64Array;
  /** Whether `applyForces` takes the smooth forces of a whole step; otherwise `applyWrenches` takes those of any part of one. */
  readonly wholeSteps: boolean;
  /** Whether contacts pushed it in this step: positions then move with the rates that are left. */
  pushed: boolean;
  /** What follows from the state: poses, twists, inertias. @alloc none */
  refresh(): void;
  /** What a step of timing[0] from the present state needs. @alloc none */
  prepare(timing: Float64Array): void;
  /** Adds the weight to the wrenches of the parts. @alloc none */
  addWeight(gravity: Float64Array): void;
  /** Rates after timing[0] under the smooth forces; may leave them to `applyWrenches`. @alloc none */
  applyForces(timing: Float64Array): void;
  /** Changes the rates by timing[0] times the wrenches that are left on the parts. @alloc none */
  applyWrenches(timing: Float64Array): void;
  /** Changes the velocities by time[0], which may be below 0, times the accelerations under the wrenches on the parts; poses stay. @alloc none */
  accelerate(time: Float64Array): void;
  /** Positions after timing[0] with the present rates; `refresh` has to follow. @alloc none */
  advancePose(timing: Float64Array): void;
  /** x' = f(x) from the wrenches on the parts, for explicit methods. @alloc none */
  computeDerivative(): void;
  /** Accelerations of the parts from the last derivative. @alloc none */
  refreshAccelerations(): void;
  /** sum[0] += what dampers inside took in the present step of timing[0], J. @alloc none */
  addLoss(timing: Float64Array, sum: Float64Array): void;
  /** sum[0] += power that dampers inside take, W. @alloc none */
  addLossRate(sum: Float64Array): void;
  /** Quaternions of the state to unit length, and what follows from them. @alloc none */
  normalize(): void;
  /** sum[KINETIC], sum[POTENTIAL], sum[STRAIN] += its energies, J. @alloc none */
  addEnergy(gravity: Float64Array, sum: Float64Array): void;
}
