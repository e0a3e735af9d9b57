/**
 * Bristle friction of a contact area that slides and spins: a bristle for the slip, a torsional one for the spin, coupled by
 * Contensou factors. `Gonthier 2007, (4.205)–(4.243)`, docs/theory/volumetric-contact.md.
 *
 * States: z, θ and, unless the dwell effect is off, s_dw. Equations and implicit step: tangential-bristle.ts.
 *
 * Limits: one mean slip for the whole area; an ellipse for the coupling of force and moment (up to twice the moment of a paraboloid of
 * pressure in fast sliding), or with `contensou: paraboloid` the exact shares of a round patch (contensou.ts), for which there is no loop. Not strictly passive: raising the load on a bent bristle makes energy.
 */
import type { VolumetricBristleModel } from '../../model/contact-spec.ts';
import { notNegative, oneOf } from '../../base/parameter-checks.ts';
import type { LawDefinition } from '../component.ts';
import type { FrictionLaw } from './friction-law.ts';
import { checkBristle } from './check-bristle.ts';
import { TangentialBristle } from './tangential-bristle.ts';

/** How slip and spin may share the friction. */
const CONTENSOU = ['ellipse', 'paraboloid'];

export const VOLUMETRIC_BRISTLE: LawDefinition<VolumetricBristleModel, FrictionLaw> = {
  needs: ['volume', 'inertia'],
  check(model, field) {
    checkBristle(model, field);
    if (model.contensou !== undefined) oneOf(`${field}.contensou`, model.contensou, CONTENSOU);
    if (model.spinScale !== undefined) notNegative(`${field}.spinScale`, model.spinScale);
  },
  size: (model) => ({ states: model.dwellTime > 0 ? 5 : 4, internals: 0 }),
  make: (model, memory) => new TangentialBristle(model, memory),
  loops: true,
  loopsFor: ({ contensou }) => contensou !== 'paraboloid',
};
