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
}

/** Kinetic energy, potential energy in gravity, strain energy of springs inside, J. */
export const KINETIC = 0;
export const POTENTIAL = 1;
export const STRAIN = 2;

/**
 * One entry of the list. A step calls, in this order: `applyForces` under the smooth forces on the parts, `applyWrenches` under
 * explicit contact forces, `advancePose`, `refresh`; implicit contacts push the parts before the poses advance.
 */
export interface Mover {
  readonly parts: readonly Part[];
  /** Whether the tool sets its pose: a step then leaves it alone. */
  readonly led: boolean;
  /** What follows from the state: poses, twists, inertias. @alloc none */
  refresh(): void;
  /** Adds the weight to the wrenches of the parts. @alloc none */
  addWeight(gravity: Float64Array): void;
  /** Rates after timing[0] under the smooth forces; may leave them to `applyWrenches`. @alloc none */
  applyForces(timing: Float64Array): void;
  /** Changes the rates by timing[0] times the wrenches that are left on the parts. @alloc none */
  applyWrenches(timing: Float64Array): void;
  /** Positions after timing[0] with the present rates; `refresh` has to follow. @alloc none */
  advancePose(timing: Float64Array): void;
  /** x' = f(x) from the wrenches on the parts, for explicit methods. @alloc none */
  computeDerivative(): void;
  /** Quaternions of the state to unit length. @alloc none */
  normalize(): void;
  /** sum[KINETIC], sum[POTENTIAL], sum[STRAIN] += its energies, J. @alloc none */
  addEnergy(gravity: Float64Array, sum: Float64Array): void;
}
