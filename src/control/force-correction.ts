/**
 * Correction of the reference position for a steady force error: the arm bends under the force that it exerts, which rigid kinematics
 * does not see, so the force settles below what the offset of the reference asks for. `Kim 1999, (6.9)`:  x_c = x_f + (f_d − f_a)/K_p.
 *
 * Applied once it takes k s/(1 + k s) of the error away (k stiffness of the impedance, s compliance of the arm); applied again and again, or
 * integrated, all of it.
 */

/** Offset of the reference, one value an axis. f is the force that the arm exerts. */
export class ForceCorrection {
  /** What to add to the reference position, m. */
  readonly offset: Float64Array;
  private readonly stiffness: ArrayLike<number>;
  private readonly time: number;

  /**
   * @param stiffness one value an axis, N/m; may change
   * @param time constant of the integral form, s: an error of f adds f/(K_p time) per second
   * @param offset where the offset lies, one number an axis
   */
  constructor(
    stiffness: ArrayLike<number>,
    time: number,
    offset: Float64Array = new Float64Array(stiffness.length),
  ) {
    this.stiffness = stiffness;
    this.time = time;
    this.offset = offset;
  }

  /** (6.9) once more. @alloc none */
  apply(desired: Float64Array, actual: Float64Array): void {
    for (let a = 0; a < this.offset.length; a++) {
      this.offset[a] += (desired[a] - actual[a]) / this.stiffness[a];
    }
  }

  /** The integral form over timing[0]. @alloc none */
  integrate(desired: Float64Array, actual: Float64Array, timing: Float64Array): void {
    const part = timing[0] / this.time;
    for (let a = 0; a < this.offset.length; a++) {
      this.offset[a] += (part * (desired[a] - actual[a])) / this.stiffness[a];
    }
  }
}
