/** Assembles a contact from its description, on slices of the arena that it reserves first. */
import type { Arena, ArenaPlan, Slice } from '../math/arena.ts';
import { type Columns, OWN_COLUMNS } from '../math/columns.ts';
import type { ContactModelSpec } from '../model/contact-spec.ts';
import type { LawMemory, MemorySize } from './component.ts';
import type { ContactBody } from './contact-body.ts';
import { ContactModel } from './contact-model.ts';
import { COMMON_READOUT } from './contact-readout.ts';
import { isElastic, patchMemory } from './elastic/elastic-spec.ts';
import { assemblePlaces, facetFrictionSize, hasPlaces } from './faceted/make-faceted.ts';
import type { ContactPair } from './pair.ts';
import {
  frictionDefinition,
  normalDefinition,
  pairDefinition,
  rollingDefinition,
  rollingOf,
  takesOnset,
} from './registry.ts';

/** Slices of one contact; the laws in the order normal, friction, rolling. */
export interface ContactSlices {
  readonly states: readonly Slice[];
  readonly internals: readonly Slice[];
  readonly flags: Slice;
  readonly readout: Slice;
  /** Of a pair that keeps something; absent else. */
  readonly pair?: Slice;
}

const LAWS = ['normal', 'friction', 'rolling'] as const;
const FLAGS = 3;

function sizes(spec: ContactModelSpec): readonly MemorySize[] {
  const rolling = rollingOf(spec.rollingLaw);
  const friction = frictionDefinition(spec.frictionLaw).size(spec.frictionLaw);
  const normal = normalDefinition(spec.normalLaw).size(spec.normalLaw);
  return [
    isElastic(spec) ? patchMemory(spec, normal) : normal,
    hasPlaces(spec) ? facetFrictionSize(spec, friction) : friction,
    rollingDefinition(rolling).size(rolling),
  ];
}

/** Reserves the states of a contact, which must lie in the integrated part of the arena. */
export function planContactStates(
  plan: ArenaPlan,
  spec: ContactModelSpec,
  name = spec.name,
): readonly Slice[] {
  return sizes(spec).map((size, law) => plan.add(`${name}.${LAWS[law]}`, size.states));
}

/** Reserves what a contact keeps beside its states. */
export function planContactMemory(
  plan: ArenaPlan,
  spec: ContactModelSpec,
  states: readonly Slice[],
  name = spec.name,
  columns = COMMON_READOUT,
): ContactSlices {
  const { memory = 0 } = pairDefinition(spec.pair);
  return {
    states,
    internals: sizes(spec).map((size, law) =>
      plan.add(`${name}.${LAWS[law]}.internals`, size.internals),
    ),
    flags: plan.add(`${name}.flags`, FLAGS),
    readout: plan.add(`${name}.readout`, columns),
    ...(memory > 0 ? { pair: plan.add(`${name}.pair`, memory) } : {}),
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
  pair: ContactPair = pairDefinition(spec.pair).make(
    spec.pair,
    slices.pair === undefined ? undefined : arena.view(slices.pair),
  ),
  name = spec.name,
): ContactModel {
  const { columns } = arena;
  const memory = (law: number): LawMemory => ({
    states: arena.view(slices.states[law]),
    rates: ratesOf(slices.states[law]),
    internals: arena.view(slices.internals[law]),
    columns,
  });
  const flags = arena.view(slices.flags);
  const readout = arena.view(slices.readout);
  return assemble(spec, name, i, j, pair, memory, flags, readout, columns);
}

/** Builds a contact with memory of its own, outside the arena. */
export function makeDetachedContact(
  spec: ContactModelSpec,
  i: ContactBody,
  j: ContactBody,
  pair: ContactPair,
): ContactModel {
  const all = sizes(spec);
  const memory = (law: number): LawMemory => ({
    states: new Float64Array(all[law].states),
    rates: new Float64Array(all[law].states),
    internals: new Float64Array(all[law].internals),
  });
  const flags = new Float64Array(FLAGS);
  const readout = new Float64Array(COMMON_READOUT);
  return assemble(spec, spec.name, i, j, pair, memory, flags, readout, OWN_COLUMNS);
}

function assemble(
  spec: ContactModelSpec,
  name: string,
  i: ContactBody,
  j: ContactBody,
  pair: ContactPair,
  memory: (law: number) => LawMemory,
  flags: Float64Array,
  readout: Float64Array,
  columns: Columns,
): ContactModel {
  if (hasPlaces(spec)) return assemblePlaces(spec, name, i, j, pair, memory, flags, readout);
  const geometry = { effectiveRadius: pairDefinition(spec.pair).effectiveRadius(spec.pair) };
  const rolling = rollingOf(spec.rollingLaw);
  const definition = normalDefinition(spec.normalLaw);
  const normal = definition.make(spec.normalLaw, memory(0), geometry);
  const { onset } = pairDefinition(spec.pair);
  return new ContactModel(
    name,
    i,
    j,
    pair,
    onset !== undefined && takesOnset(spec) ? onset.law(normal, pair) : normal,
    frictionDefinition(spec.frictionLaw).make(spec.frictionLaw, memory(1), geometry),
    rollingDefinition(rolling).make(rolling, memory(2), geometry),
    flags,
    readout,
    columns,
  );
}
