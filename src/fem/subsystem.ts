/**
 * Parts of a system that a step brings together, `Kim 1999, (4.1)`:
 *
 * M q̈ + C q̇ + K q + c(q, q̇) + Σ Pᵀ λ = f
 *
 * The step asks for the left side without λ, less f, and for solutions with K + a0 M + a1 C (4.7) and with M.
 */

/** A part of a system in its own coordinates. */
export interface Subsystem {
  /** Number of coordinates; 0 for what does not move. */
  readonly size: number;
  /** Coordinates, rates and accelerations: at the start of a step, and on the way to its end. */
  readonly q: Float64Array;
  readonly rate: Float64Array;
  readonly acceleration: Float64Array;
  /** Fixes a0 and a1 of the step; allocates. */
  setStep(a0: number, a1: number): void;
  /** out := M q̈ + C q̇ + K q + c − f. @alloc none */
  residual(out: Float64Array): void;
  /** Makes K + a0 M + a1 C at q ready for `solve`. @alloc none */
  prepare(): void;
  /** x := (K + a0 M + a1 C)⁻¹ x, x from `at` on. @alloc none */
  solve(x: Float64Array, at: number): void;
  /** Makes M at q ready for `solveMass`. @alloc none */
  prepareMass(): void;
  /** x := M⁻¹ x, x from `at` on. @alloc none */
  solveMass(x: Float64Array, at: number): void;
  /** out := [½ q̇ᵀ M q̇, energy of springs, ½ q̈ᵀ M q̈], J, J and N²/kg. @alloc none */
  energies(out: Float64Array): void;
}

/** A part with points that others can touch or be joined to, in the plane. */
export interface PointSubsystem extends Subsystem {
  /** Position of a point in the world, m, to out[at] and out[at + 1]. @alloc none */
  position(point: number, out: Float64Array, at: number): void;
  /** row[at..] += direction · ∂(position)/∂q. @alloc none */
  addDirection(row: Float64Array, at: number, point: number, direction: Float64Array): void;
  /** out[at] += direction · acceleration of a point at its present rates when q̈ = 0, m/s². @alloc none */
  addBias(out: Float64Array, at: number, point: number, direction: Float64Array): void;
}

/** A part with a frame that turns, in the plane; its angle is linear in the coordinates. */
export interface TurningSubsystem extends Subsystem {
  /** Angle of the frame, rad, to out[at]. @alloc none */
  angle(out: Float64Array, at: number): void;
  /** row[at..] += factor ∂(angle)/∂q. @alloc none */
  addTurn(row: Float64Array, at: number, factor: number): void;
}
