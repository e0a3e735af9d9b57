/** Where an overlap is lost in rounding: numbers that the reference modules (clip.ts, contact-normal.ts) and the kernel share. */

/** Roundings of a coordinate, with a safety factor: 8 times the relative spacing of doubles. */
export const NOISE = 8 * 2.220446049250313e-16;
/** Cube of NO_DIRECTION in clip.ts, with room for the rounding of both. */
export const CLEAR_DIRECTION = 1.001e-36;
/** Sixth power of VANISHING in contact-normal.ts, with room for the rounding of both. */
export const CLEAR_NORMAL = 1.001e-36;
