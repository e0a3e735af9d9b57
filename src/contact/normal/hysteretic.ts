/**
 * Hysteretic normal law: f_n = max(0, k δ^p (1 + A δ̇)), A = d(e)/(e max(|v_i|, v_small)), with v_i latched at onset for the
 * whole contact phase. `Gonthier 2007, (3.19)–(3.25), (3.43)`, docs/theory/point-contact.md.
 *
 * Relaxed penetration: at onset the depth that the fixed step jumped over is kept as δ_ro and fades with T_rlx. The elastic force
 * uses max(0, δ − δ_ro), the damping the true rate. `(3.44)–(3.45)`.
 *
 * Two kinds share the law. `hysteretic` is given its stiffness; `hertz` takes k = 4/3 E* √R from the contact modulus E* of the two
 * materials and the effective radius R of the pair, p = 3/2. `Gonthier 2007, (2.1)–(2.4)`.
 *
 * Limits: point contact, elastic bodies, no adhesion (hence the clamp).
 * Parameters: k measured as force over depth, or from materials and curvature (Hertz holds while the contact circle is small
 * against R). e is rebound over impact speed at the speeds that matter, and v_small lies below the last impact before lasting
 * contact.
 */
import type { HertzModel, HystereticModel } from '../../model/contact-spec.ts';
import { notNegative, oneOf, positive, range } from '../../base/parameter-checks.ts';
import type { LawDefinition, LawLoop, LawMemory, MemorySize } from '../component.ts';
import { HYSTERETIC_LOOP } from '../loop-kinds.ts';
import { DAMPING_VARIANTS, dampingForRestitution } from './damping-factor.ts';
import { hertzStiffness } from './hertz.ts';
import { DAMPING, DEPTH, ELASTIC, IMPACT_SPEED, type NormalLaw } from './normal-law.ts';
import { HYSTERETIC_LEVEL, HYSTERETIC_RELAXATION, HYSTERETIC_SMALL } from './law-slots.ts';
import { PowerLaw } from './power-law.ts';
import { EXPONENTIALS, exponentials } from '../../math/elementary/exponential.ts';

/** The hysteretic law of one contact. */
export class HystereticLaw extends PowerLaw {
  private readonly relaxes: boolean;
  readonly loop: LawLoop;

  constructor(model: HystereticModel, memory: LawMemory) {
    super(model.stiffness, model.exponent, false, memory, [
      model.smallVelocity,
      model.relaxationTime,
      dampingForRestitution(model.restitution, model.damping),
    ]);
    this.relaxes = model.relaxationTime > 0;
    this.loop = { ...this.describe(HYSTERETIC_LOOP), mark: this.relaxes };
  }

  override begin(rate: number, depth: number): void {
    const speed = Math.abs(rate);
    const small = this.constants[HYSTERETIC_SMALL];
    this.internals[IMPACT_SPEED] = speed > small ? speed : small;
    if (this.relaxes) this.states[0] = depth;
  }

  override end(): void {
    super.end();
    if (this.relaxes) this.states[0] = 0;
  }

  evaluate(result: Float64Array): void {
    const depth = result[DEPTH];
    if (this.relaxes) {
      const relaxed = depth - this.states[0];
      result[DEPTH] = relaxed > 0 ? relaxed : 0;
      this.rates[0] = -this.states[0] / this.constants[HYSTERETIC_RELAXATION];
    }
    this.evaluateElastic(result);
    result[DEPTH] = depth;
    result[DAMPING] =
      (result[ELASTIC] * this.constants[HYSTERETIC_LEVEL]) / this.internals[IMPACT_SPEED];
  }

  override advance(timing: Float64Array): void {
    if (!this.relaxes) return;
    EXPONENTIALS[0] = -timing[0] / this.constants[HYSTERETIC_RELAXATION];
    this.states[0] *= exponentials()[0];
  }
}

/** Refuses restitution, small velocity, relaxation time and damping variant outside their range. */
export function checkHysteresis(
  model: Omit<HertzModel, 'kind' | 'contactModulus'>,
  field: string,
): void {
  const e = model.restitution;
  range(
    `${field}.restitution`,
    e,
    e > 0 && e <= 1,
    'in (0, 1] (a restitution of 0 is not representable, use 0.01)',
  );
  positive(`${field}.smallVelocity`, model.smallVelocity);
  notNegative(`${field}.relaxationTime`, model.relaxationTime);
  if (model.damping !== undefined) {
    oneOf(`${field}.damping`, model.damping, DAMPING_VARIANTS);
  }
}

function memorySize(model: { readonly relaxationTime: number }): MemorySize {
  return { states: model.relaxationTime > 0 ? 1 : 0, internals: 1 };
}

export const HYSTERETIC_LAW: LawDefinition<HystereticModel, NormalLaw> = {
  needs: [],
  check(model, field) {
    positive(`${field}.stiffness`, model.stiffness);
    const p = model.exponent;
    range(`${field}.exponent`, p, p === 1 || p === 1.5 || p === 2, 'to be 1, 1.5 or 2');
    checkHysteresis(model, field);
  },
  size: memorySize,
  make: (model, memory) => new HystereticLaw(model, memory),
  loops: true,
};

export const HERTZ_LAW: LawDefinition<HertzModel, NormalLaw> = {
  needs: ['effective-radius'],
  check(model, field) {
    positive(`${field}.contactModulus`, model.contactModulus);
    checkHysteresis(model, field);
  },
  size: memorySize,
  make(model, memory, geometry) {
    const stiffness = hertzStiffness(model.contactModulus, geometry.effectiveRadius);
    return new HystereticLaw({ ...model, kind: 'hysteretic', stiffness, exponent: 1.5 }, memory);
  },
  loops: true,
};
