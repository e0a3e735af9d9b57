/** A bore and bodies in it. */
import assert from 'node:assert/strict';
import { makeKernel } from '../../../src/overlap/make-kernel.ts';
import type { CellShape } from '../../../src/shapes/cell-model.ts';
import { measure, type Metrics, place } from '../../fixtures/overlap/kernel-frames.ts';

export const R = 0.03;
export const BORE: CellShape = { kind: 'bore', radius: R };
export const HOLE = place([0, 0, 0], [0, 0, 0]);
export const cylinder = (radius: number, length: number): CellShape => ({
  kind: 'cylinder',
  radius,
  length,
});
export const inBore = (shape: CellShape, at: Float64Array): Metrics =>
  measure(makeKernel(shape, BORE, 'closed-form'), at, HOLE);
export const close = (got: number, want: number, tolerance: number, what: string): void =>
  assert.ok(
    Math.abs(got - want) <= tolerance * Math.abs(want),
    `${what}: ${got}, expected ${want}`,
  );
