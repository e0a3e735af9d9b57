/**
 * Interface between the loop and a system: inputs before a step, outputs after it. Plain fields and
 * arrays, so that a tick neither allocates nor calls.
 */
import { type CodeIndices, codesOf } from '../base/name-indices.ts';

/** Where the tool pose comes from, by index: `virtual` and `hardware` take what is measured, `hardware` the wrench as well. */
export const LOOP_MODES = ['simulation', 'virtual', 'hardware'] as const;
export const LoopMode: CodeIndices<typeof LOOP_MODES> = codesOf(LOOP_MODES);

/** How the simulated arm moves, by index: as measured, by the accommodation, or to rest. */
export const TOOL_MOTIONS = ['follow', 'accommodate', 'brake'] as const;
export const ToolMotion: CodeIndices<typeof TOOL_MOTIONS> = codesOf(TOOL_MOTIONS);

/** Port of the tool. Twists are (linear, angular), wrenches (force, moment), world frame, at the tool point. */
export class ToolPort {
  /** One of `LoopMode`. */
  mode: number = LoopMode.SIMULATION;
  /** One of `ToolMotion`. */
  motion: number = ToolMotion.ACCOMMODATE;
  /** Deceleration of `brake`, m/s²; the angular one keeps the ratio of the largest speeds of the arm. */
  deceleration = 0.5;
  /** Commanded twist. */
  readonly command: Float64Array = new Float64Array(6);
  /** Joint of the single-joint mode and its stick, −1 … 1. −1: no joint, the arm accommodates. */
  joint = -1;
  readonly jointLevel: Float64Array = new Float64Array(1);
  /** Measured pose and twist of the tool: p(3), q(4), v(3), w(3). */
  readonly measuredMotion: Float64Array = new Float64Array(13);
  /** Measured contact wrench on the tool. */
  readonly measuredWrench: Float64Array = new Float64Array(6);
  /** Wrench that compensates a delay. It is added to the contact wrench on the arm. */
  readonly addedWrench: Float64Array = new Float64Array(6);
  /** Out: wrench on the arm, mean over the step. */
  readonly meanArmWrench: Float64Array = new Float64Array(6);
  /** Out: pose and twist of the simulated arm after the step. */
  readonly setpoint: Float64Array = new Float64Array(13);
  /** Out: contact wrench of the model on the payload, about the payload origin. */
  readonly modelWrench: Float64Array = new Float64Array(6);
}
