/** Sentence for a refused selection of compensation; the loop itself answers by a number. */
import type { Settings } from '../../config/settings.ts';
import { type EnergyChoice, refusalOf } from '../../hil/energy/compensation-check.ts';
import type { LoopEnergyStatus, Requests } from '../client/messages.ts';

/** @param now present options @returns '' when nothing of it is refused */
export function energyRefusal(
  wish: Requests['energy.set'],
  now: LoopEnergyStatus,
  settings: Settings['energy'],
): string {
  const atStart = settings.compensation === 'model';
  const compensation = wish.compensation ?? (now.compensation as EnergyChoice['compensation']);
  if (compensation === 'model' && !atStart) {
    return 'energy.compensation can only be model when it was at the start: the prediction needs models of its own.';
  }
  const refusal = refusalOf({
    compensation,
    removal: wish.removal ?? now.removal,
    tank_J: settings.tank_J,
    stiffnessKnown: (now.prediction.contact_stiffness_N_per_m ?? 0) > 0,
    contactModelled: atStart,
  });
  return refusal === null ? '' : `${refusal.field} ${refusal.reason}.`;
}
