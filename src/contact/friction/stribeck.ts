/**
 * Coulomb, viscous and Stribeck friction: f_t = −f_n (μ(v) dir(v_t) + σ2 v_t), μ(v) = μ_C + (μ_S − μ_C) exp(−(v/v_s)²).
 * Equations, limits and the implicit step: rate-friction.ts; the curve is that of the bristle law in steady sliding.
 * `Gonthier 2007, (3.30), (3.37)`, docs/theory/regularized-friction.md.
 *
 * Parameters: drive the contact at several steady speeds and divide the friction by the load. μ_S is the top of the curve, μ_C its
 * floor, v_s the speed at which 37 % of the difference is left, σ2 the slope at high speed. v_eps as for regularized-coulomb, but at
 * most v_s/10: a wider one hides the top of the curve.
 */
import type { StribeckModel } from '../../model/contact-spec.ts';
import { notNegative, oneOf, positive, range } from '../../base/parameter-checks.ts';
import { type LawDefinition, NO_MEMORY } from '../component.ts';
import type { FrictionLaw } from './friction-law.ts';
import { RateFriction } from './rate-friction.ts';
import { REGULARIZATIONS } from './regularized-coulomb.ts';

export const STRIBECK_FRICTION: LawDefinition<StribeckModel, FrictionLaw> = {
  needs: [],
  check(model, field) {
    const { coulomb, stiction, velocityTolerance } = model;
    notNegative(`${field}.coulomb`, coulomb);
    range(`${field}.stiction`, stiction, stiction >= coulomb, `>= coulomb (${coulomb})`);
    notNegative(`${field}.viscousDamping`, model.viscousDamping);
    positive(`${field}.stribeckVelocity`, model.stribeckVelocity);
    oneOf(`${field}.regularization`, model.regularization, REGULARIZATIONS);
    const limit = model.stribeckVelocity / 10;
    range(
      `${field}.velocityTolerance`,
      velocityTolerance,
      velocityTolerance > 0 && velocityTolerance <= limit * (1 + 1e-12),
      `in (0, ${limit}] (a tenth of the Stribeck velocity)`,
    );
  },
  size: () => NO_MEMORY,
  make: (model, memory) => new RateFriction(model, memory),
  loops: true,
};
