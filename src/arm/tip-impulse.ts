/**
 * Impulse on the tip of an arm that causes a given change of its twist, from the mobility G = J M⁻¹
 * Jᵀ.
 *
 * G may be singular: a planar arm moves in three of six directions. ε is far below the mobility of
 * a movable direction. (G + ε)⁻¹ G projects the change on what the arm can do, and (G + ε)⁻¹ of the
 * projection is the impulse.
 */
import { factorCholesky, solveLower, solveLowerTransposed } from '../math/cholesky.ts';

/** Directions below this part of the largest diagonal element of G count as stiff. It allows for rounding. */
const STIFF = 1e-10;

/** Impulse on the tip of an arm for a given change of its twist. */
export class TipImpulse {
  readonly impulse: Float64Array = new Float64Array(6);
  private readonly factors = new Float64Array(36);
  private readonly tolerance = new Float64Array(1);

  /** Fills `impulse`; it is zero along stiff directions. @alloc none */
  compute(mobility: Float64Array, change: Float64Array): void {
    const { factors, impulse } = this;
    let largest = 0.0;
    for (let a = 0; a < 6; a++) if (mobility[7 * a] > largest) largest = mobility[7 * a];
    for (let i = 0; i < 36; i++) factors[i] = mobility[i];
    for (let a = 0; a < 6; a++) factors[7 * a] += STIFF * largest;
    factorCholesky(factors, factors, 6, this.tolerance);
    for (let a = 0; a < 6; a++) {
      impulse[a] = 0;
      for (let b = 0; b < 6; b++) impulse[a] += mobility[6 * a + b] * change[b];
    }
    for (let pass = 0; pass < 2; pass++) {
      solveLower(factors, 6, impulse, 0);
      solveLowerTransposed(factors, 6, impulse, 0);
    }
  }
}
