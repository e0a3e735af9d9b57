/**
 * A friction law turns slip and normal force into a tangential force on body i. Two paths: `evaluate` is the explicit reference, and
 * `prepare`, then forces, then `advance` are the implicit step. There the force is a function of the slip after the step: `respond` and
 * `computeSlope` give it and its derivative to a solver of all contacts (src/integrate/contact-newton.ts), while `solve` and `solveSpin`
 * find the slip of this contact by itself.
 */

import type { LawLoop } from '../component.ts';

export * from './friction-slots.ts';

/** The moment of every law that does not spin; never written. */
export const NO_TORQUE: Float64Array = new Float64Array(3);

/** A friction law with its memory (slices of the arena). Numbers cross in arrays: calls of many kinds of law are not inlined. */
export interface FrictionLaw {
  /** What a kernel has to know; absent where it has no loop for the law. */
  readonly loop?: LawLoop;
  readonly states: Float64Array;
  readonly rates: Float64Array;
  /** Force on body i of the last evaluation, world, N. */
  readonly force: Float64Array;
  /** Whether the law also gives a moment about the normal; the container then calls `solveSpin`. */
  readonly spins: boolean;
  /** Moment on body i of the last evaluation, world, N m; zero for a law that does not spin. */
  readonly torque: Float64Array;
  begin(): void;
  end(): void;
  /** Explicit evaluation: force and rates at the present slip; the normal force is mobility[LOAD]. @alloc none */
  evaluate(kinematics: Float64Array, mobility: Float64Array): void;
  /** Implicit step: fixes what is taken from the start of the step. @alloc none */
  prepare(kinematics: Float64Array, timing: Float64Array): void;
  /**
   * Implicit step: force from the slip predicted without it. `kinematics` holds the predicted slip; `basis` the two
   * tangents; `mobility` the tangential inverse mass (11, 12, 22), 1/kg, the step and the load.
   * @alloc none
   */
  solve(kinematics: Float64Array, basis: Float64Array, mobility: Float64Array): void;
  /**
   * Implicit step: moment about the normal from the relative angular velocity predicted without it (`kinematics`). `inertia` is
   * the sum of the inverse inertias of both bodies, 1/(kg m²), row by row; `mobility` holds the step and the load.
   * @alloc none
   */
  solveSpin(kinematics: Float64Array, inertia: Float64Array, mobility: Float64Array): void;
  /** Implicit step: `respond` takes factor[0] times the tolerance of the regularised direction from here on. @alloc none */
  widen(factor: Float64Array): void;
  /**
   * Implicit step: force, moment and rates of the states when the step ends with the slip and spin of `kinematics`. The load is
   * mobility[LOAD].
   * @alloc none
   */
  respond(kinematics: Float64Array, mobility: Float64Array): void;
  /**
   * The slope column at the slip and spin of the last `respond`; as a secant, the drag over the slip, without the derivative of its
   * coefficient. @alloc none
   */
  computeSlope(kinematics: Float64Array, slope: Float64Array, secant: boolean): void;
  /** Advances the states by timing[0] with the present rates. @alloc none */
  advance(timing: Float64Array): void;
  /** Energy in the bristles, J, into its slot of the normal result; the load is flags[1]. @alloc none */
  computeStored(flags: Float64Array, normal: Float64Array, kinematics: Float64Array): void;
  /** Fills its slots of the read-out; a law without bristles leaves theirs at 0. @alloc none */
  read(readout: Float64Array): void;
}
