/**
 * Cholesky factors of matrices over the rates of a tree: mass, or mass with stiffness and damping. A rotor meets its own joint alone, so
 * rotors are eliminated first and only joints and modes are left to a dense factor.
 */
import { factorCholesky, solveLower, solveLowerTransposed } from '../../math/cholesky.ts';
import type { TreeLayout } from './tree-layout.ts';

/** A pivot that is smaller than this part of its diagonal element is rounding, not inertia. */
const SINGULAR = 1e-12;

/** Factors of one matrix. */
export class TreeFactors {
  /** False when the last matrix was not positive definite: what is solved is then not finite. */
  regular = true;
  private readonly rates: number;
  private readonly moving: number;
  private readonly dense: Float64Array;
  /** Rates of joint and rotor, pair by pair. */
  private readonly pairs: Int32Array;
  /** Of each rotor: its own element, and that with its joint over it. */
  private readonly own: Float64Array;
  private readonly ratio: Float64Array;
  private readonly tolerance: Float64Array = Float64Array.of(SINGULAR);

  constructor(layout: TreeLayout) {
    this.rates = layout.rates;
    this.moving = layout.moving;
    this.dense = new Float64Array(layout.moving * layout.moving);
    const rotors = layout.links.filter(({ rotorRate }) => rotorRate >= 0);
    this.pairs = Int32Array.from(rotors.flatMap(({ rate, rotorRate }) => [rate, rotorRate]));
    this.own = new Float64Array(rotors.length);
    this.ratio = new Float64Array(rotors.length);
  }

  /** Factors of a symmetric matrix (rates × rates). @alloc none */
  factor(matrix: Float64Array): void {
    const { rates: n, moving: m, dense, pairs, own, ratio } = this;
    if (n === m) {
      this.regular = factorCholesky(dense, matrix, m, this.tolerance) === 1;
      return;
    }
    for (let i = 0; i < m; i++) {
      for (let j = 0; j <= i; j++) dense[m * i + j] = matrix[n * i + j];
    }
    this.regular = true;
    for (let r = 0; r < own.length; r++) {
      const joint = pairs[2 * r];
      const rotor = pairs[2 * r + 1];
      const element = matrix[(n + 1) * rotor];
      const cross = matrix[n * rotor + joint];
      if (!(element > 0)) this.regular = false;
      own[r] = element;
      ratio[r] = cross / element;
      dense[(m + 1) * joint] -= cross * ratio[r];
    }
    if (factorCholesky(dense, dense, m, this.tolerance) !== 1) this.regular = false;
  }

  /** x := matrix⁻¹ x. @alloc none */
  solve(x: Float64Array): void {
    const { pairs, own, ratio } = this;
    for (let r = 0; r < own.length; r++) x[pairs[2 * r]] -= ratio[r] * x[pairs[2 * r + 1]];
    solveLower(this.dense, this.moving, x, 0);
    solveLowerTransposed(this.dense, this.moving, x, 0);
    for (let r = 0; r < own.length; r++) {
      const rotor = pairs[2 * r + 1];
      x[rotor] = x[rotor] / own[r] - ratio[r] * x[pairs[2 * r]];
    }
  }

  /**
   * Rows without parts at rotors, of length rates each: x[o..] := L⁻¹ x[o..], whose products with one another are those of the rows
   * with the inverse in between. @alloc none
   */
  solveHalf(x: Float64Array, o: number): void {
    solveLower(this.dense, this.moving, x, o);
  }
}
