/**
 * The implicit step of a rate-dependent drag: friction opposing the slip, rolling resistance opposing the relative turning. Given the
 * velocity v* that would be there without it, finds the velocity v after the step,
 *
 *   v = v* − k M D(|v|) v        D(s) = μ G(s) + σ        G: factor of the regularised direction (direction.ts)
 *
 * with the mobility M (symmetric, positive semi-definite) and the gain k >= 0 (step × load).
 *
 * One solution: the drag is the gradient of a convex function of v, so v minimises a strictly convex function in the metric M⁻¹.
 * With u(s) = (1 + k D(s) M)⁻¹ v* the equation is s = |u(s)|. D falls with s, so |u(s)| rises: s ← |u(s)| converges monotonically
 * from either side; Newton's method on s/|u(s)| = 1 (linear in the slip where M is isotropic) makes that fast. Whenever it leaves
 * the side of the root that is known, the safe step is taken instead.
 *
 * Never creates energy, however few passes are made. The impulse is −k c D u with 0 <= c <= 1, and the work of an impulse at the
 * mean of the velocities before (v* = u + k D M u) and after (v* − k c D M u) is −k c D (|u|² + k D (1 − c/2) u·M u) <= 0. The cut
 * c keeps the drag inside μ |dir(u)| + σ |u| when the passes run out. Not a number goes through.
 */
import { type Columns, OWN_COLUMNS } from '../math/columns.ts';
import type { Regularization } from '../model/contact-spec.ts';
import {
  BEND,
  CONVERGED,
  DEVELOPED,
  DRAG,
  DRAG_AT,
  DRAG_COLUMN,
  FACTOR_AT,
  GAIN,
  INVERSE_AT,
  LIMIT,
  MOBILITY_AT,
  PARAMETERS,
  PARAMETERS_AT,
  PASSES,
  SPEED,
  START,
  TARGET,
  TOLERANCE_AT,
  VISCOUS,
} from './drag-slots.ts';

// slots of the scratch column
const FACTOR = 0;
const SLOPE = 1;
const PRESENT = 2; // D of the pass

/** Work space of one drag. */
export class DragSolver {
  /** v* on entry. */
  readonly target: Float64Array;
  /** M, row by row. */
  readonly mobility: Float64Array;
  /** D(|v|) v: minus the impulse over k. */
  readonly drag: Float64Array;
  readonly parameters: Float64Array;
  /** All of them, as the kernel reads them: places of drag-slots.ts. */
  readonly column: Float64Array;
  private readonly cubic: boolean;
  /** [tolerance, as given]: an array, because reading a double field may allocate. */
  private readonly constants: Float64Array;
  private readonly scratch: Float64Array;
  private readonly inverse: Float64Array;

  constructor(regularization: Regularization, tolerance: number, columns: Columns = OWN_COLUMNS) {
    const column = columns.doubles(DRAG_COLUMN);
    this.cubic = regularization === 'cubic';
    this.column = column;
    this.target = column.subarray(TARGET, MOBILITY_AT);
    this.mobility = column.subarray(MOBILITY_AT, DRAG_AT);
    this.drag = column.subarray(DRAG_AT, PARAMETERS_AT);
    this.parameters = column.subarray(PARAMETERS_AT, PARAMETERS_AT + PARAMETERS);
    this.scratch = column.subarray(FACTOR_AT, INVERSE_AT);
    this.inverse = column.subarray(INVERSE_AT, TOLERANCE_AT);
    this.constants = column.subarray(TOLERANCE_AT, START);
    this.constants.fill(tolerance);
  }

  /** G and its slope at parameters[SPEED]: the formulas of direction.ts, spelled out because a call may allocate its numbers. */
  private computeFactor(): void {
    const s = this.parameters[SPEED];
    const e = this.constants[0];
    const w = this.scratch;
    if (s >= e) {
      w[FACTOR] = 1 / s;
      w[SLOPE] = -1 / (s * s);
      return;
    }
    const r = s / e;
    if (this.cubic) {
      w[FACTOR] = (1.5 - 0.5 * r * r) / e;
      w[SLOPE] = -r / (e * e);
    } else {
      const g = 1 / (e * (r * r * (1 - r / 3) + 1 / 3));
      w[FACTOR] = g;
      w[SLOPE] = r * (r - 2) * g * g;
    }
  }

  /** Takes factor[0] times the given tolerance from here on. @alloc none */
  widen(factor: Float64Array): void {
    this.constants[0] = factor[0] * this.constants[1];
  }

  /** Explicit evaluation: the drag at the velocity in `target`. @alloc none */
  evaluate(): void {
    const v = this.target;
    const p = this.parameters;
    p[SPEED] = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    this.computeFactor();
    p[DEVELOPED] = this.scratch[FACTOR] * p[SPEED];
    const d = p[LIMIT] * this.scratch[FACTOR] + p[VISCOUS];
    for (let a = 0; a < 3; a++) this.drag[a] = d * v[a];
  }

  /**
   * D and the bend of the drag at parameters[SPEED]: the derivative of D(|v|) v is D + (D'/|v|) v vᵀ. At rest the limit of G'/|v| is
   * finite for the cubic; for the other one v vᵀ leaves nothing of it.
   * @alloc none
   */
  computeSlope(): void {
    const p = this.parameters;
    const w = this.scratch;
    this.computeFactor();
    p[DRAG] = p[LIMIT] * w[FACTOR] + p[VISCOUS];
    p[BEND] = p[SPEED] > 0 ? (p[LIMIT] * w[SLOPE]) / p[SPEED] : 0;
  }

  /** The drag at the velocity after the step. @alloc none */
  solve(): void {
    const p = this.parameters;
    const v = this.target;
    const m = this.mobility;
    const n = this.inverse;
    const w = this.scratch;
    const v0 = v[0];
    const v1 = v[1];
    const v2 = v[2];
    const total = v0 * v0 + v1 * v1 + v2 * v2;
    if (total === 0) {
      this.drag[0] = 0;
      this.drag[1] = 0;
      this.drag[2] = 0;
      p[SPEED] = 0;
      p[DEVELOPED] = 0;
      return;
    }
    const k = p[GAIN];
    const mu = p[LIMIT];
    // the slip of an isotropic mobility when it stays above the tolerance; else from rest, where Newton cannot overshoot
    const mean =
      (v0 * (m[0] * v0 + m[1] * v1 + m[2] * v2) +
        v1 * (m[3] * v0 + m[4] * v1 + m[5] * v2) +
        v2 * (m[6] * v0 + m[7] * v1 + m[8] * v2)) /
      total;
    let s = (Math.sqrt(total) - k * mean * mu) / (1 + k * mean * p[VISCOUS]);
    if (s < this.constants[0]) s = 0;
    let low = 0;
    let high = Infinity;
    let d = 0;
    let length = 0;
    let u0 = 0;
    let u1 = 0;
    let u2 = 0;
    for (let pass = 0; pass < PASSES; pass++) {
      p[SPEED] = s;
      this.computeFactor();
      d = mu * w[FACTOR] + p[VISCOUS];
      w[PRESENT] = d;
      this.invert();
      u0 = n[0] * v0 + n[1] * v1 + n[2] * v2;
      u1 = n[1] * v0 + n[4] * v1 + n[5] * v2;
      u2 = n[2] * v0 + n[5] * v1 + n[8] * v2;
      length = Math.sqrt(u0 * u0 + u1 * u1 + u2 * u2);
      const gap = s - length;
      if (gap * gap <= CONVERGED * CONVERGED * length * length) break;
      if (gap < 0) low = length;
      else high = length;
      const x = m[0] * u0 + m[1] * u1 + m[2] * u2;
      const y = m[3] * u0 + m[4] * u1 + m[5] * u2;
      const z = m[6] * u0 + m[7] * u1 + m[8] * u2;
      const fall =
        u0 * (n[0] * x + n[1] * y + n[2] * z) +
        u1 * (n[1] * x + n[4] * y + n[5] * z) +
        u2 * (n[2] * x + n[5] * y + n[8] * z);
      // d|u|/ds = −k u·(1 + k D M)⁻¹ M u / |u| · μ G'
      const next = s - gap / (1 + (s * k * fall * mu * w[SLOPE]) / (length * length));
      s = next >= low && next <= high ? next : length;
    }
    p[SPEED] = length;
    this.computeFactor();
    p[DEVELOPED] = w[FACTOR] * length;
    const consistent = mu * w[FACTOR] + p[VISCOUS];
    if (consistent < d) d = consistent;
    this.drag[0] = d * u0;
    this.drag[1] = d * u1;
    this.drag[2] = d * u2;
  }

  /** inverse := (1 + k d M)⁻¹, symmetric with eigenvalues in (0, 1]; d is scratch[PRESENT]. */
  private invert(): void {
    const m = this.mobility;
    const n = this.inverse;
    const g = this.parameters[GAIN] * this.scratch[PRESENT];
    const a = 1 + g * m[0];
    const b = g * m[1];
    const c = g * m[2];
    const e = 1 + g * m[4];
    const f = g * m[5];
    const i = 1 + g * m[8];
    const ei = e * i - f * f;
    const cf = c * f - b * i;
    const bf = b * f - c * e;
    const scale = 1 / (a * ei + b * cf + c * bf);
    n[0] = ei * scale;
    n[1] = cf * scale;
    n[2] = bf * scale;
    n[4] = (a * i - c * c) * scale;
    n[5] = (b * c - a * f) * scale;
    n[8] = (a * e - b * b) * scale;
  }
}
