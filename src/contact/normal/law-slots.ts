/** Places in the constants and states of normal laws: numbers alone, which reference modules and kernels share. */

// constants of every law k δⁿ: an array, because reading a double field where many kinds of law meet may allocate
export const STIFFNESS = 0; //   k, N/mⁿ; of the volumetric law k_v, N/m³
export const EXPONENT = 1; //    n, 1 to 3
export const SMALLEST = 2; //    least force, N
/** First constant of the law itself. */
export const OWN = 3;

// of the hysteretic law
export const HYSTERETIC_SMALL = 3; //      least impact speed, m/s
export const HYSTERETIC_RELAXATION = 4; // T_rlx, s
export const HYSTERETIC_LEVEL = 5; //      d(e)/e

/** The damping coefficient of spring and dashpot, N s/m, and that of the restitution slope, s/m. */
export const COEFFICIENT = 3;

/** Slot of the internals of laws whose damping is fixed at onset: the damping coefficient d of this contact phase, s/m. */
export const OF_PHASE = 1;

// of the volumetric law, behind its stiffness; then its states
export const VOLUME_SMALL = 1; //      least impact speed, m/s
export const VOLUME_RELAXATION = 2; // T_rlx, s
export const VOLUME_LEVEL = 3; //      d(e)/e
export const ENERGY = 0; //            elastic energy, J
export const RELAXED = 1; //           V_ro, m³; only with relaxation
