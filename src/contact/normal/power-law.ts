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
    const shape = n === 1.5 ? delta * Math.sqrt(delta) : n === 1 ? delta : delta * delta;
    const energy = (0.5 * (n + 1) * rate * rate) / (k * turn[TURN_INVERSE_MASS]);
    POWER[0] = shape * delta + energy; // by slots: a call that the compiler does not inline boxes its numbers
    POWER[1] = 1 / (n + 1);
    const depth = power()[0];
    turn[TURN_DEPTH] = depth;
    turn[TURN_EXPONENT] = n;
    turn[TURN_STIFFNESS] = n * k * (n === 1.5 ? Math.sqrt(depth) : n === 1 ? 1 : depth);
  }

  /** result[ELASTIC], result[STORED] and result[LEAST] at result[DEPTH] >= 0. @alloc none */
  protected evaluateElastic(result: Float64Array): void {
    const delta = result[DEPTH];
    const n = this.constants[EXPONENT];
    // powers spelled out: Math.pow costs ten times as much, and a function for them allocates where it is not inlined
    const shape = n === 1.5 ? delta * Math.sqrt(delta) : n === 1 ? delta : delta * delta;
    const force = this.constants[STIFFNESS] * shape;
    result[ELASTIC] = force;
    result[STORED] = (force * delta) / (n + 1);
    result[LEAST] = this.constants[SMALLEST];
  }
}
