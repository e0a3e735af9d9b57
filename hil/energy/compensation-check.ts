/**
 * Which remedies go together (docs/theory/loop-energy.md, Compensation). Lead, model and damping exclude each other by being one
 * setting: each makes good for the whole delay, and two of them for twice of it. The guard goes with all, because it takes only
 * energy that a contact gave beyond what it got. Position lead goes with all, because the delay that the others use is measured
 * without it: they make good for what it leaves.
 */
import { BerthError } from '../../src/base/errors.ts';
import type { ContactModelSpec, SystemModel } from '../../src/model/model.ts';

/** What is chosen, and what there is to choose from. */
export interface EnergyChoice {
  compensation: 'none' | 'model' | 'lead' | 'damping';
  removal: boolean;
  tank_J: number;
  /** A stiffness is known, by the settings or from the model. */
  stiffnessKnown: boolean;
  /** The model has a contact of the tool. */
  contactModelled: boolean;
}

/** Field and reason of what does not go together; null when it does. */
export interface Refusal {
  readonly field: string;
  readonly reason: string;
}

const OVER_DAMPED: Refusal = {
  field: 'energy.removal',
  reason:
    'must be false with energy.compensation lead, model or damping: what the compensation has undone already would be taken away again',
};
const PAID_TWICE: Refusal = {
  field: 'energy.removal',
  reason: 'must be false with energy.tank_J > 0: both pay for the same created energy',
};
const NO_MODEL: Refusal = {
  field: 'energy.compensation',
  reason: 'cannot be model: the scenario has no contact of the tool to predict it with',
};
const NO_STIFFNESS: Refusal = {
  field: 'energy.compensation',
  reason:
    'cannot be damping: the stiffness of the contact is not known; set energy.stiffness_N_per_m',
};

/** What is wrong with a choice, or null. @alloc none */
export function refusalOf(choice: EnergyChoice): Refusal | null {
  if (choice.removal && choice.compensation !== 'none') return OVER_DAMPED;
  if (choice.removal && choice.tank_J > 0) return PAID_TWICE;
  if (choice.compensation === 'model' && !choice.contactModelled) return NO_MODEL;
  if (choice.compensation === 'damping' && !choice.stiffnessKnown) return NO_STIFFNESS;
  return null;
}

/** Throws BerthError for a choice that does not go together. */
export function checkCompensation(choice: EnergyChoice): void {
  const refusal = refusalOf(choice);
  if (refusal === null) return;
  throw new BerthError('BERTH_UNSUPPORTED', `${refusal.field} ${refusal.reason}`, {
    field: refusal.field,
  });
}

/** Whether a contact of a model pushes a body. */
export function pushes({ bodyI, bodyJ, normalLaw }: ContactModelSpec, body: string): boolean {
  return normalLaw.kind !== 'observer' && (bodyI === body || bodyJ === body);
}

/** Whether the tool takes part in a contact of the model. */
export function isContactModelled(model: SystemModel): boolean {
  const payload = model.tool?.payload;
  return payload !== undefined && model.contacts.some((contact) => pushes(contact, payload));
}
