/**
 * What the spline of a distance may differ from it, in cells, at most: numbers alone, which the reference module and the kernel share. A mean
 * of the distances at nodes with these weights has the mean square distance 3/4 of its nodes; a coefficient is off its node by an eighth of
 * three second differences of at most 2.
 */
export const COEFFICIENT = 0.75;
export const MEAN = 0.8661;
/** The nearest node is as far as that. */
export const NEAREST_NODE = 0.8661;
