/**
 * The contact phase w_c h that one sub-step may cover, for an elastic force that grows as δ^q: 0.2 up to q = 2, then 0.4 q − 0.6, at most
 * 0.6. A corner (q = 3) begins so softly that restitution and energy are better at 0.6 than those of a plate at 0.2.
 * docs/theory/implicit-step.md, Sub-steps.
 */
import { TURN_EXPONENT, TURN_LIMIT } from './normal/normal-law.ts';

/** turn[TURN_LIMIT] from turn[TURN_EXPONENT]. @alloc none */
export function writePhaseLimit(turn: Float64Array): void {
  const q = turn[TURN_EXPONENT];
  turn[TURN_LIMIT] = q > 2 ? (q < 3 ? 0.4 * q - 0.6 : 0.6) : 0.2;
}
