/**
 * Correction of the reference position for a steady force error. The arm bends under its contact
 * force, which rigid kinematics do not show. The force then settles below the value that the offset
 * of the reference demands. `Kim 1999, (6.9)`: x_c = x_f + (f_d − f_a)/K_p.
 *
 * One application removes k s/(1 + k s) of the error (k stiffness of the impedance, s compliance of
 * the arm). Repeated or integrated, it removes all of it.
 */

/** Offset of the reference, one value per axis. f is the force that the arm exerts. */
export class ForceCorrection {
  /** Correction of the reference position, m. */
  readonly offset: Float64Array;
  private readonly stiffness: ArrayLike<number>;
  private readonly time: number;

  /**
   * @param stiffness one value per axis, N/m; it may change
   * @param time time constant of the integral form, s: an error of f adds f/(K_p time) per second
   * @param offset memory of the offset, one number per axis
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

  /** Applies (6.9) once. @alloc none */
  apply(desired: Float64Array, actual: Float64Array): void {
    for (let a = 0; a < this.offset.length; a++) {
      this.offset[a] += (desired[a] - actual[a]) / this.stiffness[a];
    }
  }

  /** Applies the integral form over timing[0]. @alloc none */
  integrate(desired: Float64Array, actual: Float64Array, timing: Float64Array): void {
    const part = timing[0] / this.time;
    for (let a = 0; a < this.offset.length; a++) {
      this.offset[a] += (part * (desired[a] - actual[a])) / this.stiffness[a];
    }
  }
}
