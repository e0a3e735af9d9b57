/**
 * Nonlinear damping with a fixed slope of restitution over speed, the law of Hunt & Crossley as Marhefka & Orin and Sandia's
 * contact toolkit use it:
 *
 *   f_n = max(0, k δⁿ (1 + d δ̇)),   d = 3/2 α,   that is  k δⁿ + λ δⁿ δ̇  with  λ = 3/2 α k
 *
 * The force has no memory; restitution falls with speed, e = deliveredRestitution(1.5 α v) = 1 − α v + (α v)² − …, whatever
 * mass, stiffness and exponent are. 1 − α v is right to 1 % for α v <= 0.1 and to 4 % for α v <= 0.2; to hit a given e at a
 * known speed use slopeForRestitution(e, v). Depth: impactDepth. `Hunt & Crossley 1975; Marhefka & Orin 1999`.
 *
 * Continuous at touch. In a free impact it never pulls; only something that draws the bodies apart faster than 1/d makes it,
 * which the clamp removes and `allowTension` lets through. At rest under gravity small oscillations decay as exp(−0.75 α g t),
 * whatever k and n are: a small α means long rocking.
 *
 * Limits: no lasting contact stops by itself faster than that; e never reaches 0.
 * Parameters: α is the slope of e over impact speed at low speed, 0.08 to 0.5 s/m for hard materials, 1 to 10 s/m for strong
 * damping; k and n from force over depth (n = 1.5 for spheres).
 */
import type { RestitutionSlopeModel } from '../../model/contact-spec.ts';
import { flag, notNegative, positive, range } from '../../base/parameter-checks.ts';
import type { LawDefinition, LawLoop, LawMemory } from '../component.ts';
import { RESTITUTION_SLOPE_LOOP } from '../loop-kinds.ts';
import { COEFFICIENT } from './law-slots.ts';
import { DAMPING, ELASTIC, type NormalLaw } from './normal-law.ts';
import { PowerLaw } from './power-law.ts';

/** The law of one contact. The speed at onset is kept for the read-out and the sub-step rule alone. */
export class RestitutionSlopeLaw extends PowerLaw {
  readonly loop: LawLoop;

  constructor(model: RestitutionSlopeModel, memory: LawMemory) {
    const allowTension = model.allowTension ?? false;
    super(model.stiffness, model.exponent, allowTension, memory, [1.5 * model.slope]);
    this.loop = this.describe(RESTITUTION_SLOPE_LOOP);
  }

  evaluate(result: Float64Array): void {
    this.evaluateElastic(result);
    result[DAMPING] = result[ELASTIC] * this.constants[COEFFICIENT];
  }

  evaluateAll(
    depths: Float64Array,
    count: number,
    elastic: Float64Array,
    damping: Float64Array,
    stored: Float64Array,
  ): void {
    this.evaluateElasticAll(depths, count, elastic, stored);
    const coefficient = this.constants[COEFFICIENT];
    for (let c = 0; c < count; c++) damping[c] = elastic[c] * coefficient;
  }
}

export const RESTITUTION_SLOPE_LAW: LawDefinition<RestitutionSlopeModel, NormalLaw> = {
  needs: [],
  check(model, field) {
    positive(`${field}.stiffness`, model.stiffness);
    const n = model.exponent;
    range(`${field}.exponent`, n, n >= 1 && n <= 3, 'in [1, 3]');
    notNegative(`${field}.slope`, model.slope);
    if (model.allowTension !== undefined) flag(`${field}.allowTension`, model.allowTension);
  },
  size: () => ({ states: 0, internals: 1 }),
  make: (model, memory) => new RestitutionSlopeLaw(model, memory),
  loops: true,
};
