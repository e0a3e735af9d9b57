/**
 * The contact phase w_c h that one sub-step may cover, for an elastic force that grows as δ^q: 0.4 q − 0.2, at most 1. Restitution then stays
 * within 0.004 of that of a small step for every q, however the onset falls into the step: a soft start forgives more.
 * docs/theory/implicit-step.md, Sub-steps.
 */
import { TURN_EXPONENT, TURN_LIMIT } from './normal/normal-law.ts';

/** turn[TURN_LIMIT] from turn[TURN_EXPONENT]. @alloc none */
export function writePhaseLimit(turn: Float64Array): void {
  const q = turn[TURN_EXPONENT];
  turn[TURN_LIMIT] = q < 3 ? 0.4 * q - 0.2 : 1;
}
