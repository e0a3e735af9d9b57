/** Which contacts have an elastic face, and the memory that they take. */
import type { ContactModelSpec, PatchPairModel } from '../../model/contact-spec.ts';
import type { MemorySize } from '../component.ts';
import { pairDefinition } from '../registry.ts';
import { PATCH_MEMORY } from './elastic-contact.ts';
import { patchStateLength } from './elastic-patch.ts';

/** A contact of an elastic face. */
export type ElasticSpec = ContactModelSpec & { readonly pair: PatchPairModel };

/** Whether a contact has an elastic face that acts; one that is only seen needs no more than its gap. */
export function isElastic(spec: ContactModelSpec): spec is ElasticSpec {
  return pairDefinition(spec.pair).step === 'face' && spec.normalLaw.kind !== 'observer';
}

/** Memory of the normal law with that of the patch behind it: PATCH_MEMORY slots, then its state with all modes. */
export function patchMemory({ pair }: ElasticSpec, one: MemorySize): MemorySize {
  const { areas, modes } = pair.patch;
  const state = patchStateLength(
    { count: areas.length, modes: modes.length },
    pair.target !== undefined,
  );
  return { states: one.states, internals: one.internals + PATCH_MEMORY + state };
}
