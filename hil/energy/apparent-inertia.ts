/**
 * Inverse inertia M⁻¹ (6 × 6, base frame, about the tool point) that a wrench on the tool meets: of the arm under force and moment
 * accommodation, of an articulated arm, or of a rigid body (docs/theory/loop-energy.md, Apparent inertia). Twists and wrenches are
 * (linear, angular) and (force, moment).
 *
 * Accommodation: v' = (v_cmd + P F/g − v)/lag per axis, so that M⁻¹ = P/(g lag), 0 on a stiff axis, and the damping is M/lag: along
 * any wrench n it is m/lag with m = 1/(nᵀ M⁻¹ n).
 *
 * Articulated arm: M⁻¹ = J M_tree⁻¹ Jᵀ of the tip, what a blow meets before joints and links have had time to pull. There is no
 * damping, because what the servos take is behind flexible joints. Its accommodation still turns a force F into the speed nᵀ P n
 * F/g.
 */
import { FmaSlot } from '../../src/control/fma.ts';
import type { System } from '../../src/system/system.ts';

const AXES = FmaSlot.AXES;
const GAIN = FmaSlot.GAIN;

/** Slots of `ApparentInertia.along`. */
export const AlongSlot = Object.freeze({
  /** Effective mass, kg (of a unit force; kg m² of a unit moment); Infinity when nothing gives way. */
  MASS: 0,
  /** Effective damping, N s/m; 0 for a rigid body, Infinity on a stiff axis. */
  DAMPING: 1,
  /** g of the accommodation along the wrench, N s/m: force over the speed that it makes in the end; Infinity on a stiff axis. */
  GAIN: 2,
});

/** M⁻¹ and what follows from it along a wrench. */
export class ApparentInertia {
  /** M⁻¹, row by row. */
  readonly inverse: Float64Array = new Float64Array(36);
  /** In: a wrench n; a contact at r (from the tool point) along the unit normal n has (n, r × n). */
  readonly wrench: Float64Array = new Float64Array(6);
  /** Out of `measure`: slots of AlongSlot. */
  readonly along: Float64Array = new Float64Array(3);
  /** [rate of the damping: C = rate · M, 1/s] */
  private readonly rate = new Float64Array(1);
  /** P/g of each axis, m/(N s). */
  private readonly yielding = new Float64Array(6);

  /** The arm of a system: its tree, or its accommodation with timing = [lag, step], s. Unchanged without one. @alloc none */
  setArm(system: System, timing: Float64Array): void {
    const { accommodation, arm } = system;
    if (accommodation === null) return;
    this.setAccommodation(accommodation.present, timing);
    if (arm === null) return;
    arm.computeMobility();
    for (let i = 0; i < 36; i++) this.inverse[i] = arm.mobility[i];
    this.rate[0] = 0;
  }

  /**
   * The arm of an accommodation with this setting (columns of FmaSlot) and lag: timing = [lag, step], s. A lag shorter than the step
   * is reached in one step and counts as the step. @alloc none
   */
  setAccommodation(setting: Float64Array, timing: Float64Array): void {
    const m = this.inverse;
    const lag = timing[0] > timing[1] ? timing[0] : timing[1];
    for (let i = 0; i < 36; i++) m[i] = 0;
    for (let a = 0; a < 6; a++) {
      m[7 * a] = setting[AXES + a] / (setting[GAIN + (a < 3 ? 0 : 1)] * lag);
      this.yielding[a] = m[7 * a] * lag;
    }
    this.rate[0] = 1 / lag;
  }

  /**
   * A free rigid body: mass, kg; inverse of its inertia about the centre of mass (3 × 3, base frame, 1/(kg m²)); r from the centre of
   * mass to the tool point, m. With ω' = I⁻¹ (τ + r × f) and v' = f/m + ω' × r:
   *
   *   M⁻¹ = [ 1/m − [r] I⁻¹ [r]   −[r] I⁻¹ ;  I⁻¹ [r]   I⁻¹ ],   [r] x = r × x
   */
  setRigidBody(mass: number, inverseInertia: Float64Array, r: Float64Array): void {
    const m = this.inverse;
    const [x, y, z] = r;
    const cross = [0, -z, y, z, 0, -x, -y, x, 0];
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        m[6 * (i + 3) + j + 3] = inverseInertia[3 * i + j];
        let lower = 0;
        for (let k = 0; k < 3; k++) lower += inverseInertia[3 * i + k] * cross[3 * k + j];
        m[6 * (i + 3) + j] = lower;
        m[6 * j + i + 3] = lower;
      }
    }
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        let upper = i === j ? 1 / mass : 0;
        for (let k = 0; k < 3; k++) upper -= cross[3 * i + k] * m[6 * (k + 3) + j];
        m[6 * i + j] = upper;
      }
    }
    for (let a = 0; a < 6; a++) this.yielding[a] = 0;
    this.rate[0] = 0;
  }

  /** Puts the wrench of a unit force along line[3..5] at line[0..2] (from the tool point) into `wrench`. @alloc none */
  pointContact(line: Float64Array): void {
    const w = this.wrench;
    for (let i = 0; i < 3; i++) w[i] = line[3 + i];
    w[3] = line[1] * line[5] - line[2] * line[4];
    w[4] = line[2] * line[3] - line[0] * line[5];
    w[5] = line[0] * line[4] - line[1] * line[3];
  }

  /** Fills `along` for `wrench`. @alloc none */
  measure(): void {
    const { inverse, wrench, along } = this;
    let mobility = 0;
    let yielding = 0;
    for (let i = 0; i < 6; i++) {
      for (let j = 0; j < 6; j++) mobility += wrench[i] * inverse[6 * i + j] * wrench[j];
      yielding += wrench[i] * this.yielding[i] * wrench[i];
    }
    along[2] = 1 / yielding;
    along[0] = 1 / mobility;
    along[1] = this.rate[0] > 0 ? along[0] * this.rate[0] : 0;
  }
}
