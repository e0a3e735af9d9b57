/**
 * Hysteretic normal law: f_n = max(0, k δ^p (1 + A δ̇)), A = d(e)/(e max(|v_i|, v_small)), with v_i latched at onset for the
 * whole contact phase. `Gonthier 2007, (3.19)–(3.25), (3.43)`, docs/theory/point-contact.md.
 *
 * Relaxed penetration: at onset the depth that the fixed step jumped over is kept as δ_ro and fades with T_rlx. The elastic force
 * uses max(0, δ − δ_ro), the damping the true rate. `(3.44)–(3.45)`.
 *
 * Restitution that falls with speed: e = max(0.01, 1 − α v_i) is taken at onset, A = d(e)/(e v_i) from the exact d(e). An impact returns
 * 1 − α v_i at every speed; v_small has no part in it, since A tends to 3/2 α for slow impacts. `(3.12), (3.23)`.
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
import { notNegative, oneOf, plain, positive, range } from '../../base/parameter-checks.ts';
import type { LawDefinition, LawLoop, LawMemory, MemorySize } from '../component.ts';
import { HYSTERETIC_LOOP, MODIA3D_LOOP } from '../loop-kinds.ts';
import {
  DAMPING_VARIANTS,
  dampingForRestitution,
  FACTOR,
  takeDampingFactor,
} from './damping-factor.ts';
import { hertzStiffness } from './hertz.ts';
import { DAMPING, DEPTH, ELASTIC, IMPACT_SPEED, type NormalLaw } from './normal-law.ts';
import {
  HYSTERETIC_LEVEL,
  HYSTERETIC_RELAXATION,
  HYSTERETIC_SMALL,
  OF_PHASE,
} from './law-slots.ts';
import { PowerLaw } from './power-law.ts';
import { EXPONENTIALS, exponentials } from '../../math/elementary/exponential.ts';

/** Restitution of the fastest impacts where it falls with speed. */
const LEAST_RESTITUTION = 0.01;
/** α v below which A is its limit 3/2 α. */
const SLOW = 1e-7;

/** The hysteretic law of one contact. */
export class HystereticLaw extends PowerLaw {
  private readonly relaxes: boolean;
  /** Whether restitution falls with speed. */
  private readonly falls: boolean;
  readonly loop: LawLoop;

  constructor(model: HystereticModel, memory: LawMemory) {
    super(model.stiffness, model.exponent, false, memory, [
      model.smallVelocity,
      model.relaxationTime,
      typeof model.restitution === 'number'
        ? dampingForRestitution(model.restitution, model.damping)
        : model.restitution.slope,
    ]);
    this.falls = typeof model.restitution !== 'number';
    this.relaxes = model.relaxationTime > 0;
    const kind = this.falls ? MODIA3D_LOOP : HYSTERETIC_LOOP; // one whose damping coefficient is fixed at onset
    this.loop = { ...this.describe(kind), mark: this.relaxes };
  }

  override begin(rate: number, depth: number): void {
    const speed = Math.abs(rate);
    const small = this.constants[HYSTERETIC_SMALL];
    this.internals[IMPACT_SPEED] = speed > small ? speed : small;
    if (this.falls) this.latch(speed);
    if (this.relaxes) this.states[0] = depth;
  }

  /** The damping coefficient of an impact whose restitution falls with speed. */
  private latch(speed: number): void {
    const slope = this.constants[HYSTERETIC_LEVEL];
    const e = 1 - slope * speed;
    this.internals[IMPACT_SPEED] = speed;
    if (1 - e < SLOW) {
      this.internals[OF_PHASE] = 1.5 * slope; // its error is of the order of SLOW
      return;
    }
    const least = e > LEAST_RESTITUTION ? e : LEAST_RESTITUTION;
    FACTOR[0] = least;
    takeDampingFactor();
    this.internals[OF_PHASE] = FACTOR[0] / (least * speed);
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
    result[DAMPING] = this.falls
      ? result[ELASTIC] * this.internals[OF_PHASE]
      : (result[ELASTIC] * this.constants[HYSTERETIC_LEVEL]) / this.internals[IMPACT_SPEED];
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
  if (typeof e === 'number') {
    range(
      `${field}.restitution`,
      e,
      e > 0 && e <= 1,
      'in (0, 1] (a restitution of 0 is not representable, use 0.01)',
    );
  } else {
    plain(`${field}.restitution`, e);
    notNegative(`${field}.restitution.slope`, e.slope);
    const { damping = 'exact' } = model;
    if (damping !== 'exact') oneOf(`${field}.damping`, damping, ['exact']);
  }
  positive(`${field}.smallVelocity`, model.smallVelocity);
  notNegative(`${field}.relaxationTime`, model.relaxationTime);
  if (model.damping !== undefined) {
    oneOf(`${field}.damping`, model.damping, DAMPING_VARIANTS);
  }
}

function memorySize({
  relaxationTime,
  restitution,
}: Omit<HertzModel, 'kind' | 'contactModulus'>): MemorySize {
  const internals = typeof restitution === 'number' ? 1 : 2;
  return { states: relaxationTime > 0 ? 1 : 0, internals };
}

export const HYSTERETIC_LAW: LawDefinition<HystereticModel, NormalLaw> = {
  needs: [],
  check(model, field) {
    positive(`${field}.stiffness`, model.stiffness);
    const p = model.exponent;
    range(`${field}.exponent`, p, p >= 1 && p <= 3, 'in [1, 3]');
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
