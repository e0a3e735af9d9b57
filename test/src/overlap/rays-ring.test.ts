/** Rings: the line through the centroid of their overlap runs through the hole. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COLUMN, COLUMN_SIZE } from '../../../src/overlap/kernel.ts';
import { makeKernel } from '../../../src/overlap/make-kernel.ts';
import { placementOf } from '../../../src/shapes/placement.ts';
import type { BooleanShape } from '../../../src/shapes/cell-model.ts';

const OUTER = 0.1;
const AT = { position: [0, 0, 0], orientation: [0, 0, 0, 1] } as const;

function ring(inner: number): BooleanShape {
  return {
    kind: 'boolean',
    common: [
      { shape: { kind: 'cylinder', radius: OUTER, length: 0.1 }, ...AT },
      { shape: { kind: 'bore', radius: inner }, ...AT },
    ],
    without: [],
  };
}

test('a flat ring in a plane has its depth, however thin it is', () => {
  const column = new Float64Array(COLUMN_SIZE);
  for (const inner of [0.02, 0.05, 0.08, 0.095, 0.0999]) {
    const kernel = makeKernel(ring(inner), { kind: 'half-space' }, 'rays');
    for (const depth of [1e-5, 1e-4, 1e-3, 0.01, 0.03]) {
      kernel.compute(
        placementOf({ ...AT, position: [0, 0, 0.05 - depth] }),
        placementOf(AT),
        column,
      );
      // exact but for the rounding of lengths near 0.1 m
      const error = Math.abs(column[COLUMN.gap] + depth);
      assert.ok(error < 1e-6 * depth, `hole of ${inner} m at ${depth} m: ${column[COLUMN.gap]}`);
    }
  }
});
