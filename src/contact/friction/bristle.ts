/**
 * Seven-parameter bristle friction with dwell time. `Gonthier 2007, (3.28)–(3.42)`, docs/theory/bristle-friction.md.
 *
 * States: z (bristle deformation, world components, in the tangent plane) and, unless the dwell effect is off, s_dw. All coefficients
 * are relative to the load. `evaluate` is the explicit reference of the implicit step; equations and step: tangential-bristle.ts.
 *
 * Not strictly passive: raising the load on a bent bristle makes energy, at most Δf_n mu_S²/(2 σ0) an event.
 */
import type { BristleModel } from '../../model/contact-spec.ts';
import type { LawDefinition } from '../component.ts';
import type { FrictionLaw } from './friction-law.ts';
import { checkBristle } from './check-bristle.ts';
import { TangentialBristle } from './tangential-bristle.ts';

export const BRISTLE_FRICTION: LawDefinition<BristleModel, FrictionLaw> = {
  needs: [],
  check: checkBristle,
  size: (model) => ({ states: model.dwellTime > 0 ? 4 : 3, internals: 0 }),
  make: (model, memory) => new TangentialBristle(model, memory),
  loops: true,
};
