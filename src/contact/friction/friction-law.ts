/**
 * A friction law turns slip and normal force into a tangential force on body i. Two paths: `evaluate` is the explicit
 * reference; `prepare`, `solve`, `advance` are the implicit step, which also finds the slip after the step.
 */

/** A friction law with its memory (slices of the arena). */
export interface FrictionLaw {
  readonly states: Float64Array;
  readonly rates: Float64Array;
  /** Force on body i of the last evaluation, world, N. */
  readonly force: Float64Array;
  begin(): void;
  end(): void;
  /** Explicit evaluation: force and rates at the present slip. @alloc none */
  evaluate(kinematics: Float64Array, normalForce: number): void;
  /** Implicit step: fixes what is taken from the start of the step. @alloc none */
  prepare(kinematics: Float64Array, timing: Float64Array): void;
  /**
   * Implicit step: force from the slip predicted without it. `kinematics` holds the predicted slip; `basis` the two
   * tangents; `mobility` the tangential inverse mass (11, 12, 22), 1/kg, the step and the load.
   * @alloc none
   */
  solve(kinematics: Float64Array, basis: Float64Array, mobility: Float64Array): void;
  /** Advances the states by timing[0] with the present rates. @alloc none */
  advance(timing: Float64Array): void;
  /** Energy in the bristles, J, into its slot of the normal result; the load is flags[1]. @alloc none */
  computeStored(flags: Float64Array, normal: Float64Array): void;
  /** Stick state s of the last evaluation, dwell state and deformation, for read-out. */
  stick(): number;
  dwell(): number;
  deformation(axis: number): number;
}
