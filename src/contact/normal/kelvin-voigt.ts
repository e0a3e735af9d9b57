/**
 * Spring and dashpot side by side, kept for comparison:
 *
 *   f_n = max(0, k δ + c δ̇)   while δ > 0
 *
 * Limits, and why the other laws exist: at touch the force jumps from 0 to c v_i, and before release the dashpot would pull. The
 * clamp ends the force at k δ = −c δ̇ instead, `allowTension` lets it pull until the bodies part. The jump makes every method of
 * integration first-order in the step. Restitution depends on the mass but not on the speed: kelvinVoigtRestitution(ζ) with ζ =
 * c/(2 √(k m)). Stored energy k δ²/2; an impact would stop at √(δ² + m v²/k) on the spring alone.
 *
 * Parameters: k from force over depth; c = 2 ζ √(k m) with the ζ that returns the given e at the mass at hand.
 */
import type { KelvinVoigtModel } from '../../model/contact-spec.ts';
import { flag, notNegative, positive } from '../../base/parameter-checks.ts';
import type { LawDefinition, LawLoop, LawMemory } from '../component.ts';
import { DASHPOT_LOOP } from '../loop-kinds.ts';
import { COEFFICIENT } from './law-slots.ts';
import { DAMPING, DEPTH, type NormalLaw } from './normal-law.ts';
import { PowerLaw } from './power-law.ts';

/** The law of one contact. The speed at onset is kept for the read-out and the sub-step rule alone. */
export class KelvinVoigtLaw extends PowerLaw {
  readonly loop: LawLoop;

  constructor(model: KelvinVoigtModel, memory: LawMemory) {
    super(model.stiffness, 1, model.allowTension ?? false, memory, [model.damping]);
    this.loop = this.describe(DASHPOT_LOOP);
  }

  evaluate(result: Float64Array): void {
    this.evaluateElastic(result);
    // a trial evaluation before touch must leave out the dashpot
    result[DAMPING] = result[DEPTH] > 0 ? this.constants[COEFFICIENT] : 0;
  }
}

export const KELVIN_VOIGT_LAW: LawDefinition<KelvinVoigtModel, NormalLaw> = {
  needs: [],
  check(model, field) {
    positive(`${field}.stiffness`, model.stiffness);
    notNegative(`${field}.damping`, model.damping);
    if (model.allowTension !== undefined) flag(`${field}.allowTension`, model.allowTension);
  },
  size: () => ({ states: 0, internals: 1 }),
  make: (model, memory) => new KelvinVoigtLaw(model, memory),
  loops: true,
};
