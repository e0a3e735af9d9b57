/** A separating plane against the distance of the corners along its normal, and against the distance of the polytopes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../src/index.ts';
import { ClipKernel } from '../../../src/overlap/clip.ts';
import { COLUMN, COLUMN_SIZE } from '../../../src/overlap/kernel.ts';
import { CLEARANCE, PLANE } from '../../../src/overlap/separating-plane.ts';
import {
  ball,
  box,
  cornersAt,
  halfSpace,
  placed,
  spread,
} from '../../fixtures/overlap/clip-samples.ts';

const planes = new Float64Array(2 * PLANE);
const column = new Float64Array(COLUMN_SIZE);

test('a plane kept proves that polytopes are apart, and how far at least, wherever they go', () => {
  const random = new Random(2);
  const shapes = [box(0.3, 0.4, 0.5), box(0.1, 0.1, 0.1), ball(20, 0.2, random), halfSpace()];
  let kept = 0;
  let proofs = 0;
  for (let run = 0; run < 3000; run++) {
    const i = shapes[Math.floor(4 * random.uniform())];
    const j = shapes[Math.floor((i.bounded ? 4 : 3) * random.uniform())];
    const kernel = new ClipKernel(i, j);
    const [turn, at] = [spread(random, 2), spread(random, 0.6)];
    const still = placed(spread(random, 1), spread(random, 0.1));
    kernel.compute(placed(turn, at), still, column);
    if (column[COLUMN.volume] > 0) continue;
    kernel.keepPlane(planes, PLANE);
    kernel.measureClearance(placed(turn, at), still, planes, PLANE);
    // the plane of the search is that of the closest points: nothing is lost but 1e-9 of the size
    const gap = column[COLUMN.gap];
    const clearance = planes[PLANE + CLEARANCE];
    if (gap > 1e-8) assert.ok(clearance > 0, `${clearance} of ${gap} m`);
    kept++;
    for (let step = 0; step < 5; step++) {
      const moved = placed(
        turn.map((x, k) => x + spread(random, 0.2)[k]),
        at.map((x, k) => x + spread(random, 0.1)[k]),
      );
      kernel.measureClearance(moved, still, planes, PLANE);
      if (!(planes[PLANE + CLEARANCE] > 0)) continue;
      proofs++;
      kernel.compute(moved, still, column);
      assert.equal(column[COLUMN.volume], 0);
      // where the balls are apart the gap is less than the distance
      const [p, q] = [cornersAt(i, moved), cornersAt(j, still)];
      const nearest = Math.min(
        ...p.flatMap((a) => q.map((b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]))),
      );
      if (i.bounded && j.bounded) assert.ok(planes[PLANE + CLEARANCE] < nearest);
    }
  }
  assert.ok(kept > 500 && proofs > 1000, `${kept} planes, ${proofs} proofs`);
});

test('boxes side by side: the clearance is their distance less 1e-9 of the size', () => {
  const cube = box(0.2, 0.2, 0.2);
  const kernel = new ClipKernel(cube, cube);
  const still = placed([0, 0, 0], [5, 5, 5]);
  const away = (x: number): Float64Array => placed([0, 0, 0], [5 + x, 5.03, 4.98]);
  kernel.compute(away(0.21), still, column);
  kernel.keepPlane(planes, 0);
  const clearance = (x: number): number => {
    kernel.measureClearance(away(x), still, planes, 0);
    return planes[CLEARANCE];
  };
  // coordinates of 5 m are known to 1e-15 m; the size is 0.35 m
  for (const x of [0.21, 0.205, 0.2001, 0.19]) {
    const distance = x - 0.2;
    assert.ok(Math.abs(clearance(x) - distance) < 1e-9, `${clearance(x)} at ${distance} m`);
    assert.ok(clearance(x) < distance);
  }
  assert.ok(!(clearance(0.2) > 0), 'touching');
});

test('without a plane there is no clearance', () => {
  const cube = box(0.2, 0.2, 0.2);
  planes.fill(Number.NaN);
  new ClipKernel(cube, cube).measureClearance(
    placed([0, 0, 0], [1, 0, 0]),
    placed([0, 0, 0], [0, 0, 0]),
    planes,
    0,
  );
  assert.ok(!(planes[CLEARANCE] > 0));
});
