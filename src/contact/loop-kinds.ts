/**
 * Numbers of the kinds of law for which a kernel has a loop (src/kernels): what the records of a contact say. A law without a number here
 * runs by its reference module, and so does every contact of its system.
 */

// normal laws
export const HYSTERETIC_LOOP = 0;
export const VOLUMETRIC_LOOP = 1;
export const DASHPOT_LOOP = 2;
export const MODIA3D_LOOP = 3;
export const RESTITUTION_SLOPE_LOOP = 4;
// friction laws
export const FRICTIONLESS_LOOP = 0;
export const BRISTLE_LOOP = 1;
export const RATE_LOOP = 2;
// rolling laws
export const FREE_LOOP = 0;
export const VOLUMETRIC_ROLLING_LOOP = 1;
export const MODIA3D_ROLLING_LOOP = 2;
