/**
 * Continuous algebraic Riccati equation AᵀP + PA − PBR⁻¹BᵀP + Q = 0 and Lyapunov equation AᵀX + XA
 * + C = 0, for design work.
 *
 * The sign of the Hamiltonian matrix gives P, by Newton's iteration with determinantal scaling
 * (Roberts 1980; Byers 1987). Newton–Kleinman steps (Kleinman 1968) refine P until its residual no
 * longer falls. The sign function needs only inverses and finds the stable subspace without
 * ordering eigenvalues. The refinement removes the error of the inverses. An ordered Schur form is
 * backward stable from the start, but takes several times the code. docs/theory/arm-control.md.
 */
import { BerthError } from '../base/errors.ts';
import { factorCholesky, solveLower, solveLowerTransposed } from './cholesky.ts';
import { combined, frobenius, product, transposed } from './dense.ts';
import { eigenvalues } from './eigenvalues.ts';
import { leastSquares, rankMargin } from './householder.ts';
import { factorize, solveFactored } from './lu.ts';
import { exp } from './elementary/exponential.ts';
import { log } from './elementary/logarithm.ts';

/** Relative residual that a solution must reach. */
const RESIDUAL_LIMIT = 1e-9;
/** Relative drop of the pivots of [A − λI, B] at which a mode counts as unreachable by the input. */
const RANK_LIMIT = 1e-10;
const SIGN_STEPS = 100;
/** Relative change of a step below which Newton's iteration converges without scaling. */
const SETTLING = 1e-2;
const KLEINMAN_STEPS = 12;
/** Relative residual, some units of rounding, below which no further step refines. */
const RESIDUAL_GOAL = 1e-15;

/** The stabilising solution. */
export interface RiccatiSolution {
  /** P, n × n, symmetric. */
  readonly p: Float64Array;
  /** R⁻¹BᵀP, m × n. */
  readonly gain: Float64Array;
  /** |AᵀP + PA − PBR⁻¹BᵀP + Q| over the sum of the norms of its terms (Frobenius). */
  readonly residual: number;
}

/** A⁻¹, or null when A is singular; logDet[0] := logarithm of |det A|. */
function inverse(a: Float64Array, n: number, logDet: Float64Array): Float64Array | null {
  const factors = a.slice();
  const pivots = new Int32Array(n);
  if (!factorize(factors, n, pivots)) return null;
  const out = new Float64Array(n * n);
  const column = new Float64Array(n);
  logDet[0] = 0;
  for (let j = 0; j < n; j++) {
    logDet[0] += log(Math.abs(factors[j * n + j]));
    column.fill(0);
    column[j] = 1;
    solveFactored(factors, n, pivots, column, 0);
    for (let i = 0; i < n; i++) out[i * n + j] = column[i];
  }
  return out;
}

/** Whether Newton's iteration for a sign has converged to rounding, or rounding keeps it from falling. */
function settled(change: number, before: number): boolean {
  return change < 1e-15 || (change < SETTLING && change > 0.5 * before);
}

/** Sign of a matrix without eigenvalues on the imaginary axis; null when the iteration does not converge. */
function signOf(a: Float64Array, n: number): Float64Array | null {
  let z = a.slice();
  let before = Infinity;
  const logDet = new Float64Array(1);
  for (let step = 0; step < SIGN_STEPS; step++) {
    const inverted = inverse(z, n, logDet);
    if (inverted === null) return null;
    // scaling speeds up the start, but would disturb the quadratic convergence near the end
    const c = before > SETTLING ? exp(-logDet[0] / n) : 1;
    const next = z.map((x, i) => 0.5 * (c * x + inverted[i] / c));
    const change = frobenius(combined(next, z, -1)) / frobenius(next);
    if (!(change < Infinity)) return null;
    z = next;
    if (settled(change, before)) return z;
    before = change;
  }
  return null;
}

/**
 * Solves AᵀX + XA + C = 0 for a stable A (every eigenvalue left of the axis), all n × n; null when
 * A is not stable. Newton's iteration for the sign is applied to both matrices (Roberts 1980).
 */
export function solveLyapunov(a: Float64Array, c: Float64Array, n: number): Float64Array | null {
  let z = a.slice();
  let x = c.slice();
  let before = Infinity;
  const logDet = new Float64Array(1);
  for (let step = 0; step < SIGN_STEPS; step++) {
    const inverted = inverse(z, n, logDet);
    if (inverted === null) return null;
    const k = before > SETTLING ? exp(-logDet[0] / n) : 1;
    const turned = product(product(transposed(inverted, n, n), x, n, n, n), inverted, n, n, n);
    const next = z.map((v, i) => 0.5 * (k * v + inverted[i] / k));
    x = x.map((v, i) => 0.5 * (k * v + turned[i] / k));
    const change = frobenius(combined(next, z, -1)) / frobenius(next);
    if (!(change < Infinity)) return null;
    z = next;
    const last = settled(change, before);
    before = change;
    if (!last) continue;
    // the sign of a stable matrix is −I
    for (let i = 0; i < n; i++) if (!(Math.abs(z[i * n + i] + 1) < 1e-6)) return null;
    return x.map((v) => 0.5 * v);
  }
  return null;
}

/**
 * The stabilising P for A n × n, B n × m, Q n × n symmetric and >= 0, R m × m symmetric and > 0
 * (row by row). It refuses an unreachable mode that does not decay, a mode on the imaginary axis
 * without cost, and an R that is not positive.
 * @throws BERTH_PARAMETER_RANGE
 */
export function solveRiccati(
  a: Float64Array,
  b: Float64Array,
  q: Float64Array,
  r: Float64Array,
  n: number,
  m: number,
): RiccatiSolution {
  const root = new Float64Array(m * m);
  if (factorCholesky(root, r, m, new Float64Array(1)) === 0) {
    throw refusal('the weight R of the inputs is not positive definite');
  }
  requireStabilisable(a, b, q, n, m);
  const equation = new Riccati(a, q, scaledInputs(root, b, n, m), n, m);
  let p = equation.stableSubspace();
  let residual = equation.residual(p);
  let refined: Float64Array | null = p;
  for (let step = 0; step < KLEINMAN_STEPS && residual > RESIDUAL_GOAL; step++) {
    // far from the solution the first step may raise the residual; then P falls steadily
    refined = equation.kleinmanStep(refined);
    if (refined === null) break;
    const left = equation.residual(refined);
    if (!(left < residual)) continue;
    p = refined;
    residual = left;
  }
  const closed = eigenvalues(equation.closedLoop(p), n);
  if (!(residual < RESIDUAL_LIMIT) || !(closed[n - 1].re < 0)) {
    throw refusal(
      `no solution with a stable closed loop was found (relative residual ${residual.toExponential(1)})`,
    );
  }
  // L⁻ᵀ (L⁻¹Bᵀ P) = R⁻¹BᵀP
  const gain = transposed(equation.inputCost(p), m, n);
  for (let i = 0; i < n; i++) solveLowerTransposed(root, m, gain, i * m);
  return { p, gain: transposed(gain, n, m), residual };
}

/** B L⁻ᵀ with R = L Lᵀ. */
function scaledInputs(root: Float64Array, b: Float64Array, n: number, m: number): Float64Array {
  const out = b.slice();
  for (let i = 0; i < n; i++) solveLower(root, m, out, i * m);
  return out;
}

function refusal(reason: string): BerthError {
  return new BerthError(
    'BERTH_PARAMETER_RANGE',
    `The Riccati equation cannot be solved: ${reason}`,
  );
}

/** The equation AᵀP + PA − PBBᵀP + Q = 0, with R absorbed in B. */
class Riccati {
  private readonly a: Float64Array;
  private readonly aT: Float64Array;
  private readonly q: Float64Array;
  private readonly b: Float64Array;
  private readonly bT: Float64Array;
  private readonly n: number;
  private readonly m: number;

  constructor(a: Float64Array, q: Float64Array, b: Float64Array, n: number, m: number) {
    this.a = a;
    this.aT = transposed(a, n, n);
    this.q = q;
    this.b = b;
    this.bT = transposed(b, n, m);
    this.n = n;
    this.m = m;
  }

  /** BᵀP. All products with P use it: (PB)(BᵀP) keeps the digits that P(BBᵀ)P loses where P is large and B small. */
  inputCost(p: Float64Array): Float64Array {
    return product(this.bT, p, this.m, this.n, this.n);
  }

  /** A − BBᵀP. */
  closedLoop(p: Float64Array): Float64Array {
    return combined(this.a, product(this.b, this.inputCost(p), this.n, this.m, this.n), -1);
  }

  /** Norm of the left side over the sum of the norms of its terms. */
  residual(p: Float64Array): number {
    const { n, m, aT, q } = this;
    const cost = this.inputCost(p);
    const squared = product(transposed(cost, m, n), cost, n, m, n);
    const terms = 2 * frobenius(product(aT, p, n, n, n)) + frobenius(squared) + frobenius(q);
    const left = frobenius(this.leftSide(p));
    return terms > 0 ? left / terms : left;
  }

  private leftSide(p: Float64Array): Float64Array {
    const { n, m } = this;
    const cost = this.inputCost(p);
    const half = product(this.aT, p, n, n, n);
    const linear = combined(half, transposed(half, n, n), 1);
    const squared = product(transposed(cost, m, n), cost, n, m, n);
    return combined(combined(linear, squared, -1), this.q, 1);
  }

  /** P from the stable subspace of [A, −BBᵀ; −Q, −Aᵀ]: with W its sign, [W12; W22 + I] P = −[W11 + I; W21]. */
  stableSubspace(): Float64Array {
    const { n, m, a, aT, q, b, bT } = this;
    const s = product(b, bT, n, m, n);
    const w2 = 2 * n;
    const h = new Float64Array(w2 * w2);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        h[i * w2 + j] = a[i * n + j];
        h[i * w2 + n + j] = -s[i * n + j];
        h[(n + i) * w2 + j] = -q[i * n + j];
        h[(n + i) * w2 + n + j] = -aT[i * n + j];
      }
    }
    const w = signOf(h, w2);
    if (w === null) throw refusal('the Hamiltonian matrix has an eigenvalue on the imaginary axis');
    const left = new Float64Array(w2 * n);
    const right = new Float64Array(w2 * n);
    for (let i = 0; i < w2; i++) {
      for (let j = 0; j < n; j++) {
        left[i * n + j] = w[i * w2 + n + j] + (i === n + j ? 1 : 0);
        right[i * n + j] = -w[i * w2 + j] - (i === j ? 1 : 0);
      }
    }
    return symmetric(leastSquares(left, right, w2, n, n), n);
  }

  /** P + Δ with FᵀΔ + ΔF + (left side at P) = 0, F the closed loop; null when F is not stable. */
  kleinmanStep(p: Float64Array): Float64Array | null {
    const change = solveLyapunov(this.closedLoop(p), this.leftSide(p), this.n);
    return change === null ? null : symmetric(combined(p, change, 1), this.n);
  }
}

function symmetric(p: Float64Array, n: number): Float64Array {
  return p.map((x, i) => 0.5 * (x + p[(i % n) * n + Math.floor(i / n)]));
}

/** Hautus' test: rank of [A − λI, B] for every λ that does not decay, of [Aᵀ − λI, Q] for every λ on the axis. */
function requireStabilisable(
  a: Float64Array,
  b: Float64Array,
  q: Float64Array,
  n: number,
  m: number,
): void {
  // a p-fold eigenvalue is accurate to about eps^(1/p); 1e-7 of the norm covers double ones
  const near = 1e-7 * (frobenius(a) || 1);
  const aT = transposed(a, n, n);
  for (const { re, im } of eigenvalues(a, n)) {
    if (re < -near || im < 0) continue;
    const mode = `${re.toPrecision(4)} ${im === 0 ? '' : `± ${im.toPrecision(4)}i `}1/s`;
    if (hautusMargin(a, b, n, m, re, im) < RANK_LIMIT) {
      throw refusal(`no input reaches the mode at ${mode}, which does not decay by itself`);
    }
    if (Math.abs(re) < near && hautusMargin(aT, q, n, n, re, im) < RANK_LIMIT) {
      throw refusal(`the mode at ${mode} on the imaginary axis costs nothing by the weight Q`);
    }
  }
}

/** Rank margin of the complex [A − λI, B], as a real matrix of twice the size. */
function hautusMargin(
  a: Float64Array,
  b: Float64Array,
  n: number,
  m: number,
  re: number,
  im: number,
): number {
  const width = 2 * (n + m);
  const out = new Float64Array(2 * n * width);
  // both halves at the same scale, so that small inputs count too
  const scale = (frobenius(a) + Math.abs(im) || 1) / (frobenius(b) || 1);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const x = a[i * n + j] - (i === j ? re : 0);
      const y = i === j ? -im : 0;
      out[i * width + j] = x;
      out[i * width + n + m + j] = -y;
      out[(n + i) * width + j] = y;
      out[(n + i) * width + n + m + j] = x;
    }
    for (let j = 0; j < m; j++) {
      out[i * width + n + j] = scale * b[i * m + j];
      out[(n + i) * width + n + m + n + j] = scale * b[i * m + j];
    }
  }
  return rankMargin(out, 2 * n, width);
}
