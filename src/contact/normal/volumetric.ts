/**
 * Normal law of the volumetric contact: f_n = max(0, k_v V_r (1 − A v_n)), A = d(e)/(e max(|v_i|, v_small)), with v_i latched at
 * onset for the whole contact phase. `Gonthier 2007, (4.62), (4.178), (3.43)`, docs/theory/volumetric-contact.md.
 *
 * Relaxed volume: the volume V_ro that the fixed step jumped over at onset fades with T_rlx; the elastic force uses
 * V_r = max(0, V − V_ro), the damping the true rate. `(3.44)–(3.45)`.
 *
 * Energy: k_v V n is the gradient of a potential only where the normal is that of a plane. So the elastic energy is a state, the
 * integral of f_el (−v_n). What is left of it when the contact ends is taken for dissipated.
 *
 * Limits: a Winkler foundation (no shear between its springs), stiffness k_v A_c; no adhesion (hence the clamp).
 * Parameters: k_v as measured stiffness over contact area; of two bodies see foundation.ts; e and v_small as in hysteretic.ts.
 */
import { positive } from '../../base/parameter-checks.ts';
import type { VolumetricLawModel } from '../../model/contact-spec.ts';
import { columnOf, OWN_COLUMNS } from '../../math/columns.ts';
import type { LawDefinition, LawLoop, LawMemory } from '../component.ts';
import { VOLUMETRIC_LOOP } from '../loop-kinds.ts';
import { dampingForRestitution } from './damping-factor.ts';
import { checkHysteresis } from './hysteretic.ts';
import {
  ENERGY,
  RELAXED,
  STIFFNESS,
  VOLUME_LEVEL,
  VOLUME_RELAXATION,
  VOLUME_SMALL,
} from './law-slots.ts';
import {
  DAMPING,
  ELASTIC,
  IMPACT_SPEED,
  LEAST,
  MEAN_RATE,
  NORMAL_RATE,
  type NormalLaw,
  OVERLAP_AREA,
  OVERLAP_VOLUME,
  SPAN,
  STORED,
  TURN_AREA,
  TURN_DEPTH,
  TURN_EXPONENT,
  TURN_INVERSE_MASS,
  TURN_RATE,
  TURN_STIFFNESS,
  TURN_VOLUME,
} from './normal-law.ts';
import { EXPONENTIALS, exponentials } from '../../math/elementary/exponential.ts';
import { POWER, power } from '../../math/elementary/power.ts';

/** Exponents that V ~ h^q may have: 1 a plate, 3 a corner. */
const LEAST_EXPONENT = 1;
const MOST_EXPONENT = 3;

/** The volumetric law of one contact. */
export class VolumetricLaw implements NormalLaw {
  readonly states: Float64Array;
  readonly rates: Float64Array;
  readonly internals: Float64Array;
  private readonly constants: Float64Array;
  /** [elastic force of the last evaluation, N] */
  private readonly last: Float64Array;
  private readonly relaxes: boolean;
  readonly loop: LawLoop;

  constructor(model: VolumetricLawModel, memory: LawMemory) {
    this.states = memory.states;
    this.rates = memory.rates;
    this.internals = memory.internals;
    this.relaxes = model.relaxationTime > 0;
    const { columns = OWN_COLUMNS } = memory;
    this.last = columns.doubles(1);
    this.constants = columnOf(
      columns,
      model.stiffness,
      model.smallVelocity,
      model.relaxationTime,
      dampingForRestitution(model.restitution),
    );
    const { constants, states, rates, internals } = this;
    this.loop = {
      kind: VOLUMETRIC_LOOP,
      constants,
      states,
      rates,
      internals,
      work: this.last,
      mark: this.relaxes,
    };
  }

  begin(rate: number, depth: number, onset: Float64Array): void {
    const speed = Math.abs(rate);
    const small = this.constants[VOLUME_SMALL];
    const x = this.states;
    this.internals[IMPACT_SPEED] = speed > small ? speed : small;
    const volume = depth > 0 ? onset[OVERLAP_VOLUME] : 0;
    x[ENERGY] = 0;
    if (this.relaxes) {
      x[RELAXED] = volume;
    } else if (volume > 0) {
      const q = localExponent((onset[OVERLAP_AREA] * depth) / volume);
      x[ENERGY] = (this.constants[STIFFNESS] * volume * depth) / (q + 1);
    }
  }

  end(): void {
    this.internals.fill(0);
    this.states.fill(0);
    this.last[0] = 0;
  }

  evaluate(result: Float64Array): void {
    const c = this.constants;
    const x = this.states;
    let volume = result[OVERLAP_VOLUME];
    if (this.relaxes) {
      volume -= x[RELAXED];
      if (!(volume > 0)) volume = 0;
      this.rates[RELAXED] = -x[RELAXED] / c[VOLUME_RELAXATION];
    }
    const force = c[STIFFNESS] * volume;
    this.rates[ENERGY] = -force * result[NORMAL_RATE];
    this.last[0] = force;
    result[ELASTIC] = force;
    result[DAMPING] = (force * c[VOLUME_LEVEL]) / this.internals[IMPACT_SPEED];
    result[STORED] = x[ENERGY];
    result[LEAST] = 0;
  }

  advance(timing: Float64Array): void {
    const h = timing[SPAN];
    const x = this.states;
    x[ENERGY] -= h * this.last[0] * timing[MEAN_RATE];
    if (!this.relaxes) return;
    EXPONENTIALS[0] = -h / this.constants[VOLUME_RELAXATION];
    x[RELAXED] *= exponentials()[0];
  }

  /**
   * Takes V ~ h^q with the exponent q = A_c h/V of the present overlap: energy k_v V h/(q + 1), stiffness k_v A_c = k_v q V/h. An
   * overlap that has no volume yet has stiffness 0.
   */
  measureTurn(turn: Float64Array): void {
    const k = this.constants[STIFFNESS];
    const volume = turn[TURN_VOLUME];
    const depth = turn[TURN_DEPTH];
    const rate = turn[TURN_RATE];
    turn[TURN_STIFFNESS] = 0;
    turn[TURN_EXPONENT] = LEAST_EXPONENT;
    if (!(volume > 0 && depth > 0)) return;
    const q = localExponent((turn[TURN_AREA] * depth) / volume);
    const stored = (k * volume * depth) / (q + 1);
    const kinetic = (0.5 * rate * rate) / turn[TURN_INVERSE_MASS];
    // powers by slots: a call that the compiler does not inline boxes its numbers
    POWER[0] = 1 + kinetic / stored;
    POWER[1] = 1 / (q + 1);
    const stretch = power()[0];
    turn[TURN_DEPTH] = depth * stretch;
    turn[TURN_EXPONENT] = q;
    POWER[0] = stretch;
    POWER[1] = q - 1;
    turn[TURN_STIFFNESS] = ((k * q * volume) / depth) * power()[0];
  }
}

function localExponent(q: number): number {
  return q > LEAST_EXPONENT ? (q < MOST_EXPONENT ? q : MOST_EXPONENT) : LEAST_EXPONENT;
}

export const VOLUMETRIC_LAW: LawDefinition<VolumetricLawModel, NormalLaw> = {
  needs: ['volume'],
  check(model, field) {
    positive(`${field}.stiffness`, model.stiffness);
    positive(`${field}.restitution`, model.restitution);
    checkHysteresis(model, field);
  },
  size: (model) => ({ states: model.relaxationTime > 0 ? 2 : 1, internals: 1 }),
  make: (model, memory) => new VolumetricLaw(model, memory),
  loops: true,
  stiffnessPerArea: (model) => model.stiffness,
};
