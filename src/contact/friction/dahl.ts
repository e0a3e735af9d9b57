/**
 * Dahl friction: a bristle that yields as it bends, whatever the speed. `Dahl 1968`, exponent 1; docs/theory/lugre-friction.md.
 *
 *   z' = v − σ0 |v|/μ_C z        f_t = −f_n σ0 z
 *
 * Over the way x it is a stress–strain curve: from rest f_t = f_n μ_C (1 − exp(−σ0 x/μ_C)). Passive. For comparison with `bristle`: it has neither
 * stiction nor viscous friction, and drifts under a force that vibrates below breakaway.
 */
import type { DahlModel } from '../../model/contact-spec.ts';
import { positive } from '../../base/parameter-checks.ts';
import type { LawDefinition } from '../component.ts';
import type { FrictionLaw } from './friction-law.ts';
import { YieldingBristle } from './yielding-bristle.ts';

export const DAHL_FRICTION: LawDefinition<DahlModel, FrictionLaw> = {
  needs: [],
  check(model, field) {
    positive(`${field}.coulomb`, model.coulomb);
    positive(`${field}.bristleStiffness`, model.bristleStiffness);
  },
  size: () => ({ states: 3, internals: 0 }),
  make: (model, memory) =>
    new YieldingBristle(
      {
        ...model,
        stiction: model.coulomb,
        bristleDamping: 0,
        viscousDamping: 0,
        stribeckVelocity: 1,
      },
      memory,
    ),
};
