/**
 * The law of a contact that is watched and does not push: f_n = 0. Geometry, onset and read-out are those of any contact. It is no entry of
 * the registry: an observed contact takes no part in a step, whatever the rest of its description is. `Modia3D, response observer`.
 */
import { flag } from '../../base/parameter-checks.ts';
import type { ObserverModel } from '../../model/contact-spec.ts';
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

/** The law of one observed contact; it keeps the speed of the onset. */
class ObserverLaw implements NormalLaw {
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

export const OBSERVER_LAW: LawDefinition<ObserverModel, NormalLaw> = {
  needs: [],
  check(model, field) {
    if (model.alarm !== undefined) flag(`${field}.alarm`, model.alarm);
  },
  size: () => ({ states: 0, internals: 1 }),
  make: (_, memory) => new ObserverLaw(memory),
};
