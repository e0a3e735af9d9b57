/** A law that pushes nothing and keeps the speed of the onset: of contacts that are seen only, or whose forces follow from their pair. */
import type { LawMemory } from '../component.ts';
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
export class OnsetLaw implements NormalLaw {
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
