/**
 * Coefficients of explicit Runge–Kutta methods, as integers over one denominator a row, so that they can be compared with print.
 *
 * - RK4: Kutta 1901.
 * - Bogacki–Shampine: `Bogacki & Shampine 1989, Appl. Math. Lett. 2, 321–325`, the third-order formula (ode3).
 * - Dormand–Prince: `Dormand & Prince 1980, J. Comp. Appl. Math. 6, 19–26`, RK5(4)7M; its continuous extension of order 4 is that
 *   of Shampine, as printed in `Hairer, Nørsett & Wanner, Solving ODEs I, II.6 (6.12)`.
 */

/** One row: numerators over a denominator. */
export interface TableauRow {
  readonly numerators: readonly number[];
  readonly denominator: number;
}

/** A method y1 = y0 + h Σ b_i k_i with k_i = f(t + c_i h, y0 + h Σ a_ij k_j). */
export interface RungeKuttaTableau {
  readonly order: number;
  /** a_ij of the stages 2, 3, …; c_i is the sum of its row. */
  readonly stages: readonly TableauRow[];
  /** b_i */
  readonly weights: TableauRow;
  /** Error estimate h Σ e_i k_i, with one more stage k = f(t + h, y1); null for a method without. */
  readonly error: TableauRow | null;
  /** Order of the estimate's companion. */
  readonly estimateOrder: number;
  /** d_i of the highest term of the continuous extension, with the same one more stage; null: cubic Hermite. */
  readonly dense: readonly number[] | null;
}

/** The classical method of order 4. */
export const RK4: RungeKuttaTableau = {
  order: 4,
  stages: [
    { numerators: [1], denominator: 2 },
    { numerators: [0, 1], denominator: 2 },
    { numerators: [0, 0, 1], denominator: 1 },
  ],
  weights: { numerators: [1, 2, 2, 1], denominator: 6 },
  error: null,
  estimateOrder: 0,
  dense: null,
};

/** Bogacki–Shampine, order 3. `Gonthier 2007, chapter 5: ode3`. */
export const BOGACKI_SHAMPINE: RungeKuttaTableau = {
  order: 3,
  stages: [
    { numerators: [1], denominator: 2 },
    { numerators: [0, 3], denominator: 4 },
  ],
  weights: { numerators: [2, 3, 4], denominator: 9 },
  error: null,
  estimateOrder: 0,
  dense: null,
};

const DORMAND_PRINCE_STAGES: readonly TableauRow[] = [
  { numerators: [1], denominator: 5 },
  { numerators: [3, 9], denominator: 40 },
  { numerators: [44, -168, 160], denominator: 45 },
  { numerators: [19372, -76080, 64448, -1908], denominator: 6561 },
  { numerators: [477901, -1806240, 1495424, 46746, -45927], denominator: 167904 },
];
const DORMAND_PRINCE_WEIGHTS: TableauRow = {
  numerators: [12985, 0, 64000, 92750, -45927, 18656],
  denominator: 142464,
};
const DORMAND_PRINCE_DENSE: readonly number[] = [
  -12715105075 / 11282082432,
  0,
  87487479700 / 32700410799,
  -10690763975 / 1880347072,
  701980252875 / 199316789632,
  -1453857185 / 822651844,
  69997945 / 29380423,
];

/** Dormand–Prince, the weights of order 5 with fixed steps (ode5). */
export const DORMAND_PRINCE_5: RungeKuttaTableau = {
  order: 5,
  stages: DORMAND_PRINCE_STAGES,
  weights: DORMAND_PRINCE_WEIGHTS,
  error: null,
  estimateOrder: 0,
  dense: DORMAND_PRINCE_DENSE,
};

/** Dormand–Prince 5(4): the same step with its error estimate. */
export const DORMAND_PRINCE_54: RungeKuttaTableau = {
  ...DORMAND_PRINCE_5,
  error: {
    numerators: [26341, 0, -90880, 790230, -1086939, 895488, -534240],
    denominator: 21369600,
  },
  estimateOrder: 4,
};
