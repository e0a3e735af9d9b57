/** Places in the slope column of friction: numbers alone, which reference modules and kernels share. */

/**
 * Slots of the slope column, the derivatives of friction over the load at the slip of the last `respond`. With the force −f_n φ and the
 * moment −f_n m n on body i, φ and m functions of the slip v and of the spin w_n about the normal:
 */
export const SLOPE_FORCE = 0; //       9, ∂φ/∂v, row by row, world, s/m
export const SLOPE_FORCE_SPIN = 9; //  3, ∂φ/∂w_n, s
export const SLOPE_MOMENT = 12; //     3, ∂m/∂v, s
export const SLOPE_MOMENT_SPIN = 15; // ∂m/∂w_n, m s
export const SLOPE = 16;
