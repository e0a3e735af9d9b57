/** How the coefficients of a distance field lie in its blocks: numbers alone, which reference modules and kernels share. */

/** Nodes of a block along an axis that are its own, and with those of its neighbours. */
export const BLOCK = 8;
export const BLOCK_ROOM = BLOCK + 2;
/** Coefficients of a block. */
export const BLOCK_VALUES = BLOCK_ROOM * BLOCK_ROOM * BLOCK_ROOM;
/** Middle of the own nodes of a block along one axis, in nodes from its first one. */
export const BLOCK_MIDDLE = 3.5;
