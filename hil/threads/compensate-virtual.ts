/**
 * The compensation of a demonstration. In mode `virtual` the contact is the model's own, so that compensation by the model leaves
 * nothing of the delay in it: whatever period and link there are, the loop creates no energy (docs/theory/loop-energy.md, The jam).
 */
import type { Settings } from '../../config/settings.ts';
import { isContactModelled } from '../energy/compensation-check.ts';
import type { Prepared } from '../loop/prepare-model.ts';

/** The settings, with compensation by the model where they choose none, nothing that excludes it, and the tool has a contact. */
export function compensateVirtual(settings: Settings, { model, mode }: Prepared): Settings {
  const { energy } = settings;
  const free = energy.compensation === 'none' && !energy.removal;
  if (mode !== 'virtual' || !free || !isContactModelled(model)) return settings;
  return { ...settings, energy: { ...energy, compensation: 'model' } };
}
