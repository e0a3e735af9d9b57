/**
 * Coefficients of RODAS, a Rosenbrock method of order 4(3) with six stages, L-stable and stiffly accurate.
 * `Hairer & Wanner, Solving ODEs II, IV.7 and IV.10`; the set γ = 1/4 of their program.
 *
 * In the form that needs no product with the Jacobian J:
 *
 *   (1/(γ h) − J) u_i = f(t + α_i h, y0 + Σ a_ij u_j) + Σ (c_ij / h) u_j + d_i h f_t
 *   y1 = y0 + Σ a_5j u_j + u_5 + u_6,   error estimate u_6
 */

/** γ, the diagonal of every stage. */
export const RODAS_GAMMA = 0.25;
/** Number of stages. */
export const RODAS_STAGES = 6;
/** Order of the companion. */
export const RODAS_ESTIMATE_ORDER = 3;
/** α_i */
export const RODAS_NODES: readonly number[] = [0, 0.386, 0.21, 0.63, 1, 1];
/** d_i, the coefficients of the explicit time derivative. */
export const RODAS_TIME: readonly number[] = [0.25, -0.1043, 0.1035, -0.0362, 0, 0];
/** a_ij, lower rows. */
export const RODAS_A: readonly (readonly number[])[] = [
  [],
  [1.544],
  [0.9466785280815826, 0.2557011698983284],
  [3.314825187068521, 2.896124015972201, 0.9986419139977817],
  [1.221224509226641, 6.019134481288629, 12.53708332932087, -0.687886036105895],
  [1.221224509226641, 6.019134481288629, 12.53708332932087, -0.687886036105895, 1],
];
/** c_ij, lower rows. */
export const RODAS_C: readonly (readonly number[])[] = [
  [],
  [-5.6688],
  [-2.430093356833875, -0.2063599157091915],
  [-0.1073529058151375, -9.594562251023355, -20.47028614809616],
  [7.496443313967647, -10.24680431464352, -33.99990352819905, 11.7089089320616],
  [
    8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
    -6.058818238834054,
  ],
];
/** Dense output of order 3: y = y0 (1 − θ) + θ (y1 + (1 − θ)(p + θ q)) with p, q = Σ of these times u. */
export const RODAS_DENSE: readonly (readonly number[])[] = [
  [
    10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823,
    1.025137723295662,
  ],
  [
    -0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386,
    -6.594389125716872,
  ],
];
