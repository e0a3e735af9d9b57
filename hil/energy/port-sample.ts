/**
 * Values of the contact port of the simulated arm in one tick. Wrenches act on the tool, about the tool point, base frame;
 * twists are of the tool point. Filled once a tick, read by audit, guard and tank.
 */

/** Ticks without contact after which a contact has ended. */
export const CONTACT_FREE_TICKS = 50;
/**
 * What is left of an energy after one more tick without contact. At a steady slow speed this keeps as much of the time before a
 * contact is noticed as CONTACT_FREE_TICKS adds after it. So a force below the threshold counts alike on both ways.
 */
export const CONTACT_FREE_MEMORY: number = 1 - 1 / CONTACT_FREE_TICKS;
/** Longer than a swing of anything that is held, s: what the two ends of a contact store at different times has come and gone. */
export const SWING_s = 0.5;

/** State of the contact port in one tick. */
export class PortSample {
  /** 1 while there is contact, measured, modelled or predicted. */
  touching = 0;
  /** 1 while the wrench may be one of a contact that begins or ends: above a part of what makes it one. Below is noise. */
  sensed = 0;
  /** 1 when a frame of the robot came in this tick. */
  fresh = 0;
  /** Pose and twist of the tool in the newest frame. */
  readonly measured: Float64Array = new Float64Array(13);
  /** Contact wrench that belongs to `measured`. */
  readonly port: Float64Array = new Float64Array(6);
  /** Wrench on the arm in the step: `port` with everything that was added. */
  readonly armWrench: Float64Array = new Float64Array(6);
  /** Part of `armWrench` that accelerated the arm: without dead-band and stiff axes. */
  readonly acting: Float64Array = new Float64Array(6);
  /** Twist of the simulated arm before the step, after it, and their mean. */
  readonly before: Float64Array = new Float64Array(6);
  readonly after: Float64Array = new Float64Array(6);
  readonly middle: Float64Array = new Float64Array(6);

  /** Fills `middle`. @alloc none */
  average(): void {
    for (let a = 0; a < 6; a++) this.middle[a] = 0.5 * (this.before[a] + this.after[a]);
  }
}
