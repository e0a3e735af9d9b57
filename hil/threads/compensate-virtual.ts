/**
 * The compensation of a demonstration. In mode `virtual` the contact is the model's own, so that compensation by the model leaves
 * nothing of the delay in it: whatever period and link there are, the loop creates no energy (docs/theory/loop-energy.md, The jam).
 *
 * It is for contacts of cells. It takes its force at the measured pose, whose noise the stiffness of a point contact multiplies: since a
 * contact never pulls, that noise lowers the mean force.
 */
import { pairDefinition } from '../../src/contact/registry.ts';
import type { Settings } from '../../config/settings.ts';
import { isContactModelled } from '../energy/compensation-check.ts';
import type { Prepared } from '../loop/prepare-model.ts';

/**
 * The settings, with compensation by the model where they choose none, nothing that excludes it, and the tool has a contact, all
 * contacts being of cells.
 */
export function compensateVirtual(settings: Settings, { model, mode }: Prepared): Settings {
  const { energy } = settings;
  const free = energy.compensation === 'none' && !energy.removal;
  const cells = model.contacts.every(
    ({ pair, normalLaw }) => normalLaw.kind === 'observer' || pairDefinition(pair).step === 'cells',
  );
  if (mode !== 'virtual' || !free || !cells || !isContactModelled(model)) return settings;
  return { ...settings, energy: { ...energy, compensation: 'model' } };
}
