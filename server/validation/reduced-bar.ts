/**
 * The bar of `fem-bar` by the method of elastic faces in the loop: a rigid mass whose end is a point without mass. Compliance and modes are those of a free
 * bar in closed form, so that there is no mesh: φ_k² = 2/m at the end, ω_k = k π c/L, and C = L/(3 E A) against the mean bar is Σ φ_k²/ω_k².
 */
import { MasslessPoints } from './massless-points.ts';

const NONE = { static: 0, sliding: 0 };

/** What the wall gives, in units of length, modulus, density and area of 1. */
export interface ReducedBar {
  readonly duration: number;
  /** Over 2 m v. */
  readonly impulse: number;
  /** Mean over ρ c A v, and its deviation over the mean. */
  readonly force: number;
  readonly ripple: number;
  readonly contacts: number;
  /** Largest change of the energy over that of the start. */
  readonly energyError: number;
  readonly time: number[];
  readonly forces: number[];
}

/** A bar of `count` modes in steps of `step` L/c, with a speed of `speed` c. */
export function runReducedBar(count: number, step: number, speed: number, end: number): ReducedBar {
  const mass = Float64Array.of(1);
  const rates = Float64Array.of(-speed);
  const face = {
    points: [[0, 0]] as const,
    compliance: Float64Array.of(1, 0, 0, 1 / 3),
    modes: Array.from({ length: count }, (_, k) => ({
      frequency: (k + 1) * Math.PI,
      shape: [0, Math.SQRT2],
    })),
  };
  const rows = [Float64Array.of(0), Float64Array.of(1), Float64Array.of(0)];
  const system = new MasslessPoints(face, NONE, step, mass, Float64Array.of(0), rows, rates, 0);
  const initial = system.energyNow();
  const time: number[] = [];
  const forces: number[] = [];
  const held: number[] = [];
  let [impulse, contacts, was, energyError] = [0, 0, 0, 0];
  for (let s = 1; s * step < end; s++) {
    system.step();
    const force = system.forces[1];
    const now = force > 0 ? 1 : 0;
    if (now > was) contacts++;
    if (now > 0) held.push(force);
    was = now;
    impulse += force * step;
    time.push(s * step);
    forces.push(force / speed);
    energyError = Math.max(energyError, Math.abs(system.energyNow() / initial - 1));
  }
  const mean = held.reduce((sum, force) => sum + force, 0) / held.length;
  const square = held.reduce((sum, force) => sum + (force - mean) ** 2, 0) / held.length;
  return {
    duration: held.length * step,
    impulse: impulse / (2 * speed),
    force: mean / speed,
    ripple: Math.sqrt(square) / mean,
    contacts,
    energyError,
    time,
    forces,
  };
}
