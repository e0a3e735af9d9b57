/**
 * Hysteretic normal law: f_n = max(0, k δ^p (1 + A δ̇)), A = d(e)/(e max(|v_i|, v_small)), with v_i latched at onset for the
 * whole contact phase. `Gonthier 2007, (3.19)–(3.25), (3.43)`, docs/theory/point-contact.md.
 *
 * Relaxed penetration: at onset the depth that the fixed step jumped over is kept as δ_ro and fades with T_rlx; the elastic
 * force uses max(0, δ − δ_ro), the damping the true rate. `(3.44)–(3.45)`.
 *
 * Limits: point contact, elastic bodies, no adhesion (hence the clamp).
 */
import type { HystereticModel } from '../../contact-spec.ts';
import { notNegative, oneOf, positive, range } from '../../parameter-checks.ts';
import type { LawDefinition, LawMemory } from '../component.ts';
import { DAMPING_VARIANTS, dampingFactorOf } from './damping-factor.ts';
import { DAMPING, DEPTH, ELASTIC, type NormalLaw, STORED } from './normal-law.ts';

/** The hysteretic law of one contact. */
export class HystereticLaw implements NormalLaw {
  readonly states: Float64Array;
  readonly rates: Float64Array;
  readonly internals: Float64Array;
  readonly minimumForce: number = 0;
  private readonly stiffness: number;
  private readonly exponent: number;
  private readonly smallVelocity: number;
  private readonly relaxationTime: number;
  /** d(e)/e */
  private readonly damping: number;

  constructor(model: HystereticModel, memory: LawMemory) {
    this.states = memory.states;
    this.rates = memory.rates;
    this.internals = memory.internals;
    this.stiffness = model.stiffness;
    this.exponent = model.exponent;
    this.smallVelocity = model.smallVelocity;
    this.relaxationTime = model.relaxationTime;
    this.damping = dampingFactorOf(model.damping ?? 'exact', model.restitution) / model.restitution;
  }

  begin(rate: number, depth: number): void {
    const speed = Math.abs(rate);
    this.internals[0] = speed > this.smallVelocity ? speed : this.smallVelocity;
    if (this.relaxationTime > 0) this.states[0] = depth;
  }

  end(): void {
    this.internals[0] = 0;
    if (this.relaxationTime > 0) this.states[0] = 0;
  }

  evaluate(result: Float64Array): void {
    let delta = result[DEPTH];
    if (this.relaxationTime > 0) {
      delta -= this.states[0];
      this.rates[0] = -this.states[0] / this.relaxationTime;
    }
    if (delta < 0) delta = 0;
    const force = this.stiffness * power(delta, this.exponent);
    result[ELASTIC] = force;
    result[DAMPING] = (force * this.damping) / this.internals[0];
    result[STORED] = (force * delta) / (this.exponent + 1);
  }

  advance(timing: Float64Array): void {
    if (this.relaxationTime > 0) this.states[0] *= Math.exp(-timing[0] / this.relaxationTime);
  }

  tangentStiffness(depth: number): number {
    return this.exponent * this.stiffness * power(depth, this.exponent - 1);
  }

  turningDepth(depth: number, rate: number, inverseMass: number): number {
    const n = this.exponent + 1;
    const energy = (0.5 * n * rate * rate) / (this.stiffness * inverseMass);
    return Math.pow(power(depth, n) + energy, 1 / n);
  }

  impactSpeed(): number {
    return this.internals[0];
  }
}

export const HYSTERETIC_LAW: LawDefinition<HystereticModel, NormalLaw> = {
  needs: [],
  check(model, field) {
    positive(`${field}.stiffness`, model.stiffness);
    const p = model.exponent;
    range(`${field}.exponent`, p, p === 1 || p === 1.5 || p === 2, 'to be 1, 1.5 or 2');
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
  },
  size: (model) => ({ states: model.relaxationTime > 0 ? 1 : 0, internals: 1 }),
  make: (model, memory) => new HystereticLaw(model, memory),
};

/** x^n with the usual exponents spelled out (Math.pow costs ten times as much). */
function power(x: number, n: number): number {
  if (n === 1.5) return x * Math.sqrt(x);
  if (n === 0.5) return Math.sqrt(x);
  if (n === 1) return x;
  if (n === 2) return x * x;
  if (n === 2.5) return x * x * Math.sqrt(x);
  if (n === 0) return 1;
  return Math.pow(x, n);
}
