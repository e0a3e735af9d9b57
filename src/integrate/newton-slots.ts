/** Numbers of Newton's method on islands, which the reference module and the kernel share: contact-newton.ts says what they mean. */

/** Numbers of a twist and an impulse. */
export const SIX = 6;
/** Parts of an island that are solved together at most. */
export const MOST_PARTS = 64;
export const MOST_STEPS = 12;
export const MOST_HALVINGS = 6;
export const TOLERANCE = 1e-10;
/** Once there is a matrix another step costs little, and matters where a drag on the normal force makes the equations ill-conditioned. */
export const REFINED = 1e-12;
export const ROUNDING = 1e-15;
/** What is left of R, over its scale, when rounding lets the method come no closer. */
export const FLOOR = 1e-9;

// slots of the sums
export const MERIT = 0; //  Rᵀ W R
export const FORCE = 1; //  h Σ max(f, f_el), N s
export const LEVER = 2; //  largest lever, m
export const WORST = 3; //  largest component of R, moments over the lever, N s
export const LENGTH = 4; // part of the Newton step that is taken
export const START = 5; //  Rᵀ W R of the step before
export const SUMS = 6;

// slots of the counts, as NewtonCount names them
export const COUNT_EVALUATIONS = 1;
export const COUNT_SLOPES = 2;
