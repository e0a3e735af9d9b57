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
export const LEAST = 5; //     smallest normal force f_min, N: 0, or −∞ for a law that may pull
export const OVERLAP_VOLUME = 6; // in: volume of interference, m³ (pairs that supply `volume`)
export const OVERLAP_AREA = 7; //   in: contact area, m²
export const NORMAL_RATE = 8; //    in: normal rate v_n, m/s, for a law that integrates its energy
export const NORMAL_RESULT = 9;

/** Slots of the timing of `advance`. */
export const SPAN = 0; //      in: length of the step, s
export const MEAN_RATE = 1; // in: mean of the normal rates before and after the step, m/s: f_el times it is the elastic power
export const NORMAL_TIMING = 2;

/** Slots of `measureTurn`. */
export const TURN_DEPTH = 0; //         in: penetration; out: the depth where the impact would stop, m
export const TURN_RATE = 1; //          in: normal rate, m/s
export const TURN_INVERSE_MASS = 2; //  in: inverse contact mass, 1/kg
export const TURN_STIFFNESS = 3; //     out: stiffness df/dδ at the depth where the impact would stop, N/m
export const TURN_VOLUME = 4; //        in: volume of interference, m³
export const TURN_AREA = 5; //          in: contact area, m²
export const TURN_EXPONENT = 6; //      out: q of f ~ δ^q there
export const TURN_LIMIT = 7; //         out of phase-limit.ts: contact phase that a sub-step may cover
export const TURN = 8;

/** Slot of the internals of every normal law: the speed latched at onset, m/s; 0 when apart. */
export const IMPACT_SPEED = 0;

/**
 * A normal law with its memory. What the step calls passes numbers in arrays: a call that is not inlined allocates for each
 * double, and so may reading one from a field where many kinds of law meet.
 */
export interface NormalLaw {
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
  /** Advances the states by timing[SPAN]. @alloc none */
  advance(timing: Float64Array): void;
  /** Where an impact would stop on the elastic law alone, and how stiff it is there. @alloc none */
  measureTurn(turn: Float64Array): void;
}
