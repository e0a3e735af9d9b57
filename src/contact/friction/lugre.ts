/**
 * LuGre friction: one bristle whose yield follows the Stribeck curve of the present slip. `Canudas de Wit et al. 1995`, docs/theory/lugre-friction.md.
 *
 *   z' = v − σ0 |v|/g(v) z        g(v) = μ_C + (μ_S − μ_C) exp(−(v/v_s)²)        f_t = −f_n (σ0 z + σ1 z' + σ2 v)
 *
 * States: z (world, kept in the tangent plane by projection). For comparison with `bristle`: under a force that vibrates below breakaway it
 * drifts, and a bristle bent by stiction that meets a fast slip may create energy.
 */
import type { LuGreModel } from '../../model/contact-spec.ts';
import { notNegative, positive, range } from '../../base/parameter-checks.ts';
import type { LawDefinition } from '../component.ts';
import type { FrictionLaw } from './friction-law.ts';
import { YieldingBristle } from './yielding-bristle.ts';

export const LUGRE_FRICTION: LawDefinition<LuGreModel, FrictionLaw> = {
  needs: [],
  check(model, field) {
    const { coulomb, stiction } = model;
    positive(`${field}.coulomb`, coulomb);
    range(`${field}.stiction`, stiction, stiction >= coulomb, `>= coulomb (${coulomb})`);
    positive(`${field}.bristleStiffness`, model.bristleStiffness);
    notNegative(`${field}.bristleDamping`, model.bristleDamping);
    notNegative(`${field}.viscousDamping`, model.viscousDamping);
    positive(`${field}.stribeckVelocity`, model.stribeckVelocity);
  },
  size: () => ({ states: 3, internals: 0 }),
  make: (model, memory) => new YieldingBristle(model, memory),
};
