/**
 * Normal law of Modia3D, a Hertz contact whose damping is fixed at onset:
 *
 *   f_n  = k_red max(0, c_res c_geo δ^1.5 (1 + d δ̇)),   c_geo = 4/3 √R
 *   d    = min(d_max, z/v_i)   for v_i > v_small,   d = d_max   otherwise
 *   z    = 8 (1 − cor)/(5 cor)   (`flores`),   or the root of z (1 + cor) = ln((1 + z)/(1 − cor z))   (`exact`)
 *
 * v_i is the approach speed at onset and stays latched until the contact is lost. The jump of d at v_small is intended: an
 * impact slower than v_small is stopped instead of bounced. `Neumayr & Otter 2019; Modia3D; Flores et al. 2011`.
 *
 * With `flores` an impact returns deliveredRestitution(z), a little less than cor (0.470 for 0.5); with `exact` it returns cor
 * itself, unless d_max cuts in. Both are independent of mass, radius and stiffness.
 *
 * Limits: Hertz theory for spheres and flats, a rough guess for other shapes. d_max multiplies the weight: at rest the damping
 * rate is d g (19 620 1/s at 2000 s/m), which an explicit step must resolve; the implicit step need not. `allowTension` leaves
 * out the clamp, and a body at rest that is lifted faster than 1/d then sticks.
 * Parameters: c_res from E and ν of both materials, cor and v_small from the table of pairs (config/materials/); k_red in (0, 1]
 * softens everything for a fixed step. Depth and contact time grow as k_red^(−2/5), the depth at rest as k_red^(−2/3).
 */
import type { Modia3dModel } from '../../model/contact-spec.ts';
import { flag, oneOf, positive, range } from '../../base/parameter-checks.ts';
import type { LawDefinition, LawLoop, LawMemory } from '../component.ts';
import { MODIA3D_LOOP } from '../loop-kinds.ts';
import { dampingForRestitution } from './damping-factor.ts';
import { hertzStiffness } from './hertz.ts';
import { OF_PHASE, OWN } from './law-slots.ts';
import { DAMPING, ELASTIC, IMPACT_SPEED, type NormalLaw } from './normal-law.ts';
import { PowerLaw } from './power-law.ts';

const SMALL_VELOCITY = OWN;
const MAXIMUM_DAMPING = OWN + 1;
const LEVEL = OWN + 2; // z = d v_i, infinite for cor = 0

/** Ways to turn cor into damping. */
const MODIA3D_VARIANTS = ['flores', 'exact'] as const;

/** The law of one contact. */
export class Modia3dLaw extends PowerLaw {
  readonly loop: LawLoop;

  constructor(model: Modia3dModel, memory: LawMemory, effectiveRadius: number) {
    const stiffness = hertzStiffness(model.reductionFactor * model.contactModulus, effectiveRadius);
    const e = model.restitution;
    super(stiffness, 1.5, model.allowTension ?? false, memory, [
      model.smallVelocity,
      model.maximumDamping,
      e === 0 ? Number.POSITIVE_INFINITY : dampingForRestitution(e, model.damping ?? 'flores'),
    ]);
    this.loop = this.describe(MODIA3D_LOOP);
  }

  override begin(rate: number): void {
    const speed = Math.abs(rate);
    const most = this.constants[MAXIMUM_DAMPING];
    const d = speed > this.constants[SMALL_VELOCITY] ? this.constants[LEVEL] / speed : most;
    this.internals[IMPACT_SPEED] = speed;
    this.internals[OF_PHASE] = d < most ? d : most;
  }

  evaluate(result: Float64Array): void {
    this.evaluateElastic(result);
    result[DAMPING] = result[ELASTIC] * this.internals[OF_PHASE];
  }
}

export const MODIA3D_LAW: LawDefinition<Modia3dModel, NormalLaw> = {
  needs: ['effective-radius'],
  check(model, field) {
    positive(`${field}.contactModulus`, model.contactModulus);
    const e = model.restitution;
    range(`${field}.restitution`, e, e >= 0 && e <= 1, 'in [0, 1]');
    positive(`${field}.smallVelocity`, model.smallVelocity);
    positive(`${field}.maximumDamping`, model.maximumDamping);
    const k = model.reductionFactor;
    range(`${field}.reductionFactor`, k, k > 0 && k <= 1, 'in (0, 1]');
    if (model.damping !== undefined) oneOf(`${field}.damping`, model.damping, MODIA3D_VARIANTS);
    if (model.allowTension !== undefined) flag(`${field}.allowTension`, model.allowTension);
  },
  size: () => ({ states: 0, internals: 2 }),
  make: (model, memory, geometry) => new Modia3dLaw(model, memory, geometry.effectiveRadius),
  loops: true,
};
