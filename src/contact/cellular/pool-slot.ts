/** A slot of the pool of a volumetric contact. */
import type { ContactModel } from '../contact-model.ts';
import { NORMAL } from '../pair.ts';
import { LAST_NORMAL, SLOT_MEMORY, type VolumetricPair } from './volumetric-pair.ts';

/** One slot of the pool: the sub-model and its pair. */
export interface PoolSlot {
  readonly model: ContactModel;
  readonly pair: VolumetricPair;
}

/** Ends the contact of a slot and frees it. @alloc none */
export function release(slot: PoolSlot): void {
  const { model, pair } = slot;
  model.end();
  model.fresh = false;
  for (let a = 0; a < SLOT_MEMORY; a++) pair.memory[a] = 0;
}

/** Keeps the normal for the next (sub-)step. @alloc none */
export function rememberNormal(slot: PoolSlot): void {
  const { model, pair } = slot;
  for (let a = 0; a < 3; a++) pair.memory[LAST_NORMAL + a] = model.kinematics[NORMAL + a];
}
