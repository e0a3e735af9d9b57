/**
 * A normal law turns penetration into an elastic force f_el and a damping coefficient B, such that
 * f_n = max(f_min, f_el − B v_n) is linear in the normal rate. That form serves the explicit evaluation and the implicit
 * step alike; hysteretic laws have B = A f_el, a linear damper a constant B.
 *
 * States are integrated by the solver; internal parameters are stored values such as the impact speed. Both live in
 * slices of the arena that the contact model hands out. `Gonthier 2007, A.1`.
 */

import type { LawLoop } from '../component.ts';

export * from './normal-slots.ts';

/**
 * A normal law with its memory. What the step calls passes numbers in arrays: a call that is not inlined allocates for each
 * double, and so may reading one from a field where many kinds of law meet.
 */
export interface NormalLaw {
  /** What a kernel has to know; absent where it has no loop for the law. */
  readonly loop?: LawLoop;
  readonly states: Float64Array;
  readonly rates: Float64Array;
  /** [IMPACT_SPEED, …] */
  readonly internals: Float64Array;
  /**
   * The contact begins with this rate and this depth (0 when the instant of touch is known). `onset` is the result column: a law of
   * the volume reads OVERLAP_VOLUME and OVERLAP_AREA there.
   */
  begin(rate: number, depth: number, onset: Float64Array): void;
  end(): void;
  /** Elastic force, damping, energy and least force at result[DEPTH]; also the rates of the states. @alloc none */
  evaluate(result: Float64Array): void;
  /** Elastic force, damping and energy of `evaluate` at many depths, for a law whose force follows from the depth alone. @alloc none */
  evaluateAll?(
    depths: Float64Array,
    count: number,
    elastic: Float64Array,
    damping: Float64Array,
    stored: Float64Array,
  ): void;
  /** Advances the states by timing[SPAN]. @alloc none */
  advance(timing: Float64Array): void;
  /** Where an impact would stop on the elastic law alone, and how stiff it is there. @alloc none */
  measureTurn(turn: Float64Array): void;
}
