/**
 * Coulomb friction with a regularised direction: f_t = −μ f_n dir(v_t). Equations, limits and the implicit step: rate-friction.ts.
 * `Gonthier 2007, (3.33) (dir_eps); Modia3D, contact force law (reg)`, docs/theory/regularized-friction.md.
 *
 * Parameters: μ from the force of steady sliding over the load. v_eps is no material constant: choose it as the largest creep that
 * can be tolerated where the contact should stick (Modia3D: 0.01 m/s; 0.05 m/s for explicit steps of 1 ms).
 */
import type { RegularizedCoulombModel } from '../../model/contact-spec.ts';
import { notNegative, oneOf, positive } from '../../base/parameter-checks.ts';
import { type LawDefinition, NO_MEMORY } from '../component.ts';
import type { FrictionLaw } from './friction-law.ts';
import { RateFriction } from './rate-friction.ts';

/** Ways to regularise a direction. */
export const REGULARIZATIONS = ['cubic', 'modia3d'] as const;

export const REGULARIZED_COULOMB: LawDefinition<RegularizedCoulombModel, FrictionLaw> = {
  needs: [],
  check(model, field) {
    notNegative(`${field}.coulomb`, model.coulomb);
    oneOf(`${field}.regularization`, model.regularization, REGULARIZATIONS);
    positive(`${field}.velocityTolerance`, model.velocityTolerance);
  },
  size: () => NO_MEMORY,
  make: (model, memory) =>
    new RateFriction(
      {
        stiction: model.coulomb,
        coulomb: model.coulomb,
        viscousDamping: 0,
        stribeckVelocity: 1,
        regularization: model.regularization,
        velocityTolerance: model.velocityTolerance,
      },
      memory,
    ),
  loops: true,
};
