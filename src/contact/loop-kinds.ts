/**
 * Numbers of the kinds of law for which a kernel has a loop (src/kernels): what the records of a contact say. A law without a number here
 * runs by its reference module, and so does every contact of its system.
 */

// normal laws
export const HYSTERETIC_LOOP = 0;
export const VOLUMETRIC_LOOP = 1;
// friction laws
export const FRICTIONLESS_LOOP = 0;
export const BRISTLE_LOOP = 1;
// rolling laws
export const FREE_LOOP = 0;
export const VOLUMETRIC_ROLLING_LOOP = 1;
