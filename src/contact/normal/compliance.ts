/**
 * The law of an elastic face: points do not overlap what they touch, and the body behind them gives way. Forces follow from the compliance of
 * the pair (elastic/elastic-contact.ts); the law keeps the memory of the contact: the speed of the onset, then the memory of the patch.
 */
import type { ComplianceModel } from '../../model/contact-spec.ts';
import type { LawDefinition, LawMemory } from '../component.ts';
import {
  DAMPING,
  ELASTIC,
  IMPACT_SPEED,
  LEAST,
  type NormalLaw,
  STORED,
  TURN_STIFFNESS,
} from './normal-law.ts';

/** The law of one contact. */
class ComplianceLaw implements NormalLaw {
  readonly states: Float64Array;
  readonly rates: Float64Array;
  readonly internals: Float64Array;

  constructor(memory: LawMemory) {
    this.states = memory.states;
    this.rates = memory.rates;
    this.internals = memory.internals;
  }

  begin(rate: number): void {
    this.internals[IMPACT_SPEED] = Math.abs(rate);
  }

  end(): void {
    this.internals[IMPACT_SPEED] = 0;
  }

  evaluate(result: Float64Array): void {
    result[ELASTIC] = 0;
    result[DAMPING] = 0;
    result[STORED] = 0;
    result[LEAST] = 0;
  }

  advance(): void {
    return;
  }

  measureTurn(turn: Float64Array): void {
    turn[TURN_STIFFNESS] = 0;
  }
}

export const COMPLIANCE_LAW: LawDefinition<ComplianceModel, NormalLaw> = {
  needs: ['compliance'],
  check: () => undefined,
  size: () => ({ states: 0, internals: 1 }),
  make: (_, memory) => new ComplianceLaw(memory),
};
