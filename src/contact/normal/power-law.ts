/**
 * What every normal law with an elastic force k δⁿ has in common: stored energy k δⁿ⁺¹/(n + 1), tangent stiffness n k δⁿ⁻¹, the
 * depth at which an impact would stop, and the speed latched at onset. The laws differ in their damping alone.
 */
import type { LawMemory } from '../component.ts';
import { DEPTH, ELASTIC, type NormalLaw, STORED } from './normal-law.ts';

/** Slot of the internals that holds the speed latched at onset, m/s; 0 when apart. */
export const SPEED = 0;

/** A law with the elastic force k δⁿ. */
export abstract class PowerLaw implements NormalLaw {
  readonly states: Float64Array;
  readonly rates: Float64Array;
  readonly internals: Float64Array;
  readonly minimumForce: number;
  /** k, N/mⁿ */
  protected readonly stiffness: number;
  /** n */
  protected readonly exponent: number;

  /** @param allowTension - whether the damping may pull; otherwise the force is clamped at 0 */
  constructor(stiffness: number, exponent: number, allowTension: boolean, memory: LawMemory) {
    this.states = memory.states;
    this.rates = memory.rates;
    this.internals = memory.internals;
    this.minimumForce = allowTension ? Number.NEGATIVE_INFINITY : 0;
    this.stiffness = stiffness;
    this.exponent = exponent;
  }

  begin(rate: number, depth: number): void;
  begin(rate: number): void {
    this.internals[SPEED] = Math.abs(rate);
  }

  end(): void {
    this.internals.fill(0);
  }

  /** Elastic force and energy at result[DEPTH], then the damping of the law. */
  abstract evaluate(result: Float64Array): void;

  advance(timing: Float64Array): void;
  advance(): void {
    return;
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
    return this.internals[SPEED];
  }

  /** result[ELASTIC] and result[STORED] at result[DEPTH] >= 0. @alloc none */
  protected evaluateElastic(result: Float64Array): void {
    const delta = result[DEPTH];
    const force = this.stiffness * power(delta, this.exponent);
    result[ELASTIC] = force;
    result[STORED] = (force * delta) / (this.exponent + 1);
  }
}

/** x^n with the usual exponents spelled out (Math.pow costs ten times as much). */
export function power(x: number, n: number): number {
  if (n === 1.5) return x * Math.sqrt(x);
  if (n === 0.5) return Math.sqrt(x);
  if (n === 1) return x;
  if (n === 2) return x * x;
  if (n === 2.5) return x * x * Math.sqrt(x);
  if (n === 0) return 1;
  return Math.pow(x, n);
}
