/** Places in the states, the scratch column and the constants of the bristles: numbers alone, which reference modules and kernels share. */

/** Slot of θ in the states of a law that spins. */
export const TORSION = 3;

// the scratch column
export const STICK = 0; //        s
export const SLIDING = 1; //      |v_t|²
export const SPINNING = 2; //     (r w_n)², 0 for a law that does not spin
export const SLIP_GAIN = 3; //    C G at the slip
export const SPIN_GAIN = 4; //    C G at the spin
export const SLIP_FACTOR = 5; //  C_s of the slip
export const SPIN_FACTOR = 6; //  C_s of the spin
export const SLIP_LIMIT = 7; //   C_s μ_max of the slip at the start of the step
export const SPIN_LIMIT = 8; //   C_s μ_max of the spin at the start of the step
export const FADE = 9; //         explicit: (1 − s)/τ_br
export const SPRING = 10; //      implicit: coefficient of z in F
export const FOLLOW = 11; //      implicit: c = σ0 h + σ1
export const CREEP = 12; //       implicit: part of the damper that holds in stick
export const SLIDE = 13; //       implicit: part of the damper that C G multiplies
export const EXPLICIT = 14; //    1 after `evaluate`, 0 after `solve` and `respond`
export const TURNING = 15; //     w_n of `respond`
export const CUT = 16; //         limit/|F| where the slip bristle slides, else 1
export const SPIN_CUT = 17; //    the same of the spin bristle
export const SLIP_BEND = 18; //   ∂(C G)/∂|v_t| / |v_t| of the slip
export const SLIP_SPIN_BEND = 19; // ∂(C G)/∂w_n of the slip
export const SPIN_BEND = 20; //   w_n ∂(C G)/∂w_n of the spin
export const SPIN_SLIP_BEND = 21; // ∂(C G)/∂|v_t| / |v_t| of the spin
export const EDGE = 22; //        v_eps, wider in `widen`
export const VISCOUS = 23; //     σ2
export const SPIN_SCALE = 24; //  scale of the moment
export const SCRATCH = 25;

// the constants of the law
export const COULOMB = 0; //          μ_C
export const STIFFNESS = 1; //        σ0, 1/m
export const DAMPING = 2; //          σ1, s/m
export const VISCOUS_DAMPING = 3; //  σ2, s/m
export const BRISTLE_TIME = 4; //     τ_br, s
export const STICTION = 5; //         μ_S
export const INVERSE_STRIBECK = 6; // 1/v_s², s²/m²
export const DWELL_TIME = 7; //       τ_dw, s; 0 without the dwell effect
export const MOMENT_SCALE = 8;
// what a kernel keeps of the last length of a step h: itself, e^(−h/τ_dw) − 1 and e^(−h/τ_br) − 1
export const SPAN = 9;
export const DWELL_PART = 10;
export const FADE_PART = 11;
export const BRISTLE_CONSTANTS = 12;
