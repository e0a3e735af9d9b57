/**
 * The law of a contact that is watched and does not push: f_n = 0. Geometry, onset and read-out are those of any contact. It is no entry of
 * the registry: an observed contact takes no part in a step, whatever the rest of its description is. `Modia3D, response observer`.
 */
import { flag } from '../../base/parameter-checks.ts';
import type { ObserverModel } from '../../model/contact-spec.ts';
import type { LawDefinition } from '../component.ts';
import type { NormalLaw } from './normal-law.ts';
import { OnsetLaw } from './onset-law.ts';

export const OBSERVER_LAW: LawDefinition<ObserverModel, NormalLaw> = {
  needs: [],
  check(model, field) {
    if (model.alarm !== undefined) flag(`${field}.alarm`, model.alarm);
  },
  size: () => ({ states: 0, internals: 1 }),
  make: (_, memory) => new OnsetLaw(memory),
};
