/**
 * A normal law turns penetration into an elastic force f_el and a damping coefficient B, such that
 * f_n = max(f_min, f_el − B v_n) is linear in the normal rate. That form serves the explicit evaluation and the implicit
 * step alike; hysteretic laws have B = A f_el, a linear damper a constant B.
 *
 * States are integrated by the solver; internal parameters are stored values such as the impact speed. Both live in
 * slices of the arena that the contact model hands out. `Gonthier 2007, A.1`.
 */

/** Slots of the result of `evaluate`. */
export const ELASTIC = 0; //   f_el, N
export const DAMPING = 1; //   B, N s/m, >= 0
export const STORED = 2; //    elastic energy, J
export const BRISTLE = 3; //   energy in the bristles, J, filled by the friction law
export const DEPTH = 4; //     in: penetration, m
export const NORMAL_RESULT = 5;

/** A normal law with its memory. */
export interface NormalLaw {
  readonly states: Float64Array;
  readonly rates: Float64Array;
  readonly internals: Float64Array;
  /** Smallest normal force, N: 0, or −∞ for a law that may pull. */
  readonly minimumForce: number;
  /** The contact begins with this rate and this depth (0 when the instant of touch is known). @alloc none */
  begin(rate: number, depth: number): void;
  end(): void;
  /** Elastic force, damping and energy at result[DEPTH]; also the rates of the states. @alloc none */
  evaluate(result: Float64Array): void;
  /** Advances the states by timing[0]. @alloc none */
  advance(timing: Float64Array): void;
  /** Stiffness df/dδ at a depth, N/m. */
  tangentStiffness(depth: number): number;
  /** Depth at which an impact of this speed and inverse mass would stop on the elastic law, from a depth. */
  turningDepth(depth: number, rate: number, inverseMass: number): number;
  /** Speed latched at onset, m/s; 0 when apart. */
  impactSpeed(): number;
}
