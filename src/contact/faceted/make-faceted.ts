/** Assembles a contact of many places, of two bodies of facets or of samples and a field, on its slices of the arena. */
import type { ContactModelSpec } from '../../model/contact-spec.ts';
import type { LawMemory, MemorySize } from '../component.ts';
import type { ContactBody } from '../contact-body.ts';
import type { FrictionLaw } from '../friction/friction-law.ts';
import type { ContactPair } from '../pair.ts';
import {
  frictionDefinition,
  normalDefinition,
  pairDefinition,
  rollingDefinition,
  rollingOf,
} from '../registry.ts';
import { SampledContact } from '../sampled/sampled-contact.ts';
import { SampledPair } from '../sampled/sampled-pair.ts';
import { FacetFriction, SLOT_KEYS } from './facet-friction.ts';
import { FACETED_MEMORY, FacetedContact, type PlacesContact } from './faceted-contact.ts';
import { roomOf } from './faceted-pair.ts';
import type { Places } from './places.ts';

type PlacesModel = Extract<ContactModelSpec['pair'], { kind: 'faceted' | 'sampled' }>;

/** A contact of many places. */
type PlacesSpec = ContactModelSpec & { readonly pair: PlacesModel };

/** Whether a contact has many places with one force. */
export function hasPlaces(spec: ContactModelSpec): spec is PlacesSpec {
  return pairDefinition(spec.pair).step === 'places';
}

/** Most places of a pair. */
const placesOf = (pair: PlacesModel): number =>
  'samples' in pair ? pair.samples.patchCount : roomOf(pair);

const remembers = ({ states, internals }: MemorySize): boolean => states + internals > 0;

/** Memory of the friction of all pairs, from that of one; the internals begin with those of the contact. */
export function facetFrictionSize(spec: PlacesSpec, one: MemorySize): MemorySize {
  const slots = remembers(one) ? placesOf(spec.pair) : 0;
  return {
    states: slots * one.states,
    internals: FACETED_MEMORY + slots * (SLOT_KEYS + one.internals),
  };
}

/** Builds the contact; `memory` gives the slices of normal law, friction and rolling law. */
export function assemblePlaces(
  spec: PlacesSpec,
  name: string,
  i: ContactBody,
  j: ContactBody,
  pair: ContactPair,
  memory: (law: number) => LawMemory,
  flags: Float64Array,
  readout: Float64Array,
): PlacesContact {
  const places = pair as Places; // the definition of the pair made it
  const geometry = { effectiveRadius: 0 };
  const rolling = rollingOf(spec.rollingLaw);
  const normal = normalDefinition(spec.normalLaw).make(spec.normalLaw, memory(0), geometry);
  const own = memory(1);
  const definition = frictionDefinition(spec.frictionLaw);
  const one = definition.size(spec.frictionLaw);
  const slots = remembers(one) ? placesOf(spec.pair) : 0;
  const keys = own.internals.subarray(FACETED_MEMORY, FACETED_MEMORY + slots * SLOT_KEYS);
  const rest = own.internals.subarray(FACETED_MEMORY + slots * SLOT_KEYS);
  const law = (slot: number): FrictionLaw =>
    definition.make(
      spec.frictionLaw,
      {
        states: own.states.subarray(slot * one.states, (slot + 1) * one.states),
        rates: own.rates.subarray(slot * one.states, (slot + 1) * one.states),
        internals: rest.subarray(slot * one.internals, (slot + 1) * one.internals),
      },
      geometry,
    );
  const laws = Array.from({ length: Math.max(1, slots) }, (_, slot) => law(slot));
  const absent = spec.frictionLaw.kind === 'none';
  const friction = new FacetFriction(places, laws, absent, keys, own.states, own.rates);
  const head = own.internals.subarray(0, FACETED_MEMORY);
  const roll = rollingDefinition(rolling).make(rolling, memory(2), geometry);
  if (places instanceof SampledPair)
    return new SampledContact(name, i, j, places, normal, friction, roll, flags, readout, head);
  const exponent = 'exponent' in spec.normalLaw ? spec.normalLaw.exponent : 1;
  return new FacetedContact(
    name,
    i,
    j,
    places,
    normal,
    friction,
    roll,
    flags,
    readout,
    head,
    exponent,
  );
}
