/** Small tuples of numbers that plain descriptions are made of. */

export type Triple = readonly [number, number, number];
/** Quaternion (x, y, z, w). */
export type Quadruple = readonly [number, number, number, number];
/** Six numbers: wrench (force, moment) or twist (linear, angular), or a symmetric tensor (xx, yy, zz, xy, xz, yz). */
export type Sextuple = readonly [number, number, number, number, number, number];
