/**
 * The hardware-in-the-loop side of a system: what the loop writes before a step and reads after it.
 * Plain fields and arrays, so that a tick neither allocates nor calls.
 */

/** The tool of a run. Twists and wrenches are (linear, angular) and (force, moment), world frame, at the tool point. */
export class ToolPort {
  /** 0 simulation, 1 virtual, 2 hardware. */
  mode = 0;
  /** 0 follow the measured pose, 1 accommodate, 2 brake. */
  motion = 1;
  /** Ramp of `brake`, m/s²; the angular ramp keeps the ratio of the largest speeds of the arm. */
  deceleration = 0.5;
  /** Commanded twist. */
  readonly command: Float64Array = new Float64Array(6);
  /** Joint of the arm that is turned by itself while it accommodates no longer, −1: none. Its stick, −1 … 1. */
  joint = -1;
  readonly jointLevel: Float64Array = new Float64Array(1);
  /** Measured pose and twist of the tool: p(3), q(4), v(3), w(3). */
  readonly measuredMotion: Float64Array = new Float64Array(13);
  /** Measured contact wrench on the tool. */
  readonly measuredWrench: Float64Array = new Float64Array(6);
  /** Added to the contact wrench before the arm feels it: compensation of a delay. */
  readonly addedWrench: Float64Array = new Float64Array(6);
  /** Out: wrench that the arm felt, mean over the step. */
  readonly meanArmWrench: Float64Array = new Float64Array(6);
  /** Out: pose and twist of the simulated arm after the step. */
  readonly setpoint: Float64Array = new Float64Array(13);
  /** Out: contact wrench of the model on the payload, about the payload origin. */
  readonly modelWrench: Float64Array = new Float64Array(6);
}
