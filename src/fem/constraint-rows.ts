/**
 * Rows of all constraints of one iteration, and their elimination, `Kim 1999, (4.12)–(4.23)`:
 *
 * P Δq = −g,  K̂_i Δq_i + D_i Δλ = −f̂_i   ⇒   R̄ Δλ = g − P K̂⁻¹ f̂,  R̄ = Σ_i P_i K̂_i⁻¹ D_i,  Δq_i = −K̂_i⁻¹ (D_i Δλ + f̂_i)
 *
 * D is Pᵀ but for sliding nodes, whose friction goes with the normal multiplier: R̄ is then not symmetric, so it is taken by LU.
 * The sum runs over all parts that two rows share (the thesis's (4.20) has only one). A row that yields by s Δλ, of a spring, has s on the diagonal.
 */
import { factorize, solveFactored } from '../math/lu.ts';
import type { PointSubsystem, Subsystem } from './subsystem.ts';

/** Rows over the coordinates of all parts. */
export class ConstraintRows {
  /** Rows in use. */
  count = 0;
  /** Rows P and columns D of each part, row by row. */
  readonly rows: readonly Float64Array[];
  readonly columns: readonly Float64Array[];
  /** Gaps, m or rad, and multipliers, N or N m. */
  readonly gaps: Float64Array;
  readonly forces: Float64Array;
  /** Part of the second derivative of each gap that is there without accelerations, m/s²; filled when `biased`. */
  readonly bias: Float64Array;
  biased = false;
  /** By how much a row yields to its multiplier, m/N: that of a spring; 0 for a constraint. With M in place of K̂ its force is given. */
  readonly softness: Float64Array;
  /** Change of the multipliers in the last solution. */
  readonly change: Float64Array;
  private readonly parts: readonly Subsystem[];
  private readonly capacity: number;
  /** Whether a row has entries of a part: [capacity · part + row]. */
  private readonly touches: Uint8Array;
  private readonly solutions: readonly Float64Array[];
  private readonly matrix: Float64Array;
  private readonly pivots: Int32Array;

  constructor(parts: readonly Subsystem[], capacity: number) {
    this.parts = parts;
    this.capacity = capacity;
    const block = (): readonly Float64Array[] =>
      parts.map(({ size }) => new Float64Array(capacity * size));
    this.rows = block();
    this.columns = block();
    this.solutions = block();
    this.gaps = new Float64Array(capacity);
    this.forces = new Float64Array(capacity);
    this.change = new Float64Array(capacity);
    this.bias = new Float64Array(capacity);
    this.softness = new Float64Array(capacity);
    this.touches = new Uint8Array(capacity * parts.length);
    this.matrix = new Float64Array(capacity * capacity);
    this.pivots = new Int32Array(capacity);
  }

  /** Removes all rows. @alloc none */
  clear(): void {
    for (let p = 0; p < this.parts.length; p++) {
      const used = this.count * this.parts[p].size;
      this.rows[p].fill(0, 0, used);
      this.columns[p].fill(0, 0, used);
    }
    this.touches.fill(0);
    this.count = 0;
  }

  /** A new row without entries that touches two parts; returns its number. @alloc none */
  add(a: number, b: number): number {
    const row = this.count++;
    this.bias[row] = 0;
    this.softness[row] = 0;
    this.touches[this.capacity * a + row] = 1;
    this.touches[this.capacity * b + row] = 1;
    return row;
  }

  /** Adds direction · ∂(position)/∂q of a point to a row, with its bias. @alloc none */
  addPoint(
    row: number,
    part: number,
    body: PointSubsystem,
    point: number,
    direction: Float64Array,
  ): void {
    body.addDirection(this.rows[part], body.size * row, point, direction);
    if (this.biased) body.addBias(this.bias, row, point, direction);
  }

  /** P q̇ of a row. @alloc none */
  rateOf(row: number): number {
    let sum = 0;
    for (let p = 0; p < this.parts.length; p++) {
      if (this.touches[this.capacity * p + row] === 0) continue;
      const { size, rate } = this.parts[p];
      for (let e = 0; e < size; e++) sum += this.rows[p][size * row + e] * rate[e];
    }
    return sum;
  }

  /** Copies a row to its column: Pᵀ. @alloc none */
  transpose(row: number): void {
    for (let p = 0; p < this.parts.length; p++) {
      const { size } = this.parts[p];
      const from = this.rows[p];
      const to = this.columns[p];
      for (let e = size * row; e < size * (row + 1); e++) to[e] = from[e];
    }
  }

  /** out[p] += D λ, of all rows or of those that yield. @alloc none */
  addForces(out: readonly Float64Array[], soft: boolean): void {
    for (let p = 0; p < this.parts.length; p++) {
      const { size } = this.parts[p];
      for (let r = 0; r < this.count; r++) {
        if (this.touches[this.capacity * p + r] === 0) continue;
        if (soft && this.softness[r] === 0) continue;
        const force = this.forces[r];
        const column = this.columns[p];
        for (let e = 0; e < size; e++) out[p][e] += force * column[size * r + e];
      }
    }
  }

  /**
   * vectors := −K̂⁻¹ (D Δλ + vectors) with P vectors = −g, Δλ in `change`. Takes M in place of K̂ when `mass`.
   * Returns false when the rows depend on each other. @alloc none
   */
  eliminate(vectors: readonly Float64Array[], mass: boolean): boolean {
    const { parts, count, capacity, touches, matrix, change, gaps, softness } = this;
    matrix.fill(0, 0, count * count);
    for (let r = 0; r < count; r++) change[r] = gaps[r];
    for (let p = 0; p < parts.length; p++) {
      const part = parts[p];
      const { size } = part;
      if (size === 0) continue;
      const vector = vectors[p];
      const solution = this.solutions[p];
      const rows = this.rows[p];
      if (mass) part.solveMass(vector, 0);
      else part.solve(vector, 0);
      for (let j = 0; j < count; j++) {
        if (touches[capacity * p + j] === 0) continue;
        for (let e = size * j; e < size * (j + 1); e++) solution[e] = this.columns[p][e];
        if (mass) part.solveMass(solution, size * j);
        else part.solve(solution, size * j);
      }
      for (let k = 0; k < count; k++) {
        if (touches[capacity * p + k] === 0) continue;
        let known = 0;
        for (let e = 0; e < size; e++) known += rows[size * k + e] * vector[e];
        change[k] -= known;
        for (let j = 0; j < count; j++) {
          if (touches[capacity * p + j] === 0) continue;
          let sum = 0;
          for (let e = 0; e < size; e++) sum += rows[size * k + e] * solution[size * j + e];
          matrix[count * k + j] += sum;
        }
      }
    }
    for (let r = 0; r < count; r++) {
      if (softness[r] === 0) continue;
      if (mass) {
        change[r] = 0;
        for (let j = 0; j < count; j++) matrix[count * r + j] = 0;
        matrix[(count + 1) * r] = 1;
      } else {
        matrix[(count + 1) * r] += softness[r];
      }
    }
    if (!factorize(matrix, count, this.pivots)) return false;
    solveFactored(matrix, count, this.pivots, change, 0);
    for (let p = 0; p < parts.length; p++) {
      const { size } = parts[p];
      const vector = vectors[p];
      const solution = this.solutions[p];
      for (let e = 0; e < size; e++) vector[e] = -vector[e];
      for (let j = 0; j < count; j++) {
        if (touches[capacity * p + j] === 0) continue;
        for (let e = 0; e < size; e++) vector[e] -= solution[size * j + e] * change[j];
      }
    }
    return true;
  }
}
