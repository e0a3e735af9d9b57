/** Places in the columns of normal laws: numbers alone, which reference modules and kernels share. */

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
