/** What does not move, and can be touched: walls, floors, supports. */
import type { PointSubsystem } from './subsystem.ts';

/** Points that do not move. */
export class FixedPoints implements PointSubsystem {
  readonly size = 0;
  readonly q: Float64Array = new Float64Array(0);
  readonly rate: Float64Array = new Float64Array(0);
  readonly acceleration: Float64Array = new Float64Array(0);
  private readonly coordinates: Float64Array;

  /** @param coordinates two numbers a point, m */
  constructor(coordinates: readonly number[]) {
    this.coordinates = Float64Array.from(coordinates);
  }

  setStep(): void {
    // nothing moves
  }
  residual(): void {
    // nothing moves
  }
  prepare(): void {
    // nothing moves
  }
  solve(): void {
    // nothing moves
  }
  prepareMass(): void {
    // nothing moves
  }
  solveMass(): void {
    // nothing moves
  }
  energies(out: Float64Array): void {
    out.fill(0, 0, 3);
  }
  position(point: number, out: Float64Array, at: number): void {
    out[at] = this.coordinates[2 * point];
    out[at + 1] = this.coordinates[2 * point + 1];
  }
  addDirection(): void {
    // nothing moves
  }
  addBias(): void {
    // nothing moves
  }
}
