/**
 * One contact seen at two times: its tool stands at two poses, in two systems of the same model. The damping of most laws falls with the
 * speed at which the contact began (`Gonthier 2007, (3.23)`), and where the two find different ones, their forces cannot be compared.
 */
import type { ContactModel } from './contact-model.ts';
import type { DeclaredContacts } from './declared-contacts.ts';
import { IMPACT_SPEED } from './normal/normal-law.ts';

/** Of those that touch the one that began fastest; null when none touches. */
function fastest(models: readonly ContactModel[]): ContactModel | null {
  let found: ContactModel | null = null;
  for (let k = 0; k < models.length; k++) {
    const model = models[k];
    if (!model.active) continue;
    const speed = model.normalLaw.internals[IMPACT_SPEED];
    if (found === null || speed > found.normalLaw.internals[IMPACT_SPEED]) found = model;
  }
  return found;
}

function take(models: readonly ContactModel[], from: ContactModel): void {
  const impact = from.normalLaw.internals;
  for (let k = 0; k < models.length; k++) {
    if (!models[k].active) continue;
    const { internals } = models[k].normalLaw;
    for (let i = 0; i < impact.length; i++) internals[i] = impact[i];
  }
}

/** Each contact that touches in both takes the faster of the two impacts: a pose that comes late, or stood still, shows less. @alloc none */
export function shareImpacts(one: DeclaredContacts, other: DeclaredContacts): void {
  for (let k = 0; k < one.byDeclaration.length; k++) {
    const here = one.byDeclaration[k];
    const there = other.byDeclaration[k];
    const mine = fastest(here);
    const theirs = fastest(there);
    if (mine === null || theirs === null) continue;
    const slower =
      mine.normalLaw.internals[IMPACT_SPEED] < theirs.normalLaw.internals[IMPACT_SPEED];
    const faster = slower ? theirs : mine;
    take(here, faster);
    take(there, faster);
  }
}
