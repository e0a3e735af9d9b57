/** Places in the column of a drag (drag-solver.ts): numbers alone, which the reference module and the kernel share. */
export const TARGET = 0; //      3, v* on entry
export const MOBILITY_AT = 3; // 9, M, row by row
export const DRAG_AT = 12; //    3, D(|v|) v
export const PARAMETERS_AT = 15; // 7, those below
export const FACTOR_AT = 22; //  G, its slope, D of the pass
export const INVERSE_AT = 25; // 9
export const TOLERANCE_AT = 34; // tolerance, and as given
export const START = 36; //      slip at the start of the step, m/s
export const DRAG_COLUMN = 37;

// the parameters
export const GAIN = 0; //      k: step × load
export const LIMIT = 1; //     μ
export const VISCOUS = 2; //   σ
export const SPEED = 3; //     out: |v|
export const DEVELOPED = 4; // out: |dir(v)|, 0 at rest, 1 from the tolerance on
export const DRAG = 5; //      out of computeSlope: D(|v|)
export const BEND = 6; //      out of computeSlope: μ G'(|v|)/|v|
export const PARAMETERS = 7;

// how the implicit step is solved
export const PASSES = 12; //     Newton passes; from the tolerance on the first one is exact for an isotropic mobility
export const CONVERGED = 1e-14;
export const CORRECTIONS = 3; // of μ by the slip that was found

// what a law of such a drag has as constants for a kernel
export const COULOMB = 0; //    μ_C
export const STICTION = 1; //   μ_S − μ_C; 0 for a coefficient that does not fall
export const STRIBECK = 2; //   1/v_s², s²/m²
export const CUBIC = 3; //      1 for the cubic direction, 0 for that of Modia3D
export const DRAG_CONSTANTS = 4;
