/**
 * A rolling law turns relative angular velocity and normal force into a moment on body i; body j gets the opposite one. Two paths,
 * as for friction: `evaluate` is the explicit reference, `solve` the implicit step.
 */

import type { LawLoop } from '../component.ts';

/** A rolling law with its memory (slices of the arena). */
export interface RollingLaw {
  /** What a kernel has to know; absent where it has no loop for the law. */
  readonly loop?: LawLoop;
  /** False for the law that adds nothing: the container then skips it. */
  readonly active: boolean;
  /** Whether the moment grows with the load; else `torque` is free of it. */
  readonly loaded: boolean;
  /** Moment on body i of the last evaluation, world, N m. */
  readonly torque: Float64Array;
  begin(): void;
  end(): void;
  /** The moment at the present relative angular velocity, which a law has no memory of; the normal force is mobility[LOAD]. @alloc none */
  evaluate(kinematics: Float64Array, mobility: Float64Array): void;
  /**
   * Implicit step: moment from the relative angular velocity predicted without it (`kinematics`). `inertia` is the sum of the
   * inverse inertias of both bodies, 1/(kg m²), row by row; `mobility` holds the step and the load.
   * @alloc none
   */
  solve(kinematics: Float64Array, inertia: Float64Array, mobility: Float64Array): void;
  /** Implicit step: `evaluate` takes factor[0] times the tolerance of the regularised direction from here on. @alloc none */
  widen(factor: Float64Array): void;
  /** −∂τ/∂w at the last `evaluate`, nine numbers row by row, N m s; the secant as for friction. @alloc none */
  computeSlope(mobility: Float64Array, slope: Float64Array, secant: boolean): void;
}
