/** A stepper carries a system over one fixed step; how is its own affair. */

/** One method of integration with its work space. */
export interface Stepper {
  /** Of the last step: number of sub-steps, and whether the model's bound on them was hit. */
  readonly substeps: number;
  readonly substepBoundHit: boolean;
  /** Whether it takes the sub-steps by itself that the guard asks for; otherwise a step is divided. */
  readonly guarded: boolean;
  /** Whether the last step could not be finished; the state is then anywhere. */
  readonly failed: boolean;
  /** Whether a step leaves the contacts measured at the state after it. */
  readonly endsMeasured: boolean;
  /** Slots of NewtonCount since the start; null for a method that solves no contacts. */
  readonly counts: Float64Array | null;
  /** Advances the state by the step length of the dynamics; the clock is the caller's. @alloc none */
  step(): void;
}
