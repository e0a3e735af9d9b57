/** Assembles a contact from its description; here and nowhere else is the list of pairs and laws. */
import type { Arena, ArenaPlan, Slice } from '../math/arena.ts';
import type { ContactModelSpec } from '../model.ts';
import type { ContactBody } from './contact-body.ts';
import { CONTACT_READOUT, ContactModel } from './contact-model.ts';
import { BristleFriction, bristleStates } from './friction/bristle.ts';
import { Frictionless } from './friction/frictionless.ts';
import { HystereticLaw, hystereticSizes } from './normal/hysteretic.ts';
import { SpherePlane } from './pairs/sphere-plane.ts';

/** Slices of one contact. */
export interface ContactSlices {
  readonly normalStates: Slice;
  readonly frictionStates: Slice;
  readonly internals: Slice;
  readonly flags: Slice;
  readonly readout: Slice;
}

/** Reserves the states of a contact, which must lie in the integrated part of the arena. */
export function planContactStates(
  plan: ArenaPlan,
  spec: ContactModelSpec,
): { normalStates: Slice; frictionStates: Slice } {
  const friction = spec.frictionLaw.kind === 'bristle' ? bristleStates(spec.frictionLaw) : 0;
  return {
    normalStates: plan.add(`${spec.name}.normal`, hystereticSizes(spec.normalLaw).states),
    frictionStates: plan.add(`${spec.name}.friction`, friction),
  };
}

/** Reserves what a contact keeps beside its states. */
export function planContactMemory(
  plan: ArenaPlan,
  spec: ContactModelSpec,
  states: { normalStates: Slice; frictionStates: Slice },
): ContactSlices {
  return {
    ...states,
    internals: plan.add(`${spec.name}.internals`, hystereticSizes(spec.normalLaw).internals),
    flags: plan.add(`${spec.name}.flags`, 3),
    readout: plan.add(`${spec.name}.readout`, CONTACT_READOUT.length),
  };
}

/** Builds the contact on its slices; `ratesOf` gives the view of the rates that belongs to a slice of states. */
export function makeContact(
  spec: ContactModelSpec,
  i: ContactBody,
  j: ContactBody,
  arena: Arena,
  slices: ContactSlices,
  ratesOf: (slice: Slice) => Float64Array,
): ContactModel {
  const normalLaw = new HystereticLaw(
    spec.normalLaw,
    arena.view(slices.normalStates),
    ratesOf(slices.normalStates),
    arena.view(slices.internals),
  );
  const friction =
    spec.frictionLaw.kind === 'bristle'
      ? new BristleFriction(
          spec.frictionLaw,
          arena.view(slices.frictionStates),
          ratesOf(slices.frictionStates),
        )
      : new Frictionless();
  return new ContactModel(
    spec.name,
    i,
    j,
    new SpherePlane(spec.pair),
    normalLaw,
    friction,
    arena.view(slices.flags),
    arena.view(slices.readout),
  );
}
