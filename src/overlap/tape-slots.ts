/** Places in the head of a clip tape: numbers alone, which the reference module (clip-tape.ts) and the kernel share. */

/** Near planes; −1 where there is no clip. */
export const NEAR = 0;
/** The first of them. */
export const FIRST = 1;
/** Where the corners of the ball stand; 0 without one. */
export const BALL_AT = 2;
/** Where the list of what is left stands. */
export const LEFT = 3;
/** Replays since the record. */
export const REPLAYS = 4;
export const TAPE_HEAD = 5;

/** Numbers before the slots of a cut: four times its plane; slots on this side, slots beyond, and corners that are new. */
export const CUT_HEAD = 4;
/** Numbers of a list before its corners, the first of which is the origin: how many corners, tetrahedra and edges of the seam follow. */
export const LIST_HEAD = 3;
