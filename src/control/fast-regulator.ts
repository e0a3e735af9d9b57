/**
 * Design of the fast loop of the composite controller: a linear-quadratic regulator of the elastic
 * forces about those of the slow motion, in stretched time t/ε. `Kim 1999, (5.20)–(5.25),
 * (5.40)–(5.44)`.
 *
 *   dη/dt̃ = D η + E τ_f,  D = [0 I; −K̃H_ff 0],  E = [0; K̃H_fr],  H = M⁻¹,  K_ff = k K̃,  ε = 1/√k
 *   τ_f = −F η,  F = R⁻¹EᵀP minimises ∫ ηᵀQη + τ_fᵀRτ_f dt̃
 *
 * It allocates and is for set-up.
 */
import { factorize, solveFactored } from '../math/lu.ts';
import { type Eigenvalue, eigenvalues } from '../math/eigenvalues.ts';
import { solveRiccati } from '../math/riccati.ts';

/** An arm at one configuration, and the cost of its elastic forces. */
export interface FastRegulatorModel {
  /** Number of joints, and of modes. Joints come first in the mass matrix. */
  readonly rigid: number;
  readonly flexible: number;
  /** M, (rigid + flexible)², row by row. */
  readonly mass: Float64Array;
  /** Stiffness of each mode, N/m. */
  readonly stiffness: readonly number[];
  /** k, N/m. The stiffness of the softest mode keeps the numbers near 1. A gain is valid for its k only. */
  readonly scale: number;
  /** Q, (2 flexible)², and R, rigid². */
  readonly stateCost: Float64Array;
  readonly torqueCost: Float64Array;
}

/** A designed fast loop. */
export interface FastRegulator {
  /** F, rigid × 2 flexible: torques from (η1, η2). */
  readonly gain: Float64Array;
  /** Poles of the closed loop in real time, 1/s. */
  readonly poles: readonly Eigenvalue[];
  /** Relative residual of the Riccati equation. */
  readonly residual: number;
}

/** Computes gain and poles. @throws BERTH_PARAMETER_RANGE when no torque reaches a mode */
export function designFastRegulator(model: FastRegulatorModel): FastRegulator {
  const { rigid, flexible, stiffness, scale } = model;
  const size = rigid + flexible;
  const n = 2 * flexible;
  const inverse = inverseColumns(model.mass, size);
  const d = new Float64Array(n * n);
  const e = new Float64Array(n * rigid);
  for (let i = 0; i < flexible; i++) {
    const soft = stiffness[i] / scale;
    const row = flexible + i;
    d[i * n + row] = 1;
    for (let j = 0; j < flexible; j++) {
      d[row * n + j] = -soft * inverse[(rigid + i) * size + rigid + j];
    }
    for (let j = 0; j < rigid; j++) e[row * rigid + j] = soft * inverse[(rigid + i) * size + j];
  }
  const { gain, residual } = solveRiccati(d, e, model.stateCost, model.torqueCost, n, rigid);
  const closed = d.slice();
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      for (let k = 0; k < rigid; k++) closed[i * n + j] -= e[i * rigid + k] * gain[k * n + j];
    }
  }
  const rate = Math.sqrt(scale);
  const poles = eigenvalues(closed, n).map(({ re, im }) => ({ re: re * rate, im: im * rate }));
  return { gain, poles, residual };
}

function inverseColumns(a: Float64Array, n: number): Float64Array {
  const factors = a.slice();
  const pivots = new Int32Array(n);
  factorize(factors, n, pivots);
  const out = new Float64Array(n * n);
  const column = new Float64Array(n);
  for (let j = 0; j < n; j++) {
    column.fill(0);
    column[j] = 1;
    solveFactored(factors, n, pivots, column, 0);
    for (let i = 0; i < n; i++) out[i * n + j] = column[i];
  }
  return out;
}
