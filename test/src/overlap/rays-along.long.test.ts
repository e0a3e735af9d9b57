/** Lines along a cylinder: where the vector area is across an axis, the coefficient of w² is rounding and may be below 0. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/index.ts';
import { COLUMN, COLUMN_SIZE } from '../../../src/overlap/kernel.ts';
import { makeKernel } from '../../../src/overlap/make-kernel.ts';
import { placementOf } from '../../../src/shapes/placement.ts';
import { randomRotation } from '../../fixtures/samples.ts';

test('two cylinders that share volume have a depth', () => {
  const random = new Random(1);
  const shape = { kind: 'cylinder', radius: 0.08, length: 0.12 } as const;
  const kernel = makeKernel(shape, shape, 'rays');
  const column = new Float64Array(COLUMN_SIZE);
  let touching = 0;
  for (let n = 0; n < 60; n++) {
    const first = placementOf({ position: [0, 0, 0], orientation: randomRotation(random) });
    const orientation = randomRotation(random);
    for (let distance = 0.18; distance > 0.12; distance -= 0.002) {
      kernel.compute(first, placementOf({ position: [distance, 0.02, 0.01], orientation }), column);
      if (!(column[COLUMN.volume] > 1e-9)) continue;
      touching++;
      const gap = column[COLUMN.gap];
      assert.ok(gap < 0, `pose ${n} at ${distance} m: ${column[COLUMN.volume]} m³ and gap ${gap}`);
    }
  }
  assert.ok(touching > 800, `${touching} poses`);
});
