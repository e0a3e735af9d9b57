/**
 * The law of an elastic face: points do not overlap what they touch, and the body behind them gives way. Forces follow from the compliance of
 * the pair (elastic/elastic-contact.ts); the law keeps the memory of the contact: the speed of the onset, then the memory of the patch.
 */
import type { ComplianceModel } from '../../model/contact-spec.ts';
import type { LawDefinition } from '../component.ts';
import type { NormalLaw } from './normal-law.ts';
import { OnsetLaw } from './onset-law.ts';

export const COMPLIANCE_LAW: LawDefinition<ComplianceModel, NormalLaw> = {
  needs: ['compliance'],
  check: () => undefined,
  size: () => ({ states: 0, internals: 1 }),
  make: (_, memory) => new OnsetLaw(memory),
};
