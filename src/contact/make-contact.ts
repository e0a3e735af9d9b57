/** Assembles a contact from its description, on slices of the arena that it reserves first. */
import type { Arena, ArenaPlan, Slice } from '../math/arena.ts';
import type { ContactModelSpec } from '../contact-spec.ts';
import type { LawMemory, MemorySize } from './component.ts';
import type { ContactBody } from './contact-body.ts';
import { CONTACT_READOUT, ContactModel } from './contact-model.ts';
import {
  frictionDefinition,
  normalDefinition,
  pairDefinition,
  rollingDefinition,
  rollingOf,
} from './registry.ts';

/** Slices of one contact; the laws in the order normal, friction, rolling. */
export interface ContactSlices {
  readonly states: readonly Slice[];
  readonly internals: readonly Slice[];
  readonly flags: Slice;
  readonly readout: Slice;
}

const LAWS = ['normal', 'friction', 'rolling'] as const;

function sizes(spec: ContactModelSpec): readonly MemorySize[] {
  const rolling = rollingOf(spec.rollingLaw);
  return [
    normalDefinition(spec.normalLaw).size(spec.normalLaw),
    frictionDefinition(spec.frictionLaw).size(spec.frictionLaw),
    rollingDefinition(rolling).size(rolling),
  ];
}

/** Reserves the states of a contact, which must lie in the integrated part of the arena. */
export function planContactStates(plan: ArenaPlan, spec: ContactModelSpec): readonly Slice[] {
  return sizes(spec).map((size, law) => plan.add(`${spec.name}.${LAWS[law]}`, size.states));
}

/** Reserves what a contact keeps beside its states. */
export function planContactMemory(
  plan: ArenaPlan,
  spec: ContactModelSpec,
  states: readonly Slice[],
): ContactSlices {
  return {
    states,
    internals: sizes(spec).map((size, law) =>
      plan.add(`${spec.name}.${LAWS[law]}.internals`, size.internals),
    ),
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
  const memory = (law: number): LawMemory => ({
    states: arena.view(slices.states[law]),
    rates: ratesOf(slices.states[law]),
    internals: arena.view(slices.internals[law]),
  });
  const pair = pairDefinition(spec.pair);
  const geometry = { effectiveRadius: pair.effectiveRadius(spec.pair) };
  const rolling = rollingOf(spec.rollingLaw);
  return new ContactModel(
    spec.name,
    i,
    j,
    pair.make(spec.pair),
    normalDefinition(spec.normalLaw).make(spec.normalLaw, memory(0), geometry),
    frictionDefinition(spec.frictionLaw).make(spec.frictionLaw, memory(1), geometry),
    rollingDefinition(rolling).make(rolling, memory(2), geometry),
    arena.view(slices.flags),
    arena.view(slices.readout),
  );
}
