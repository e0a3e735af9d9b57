/** What one motion leaves for the next: nothing that has to be commanded again. */
import type { Accommodation } from '../../src/control/fma.ts';
import type { HandMode } from './hand-mode.ts';
import { SafetyState } from '../contract/codes.ts';
import type { SafetyOutputs } from '../contract/signals.ts';

/**
 * After a transition. What comes after a stop begins in rate mode, and accommodates as before; in a HOLD the mode stays. A motion
 * begins without a force set-point: pressing the deadman must not resume a push of an earlier motion. @alloc none
 */
export function resetAfterTransition(
  outputs: SafetyOutputs,
  mode: HandMode,
  accommodation: Accommodation | null,
): void {
  const { from, entered } = outputs;
  const { STOPPING, FAULT, ESTOP, ACTIVE_FREE, ACTIVE_CONTACT, ARMING, HOLD } = SafetyState;
  if (entered === STOPPING || entered === FAULT || entered === ESTOP) mode.reset();
  const began = entered === ACTIVE_FREE || entered === ACTIVE_CONTACT;
  if (began && (from === ARMING || from === HOLD)) accommodation?.clearSetPoint();
}
