/** Slots and limits of the closest points of two facets: numbers alone, which the reference modules and the kernel share. */

// slots of the result
export const DISTANCE = 0; //     m; not below the limit: a lower bound
export const POINT_A = 1; //      3, closest point of A, frame of B, m
export const POINT_B = 4; //      3
export const DIRECTION = 7; //    3, unit vector from the point of B to that of A; the normal of the facet of B where they cut each other
export const FACET_RESULT = 10;

// which corner, edge or face of A and of B has the closest points
export const CORNER_FACE = 0;
export const FACE_CORNER = 1;
export const EDGES = 2;
export const CORNER_EDGE = 3;
export const EDGE_CORNER = 4;
export const CORNERS = 5;

/** No guess; bits of the kind and of a corner in a guess. */
export const NO_GUESS = -1;
export const KIND_BITS = 3;
export const CORNER_BITS = 14;
export const CORNER_MASK = (1 << CORNER_BITS) - 1;

/** Height over the size of the facets, up to which a corner lies in the extreme face. */
export const LEVEL = 1e-10;
/** Rounding of a coordinate, over the scale of coordinates, with a safety factor. */
export const ROUNDING = 1e-15;
/** Squared sine of the angle up to which edges are parallel. */
export const PARALLEL = 1e-12;
/** Clearance over the size of the facets and LEVEL from which on there is no doubt: four times the tolerance of the tie rule. */
export const CLEAR = 8.0;
/** Square of the part of a length by which the closest points keep off the ends of an edge or the sides of a face. */
export const INNER = 1e-12;
/** Distance over the scale of coordinates from which on rounding moves a direction by less than LEVEL. */
export const APART = ROUNDING / LEVEL;

// numbers of a walk along a front, m
export const LIMIT = 0; //  of the distance
export const LEAST = 1; //  budget from which on an entry is not examined
export const MOVED = 2; //  sum of the motion
export const SCALE = 3; //  extents of both bodies and reach of the origin of A
export const WALK = 4;
// counts of a walk
export const FOUND = 0;
export const REFUSED = 1;
export const EXAMINED = 2;
export const LENGTH = 3; // of the front
export const POSE = 4; //   its number
export const COUNTS = 5;
