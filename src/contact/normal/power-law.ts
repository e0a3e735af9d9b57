/**
 * What every normal law with an elastic force k δⁿ has in common: stored energy k δⁿ⁺¹/(n + 1), tangent stiffness n k δⁿ⁻¹, the
 * depth at which an impact would stop, and the speed latched at onset. The laws differ in their damping alone.
 */
import { columnOf, OWN_COLUMNS } from '../../math/columns.ts';
import type { LawLoop, LawMemory } from '../component.ts';
import { EXPONENT, SMALLEST, STIFFNESS } from './law-slots.ts';
import {
  DEPTH,
  ELASTIC,
  IMPACT_SPEED,
  LEAST,
  type NormalLaw,
  STORED,
  TURN_DEPTH,
  TURN_EXPONENT,
  TURN_INVERSE_MASS,
  TURN_RATE,
  TURN_STIFFNESS,
} from './normal-law.ts';
import { POWER, power } from '../../math/elementary/power.ts';

/** A law with the elastic force k δⁿ. */
export abstract class PowerLaw implements NormalLaw {
  readonly states: Float64Array;
  readonly rates: Float64Array;
  readonly internals: Float64Array;
  protected readonly constants: Float64Array;

  /**
   * @param allowTension - whether the damping may pull; otherwise the force is clamped at 0
   * @param own - constants of the law, from slot OWN on
   */
  constructor(
    stiffness: number,
    exponent: number,
    allowTension: boolean,
    memory: LawMemory,
    own: readonly number[],
  ) {
    this.states = memory.states;
    this.rates = memory.rates;
    this.internals = memory.internals;
    const least = allowTension ? Number.NEGATIVE_INFINITY : 0;
    const { columns = OWN_COLUMNS } = memory;
    this.constants = columnOf(columns, stiffness, exponent, least, ...own);
  }

  /** What a kernel has to know of a law of this kind. */
  protected describe(kind: number): LawLoop {
    const { constants, states, rates, internals } = this;
    return { kind, constants, states, rates, internals };
  }

  begin(rate: number, depth: number): void;
  begin(rate: number): void {
    this.internals[IMPACT_SPEED] = Math.abs(rate);
  }

  end(): void {
    this.internals.fill(0);
  }

  /** Elastic force and energy at result[DEPTH], then the damping of the law. @alloc none */
  abstract evaluate(result: Float64Array): void;

  advance(timing: Float64Array): void;
  advance(): void {
    return;
  }

  measureTurn(turn: Float64Array): void {
    const k = this.constants[STIFFNESS];
    const n = this.constants[EXPONENT];
    const delta = turn[TURN_DEPTH];
    const rate = turn[TURN_RATE];
    POWER[0] = delta;
    POWER[1] = n;
    raise();
    const shape = POWER[0];
    const energy = (0.5 * (n + 1) * rate * rate) / (k * turn[TURN_INVERSE_MASS]);
    POWER[0] = shape * delta + energy; // by slots: a call that the compiler does not inline boxes its numbers
    POWER[1] = 1 / (n + 1);
    const depth = power()[0];
    turn[TURN_DEPTH] = depth;
    turn[TURN_EXPONENT] = n;
    POWER[0] = depth;
    POWER[1] = n - 1;
    raise();
    turn[TURN_STIFFNESS] = n * k * POWER[0];
  }

  /** result[ELASTIC], result[STORED] and result[LEAST] at result[DEPTH] >= 0. @alloc none */
  protected evaluateElastic(result: Float64Array): void {
    const delta = result[DEPTH];
    const n = this.constants[EXPONENT];
    POWER[0] = delta;
    POWER[1] = n;
    raise();
    const force = this.constants[STIFFNESS] * POWER[0];
    result[ELASTIC] = force;
    result[STORED] = (force * delta) / (n + 1);
    result[LEAST] = this.constants[SMALLEST];
  }

  /** Elastic force and energy of `evaluateElastic` at many depths. @alloc none */
  protected evaluateElasticAll(
    depths: Float64Array,
    count: number,
    elastic: Float64Array,
    stored: Float64Array,
  ): void {
    const k = this.constants[STIFFNESS];
    const n = this.constants[EXPONENT];
    for (let c = 0; c < count; c++) {
      const delta = depths[c];
      let shape = delta;
      if (n !== 1) {
        POWER[0] = delta;
        POWER[1] = n;
        raise();
        shape = POWER[0];
      }
      const force = k * shape;
      elastic[c] = force;
      stored[c] = (force * delta) / (n + 1);
    }
  }
}

/** Replaces POWER[0] = δ >= 0 by δ to the power of POWER[1]. Usual powers are spelled out: the general one costs ten times as much. @alloc none */
function raise(): void {
  const delta = POWER[0];
  const n = POWER[1];
  if (n === 1.5) POWER[0] = delta * Math.sqrt(delta);
  else if (n === 2) POWER[0] = delta * delta;
  else if (n === 0.5) POWER[0] = Math.sqrt(delta);
  else if (n === 0) POWER[0] = 1;
  else if (n !== 1 && delta > 0) power();
}
